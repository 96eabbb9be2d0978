#include "tests/agree/water_filling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oracle {
namespace {

constexpr Real kNever = std::numeric_limits<Real>::infinity();

struct Filling {
  const Path* path;
  Real weight;
  Real rate = 0;
  bool growing = true;
};

// Rate at which a link fills while all unfrozen flows grow in proportion to their weights.
Real pace(const std::vector<Filling>& flows, std::size_t link) {
  Real sum = 0;
  for (const Filling& flow : flows) {
    if (!flow.growing) continue;
    for (const Hop& hop : *flow.path) sum += hop.link == link ? flow.weight * hop.share : 0;
  }
  return sum;
}

void stop_flows_of(std::vector<Filling>& flows, std::size_t link) {
  for (Filling& flow : flows) {
    for (const Hop& hop : *flow.path) flow.growing = flow.growing && hop.link != link;
  }
}

void fill(std::vector<Real> room, std::vector<Filling>& flows) {
  while (true) {
    Real rise = kNever;
    std::size_t full = room.size();
    for (std::size_t link = 0; link < room.size(); ++link) {
      const Real speed = pace(flows, link);
      if (speed > 0 && room[link] / speed < rise) {
        rise = room[link] / speed;
        full = link;
      }
    }
    if (full == room.size()) return;
    for (std::size_t link = 0; link < room.size(); ++link) {
      room[link] = std::max<Real>(0, room[link] - rise * pace(flows, link));
    }
    for (Filling& flow : flows) flow.rate += flow.growing ? rise * flow.weight : 0;
    stop_flows_of(flows, full);
  }
}

struct Moving {
  Real left;
  Real rate = 0;
  Real end = kNever;           // actual end if done, else projected at the current rate
  const Path* path = nullptr;  // none until it starts on a path whose links are all up
  bool done = false;
};

class Simulation {
 public:
  Simulation(std::vector<Real> capacities, const std::vector<Flow>& flows,
             const std::vector<Change>& changes, Clock clock)
      : capacities_(std::move(capacities)), flows_(flows), changes_(changes), clock_(clock) {
    for (const Flow& flow : flows) moving_.push_back({flow.size});
  }

  std::vector<Real> run() {
    for (Real now = 0; now < kNever; now = next_event(now)) {
      advance(now);
      for (const Change& change : changes_) {
        if (change.at == now) capacities_[change.link] = change.capacity;
      }
      choose_paths(now);
      share(now);
    }
    std::vector<Real> ends;
    for (const Moving& it : moving_) ends.push_back(it.done ? it.end : kNever);
    return ends;
  }

 private:
  Real next_event(Real now) const {
    Real next = kNever;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const Real begin = flows_[i].start + flows_[i].latency;
      if (begin > now) next = std::min(next, begin);
      if (!moving_[i].done) next = std::min(next, moving_[i].end);
    }
    for (const Change& change : changes_) {
      if (change.at > now) next = std::min(next, change.at);
    }
    return next;
  }

  void advance(Real now) {
    for (Moving& it : moving_) {
      if (it.done) continue;
      it.left -= it.rate * (now - then_);
      it.done = it.end <= now;
    }
    then_ = now;
  }

  bool is_whole(const Path& path) const {
    return std::all_of(path.begin(), path.end(),
                       [this](const Hop& hop) { return capacities_[hop.link] > 0; });
  }

  void choose_paths(Real now) {
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      Moving& it = moving_[i];
      if (it.done || flows_[i].start + flows_[i].latency > now) continue;
      if (it.path != nullptr && is_whole(*it.path)) continue;
      const auto& paths = flows_[i].paths;
      const auto whole = std::find_if(paths.begin(), paths.end(),
                                      [this](const Path& path) { return is_whole(path); });
      if (whole != paths.end()) it.path = &*whole;
    }
  }

  void share(Real now) {
    std::vector<Filling> filling;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const Moving& it = moving_[i];
      if (!it.done && it.path != nullptr) filling.push_back({it.path, flows_[i].weight});
    }
    fill(capacities_, filling);
    std::size_t next = 0;
    for (Moving& it : moving_) {
      if (it.done) continue;
      it.rate = it.path != nullptr ? filling[next++].rate : 0;
      it.end = it.rate > 0 ? now + on_clock(std::max<Real>(0, it.left) / it.rate) : kNever;
    }
  }

  // Differences below 1e-6 ps are rounding errors of long double.
  Real on_clock(Real span) const {
    return clock_ == Clock::ticking ? std::ceil(span - 1e-6L) : span;
  }

  std::vector<Real> capacities_;
  const std::vector<Flow>& flows_;
  const std::vector<Change>& changes_;
  Clock clock_;
  std::vector<Moving> moving_;
  Real then_ = 0;
};

}  // namespace

std::vector<Real> water_filling(std::vector<Real> capacities, const std::vector<Flow>& flows,
                                const std::vector<Change>& changes, Clock clock) {
  return Simulation(std::move(capacities), flows, changes, clock).run();
}

std::vector<Real> fair_rates(const std::vector<Real>& capacities, const std::vector<Flow>& flows) {
  std::vector<Filling> filling;
  for (const Flow& flow : flows) filling.push_back({&flow.paths.front(), flow.weight});
  fill(capacities, filling);
  std::vector<Real> rates;
  for (const Filling& it : filling) rates.push_back(it.rate);
  return rates;
}

}  // namespace oracle
