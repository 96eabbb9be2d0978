#include "loom/fabric/circuits/provision/shifts/shift_finder.h"

#include <algorithm>
#include <limits>
#include <map>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

constexpr int kBundles = 16;            // ports move in at most so many bundles
constexpr std::size_t kAllShifts = 64;  // up to so many, all shifts are tried
constexpr double kTolerated = 0.15;     // relative increase that a move may have at the beginning

// The cost if every kind kept all circuits busy and no byte were forwarded. No set of circuits is
// better; the small excess allows for rounding.
double min_turns(const ShiftTraffic& traffic, int ports) {
  constexpr double kExcess = 1 + 1e-9;
  double sum = 0;
  for (const ShiftKind& kind : traffic.kinds) {
    double bytes = kind.ring_bytes;
    for (const ShiftBytes& it : kind.fixed) bytes += it.bytes;
    sum += kind.weight * bytes;
  }
  return sum / ports * kExcess;
}

class ShiftFinder {
 public:
  ShiftFinder(const ShiftTraffic& traffic, int ports, int max_trials)
      : traffic_(traffic), max_trials_(max_trials), bound_(min_turns(traffic, ports)) {
    const int bundles = std::min(ports, kBundles);
    for (int i = 0; i < bundles; ++i) size_.push_back((ports + i) / bundles);
    // Half of the trials are for giving out ports.
    const int affordable = std::max(1, max_trials / (2 * bundles));
    shifts_ = shifts_to_try(std::min(kAllShifts, static_cast<std::size_t>(affordable)));
  }

  ShiftPlan find() {
    give_out();
    ShiftPlan plan;
    plan.first = best_;
    anneal();
    plan.circuits = circuits(best_shifts_);
    plan.routing = route_shifts(traffic_, plan.circuits);
    plan.trials = trials_;
    plan.last = best_;
    return plan;
  }

 private:
  // One step along each dimension, the shifts of the traffic with the most bytes, and if they are
  // few, all others: `count` shifts, or one for each dimension.
  std::vector<int> shifts_to_try(std::size_t count) const {
    std::map<int, double> bytes;
    int stride = 1;
    for (const int extent : traffic_.grid.extents()) {
      if (extent > 1) bytes.try_emplace(stride, std::numeric_limits<double>::max());
      stride *= extent;
    }
    count = std::max(count, bytes.size());
    for (const ShiftKind& kind : traffic_.kinds) {
      for (const ShiftBytes& it : kind.fixed) bytes[it.shift] += it.bytes;
      for (std::size_t step = 1; step < kind.shift_of.size(); ++step) {
        bytes[kind.shift_of[step]] += kind.ring_bytes / static_cast<double>(step);
      }
    }
    for (int shift = 1; shift < traffic_.grid.devices() && bytes.size() < count; ++shift) {
      bytes.try_emplace(shift, 0);
    }
    std::vector<int> shifts;
    for (const auto& it : bytes) shifts.push_back(it.first);
    std::stable_sort(shifts.begin(), shifts.end(),
                     [&](int a, int b) { return bytes.at(a) > bytes.at(b); });
    shifts.resize(std::min(shifts.size(), count));
    return shifts;
  }

  // Circuits for the bundles of the ports that have a shift.
  std::vector<ShiftCircuits> circuits(const std::vector<int>& shifts) const {
    std::map<int, int> count;
    for (std::size_t i = 0; i < shifts.size(); ++i) count[shifts[i]] += size_[i];
    std::vector<ShiftCircuits> all;
    for (const auto& it : count) all.push_back({it.first, it.second});
    return all;
  }

  double trial(const std::vector<int>& shifts) {
    ++trials_;
    return route_shifts(traffic_, circuits(shifts)).turns;
  }

  // Gives every bundle of the ports to the shift that is best so far.
  void give_out() {
    std::vector<int> shifts;
    for (std::size_t bundle = 0; bundle < size_.size(); ++bundle) {
      int best_shift = shifts_.front();
      best_ = std::numeric_limits<double>::infinity();
      shifts.push_back(best_shift);
      for (const int shift : shifts_) {
        shifts.back() = shift;
        const double time = trial(shifts);
        if (time >= best_) continue;
        best_ = time;
        best_shift = shift;
      }
      shifts.back() = best_shift;
    }
    best_shifts_ = shifts;
  }

  // Changes one or two shifts at random; a change that is little worse may stay for a while.
  void anneal() {
    std::vector<int> now = best_shifts_;
    double time = best_;
    const int first = trials_;
    while (trials_ < max_trials_ && best_ > bound_) {
      const double left = static_cast<double>(max_trials_ - trials_) / (max_trials_ - first);
      const std::vector<int> next = neighbor(now);
      const double there = trial(next);
      const double sample = static_cast<double>(random_(1 << 16)) / (1 << 16);
      if (there >= time * (1 + kTolerated * left * left * sample)) continue;
      now = next;
      time = there;
      if (time >= best_) continue;
      best_ = time;
      best_shifts_ = now;
    }
  }

  // One bundle of the ports moves to another shift; or two bundles move by opposite shifts, so that
  // the devices they reach together stay the same.
  std::vector<int> neighbor(std::vector<int> shifts) {
    const auto bundles = static_cast<std::uint32_t>(shifts.size());
    const std::uint32_t a = random_(bundles);
    const int by = shifts_[random_(static_cast<std::uint32_t>(shifts_.size()))];
    if (bundles == 1 || random_(2) == 0) {
      shifts[a] = by;
      return shifts;
    }
    const std::uint32_t b = (a + 1 + random_(bundles - 1)) % bundles;
    const int ahead = traffic_.grid.at(shifts[a], by);
    const int back = traffic_.grid.shift(by, shifts[b]);
    if (ahead == 0 || back == 0) return shifts;
    shifts[a] = ahead;
    shifts[b] = back;
    return shifts;
  }

  const ShiftTraffic& traffic_;
  const int max_trials_;
  const double bound_;
  std::vector<int> shifts_;       // to try
  std::vector<int> size_;         // circuits of each bundle of the ports
  std::vector<int> best_shifts_;  // of each bundle
  double best_ = 0;
  int trials_ = 0;
  Random random_ = random_stream(1);
};

}  // namespace

ShiftPlan find_shifts(const ShiftTraffic& traffic, int ports, int max_trials) {
  return ShiftFinder(traffic, ports, max_trials).find();
}

}  // namespace loom::fabric
