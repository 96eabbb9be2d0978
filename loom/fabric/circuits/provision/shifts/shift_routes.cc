#include "loom/fabric/circuits/provision/shifts/shift_routes.h"

#include <algorithm>
#include <numeric>

namespace loom::fabric {
namespace {

constexpr std::size_t kMaxPaths = 12;
constexpr std::size_t kMaxTriples = 12;  // shifts with circuits, for paths of three
constexpr int kRelaid = 2;               // times every unit is placed again
constexpr double kNoPath = 1e6;          // circuits that a byte without a path counts as

double eighth(double load) {
  load *= load;
  load *= load;
  return load * load;
}

// The steps of rings that have circuits of their own, or step 1 over the circuits of others.
std::vector<int> ring_steps(const ShiftKind& kind, const std::vector<ShiftCircuits>& circuits) {
  const int n = static_cast<int>(kind.shift_of.size());
  std::vector<int> steps;
  for (int step = 1; step < n; ++step) {
    if (std::gcd(step, n) != 1) continue;
    for (const ShiftCircuits& it : circuits) {
      if (it.shift != kind.shift_of[static_cast<std::size_t>(step)]) continue;
      steps.insert(steps.end(), static_cast<std::size_t>(it.count), step);
    }
  }
  return steps.empty() ? std::vector{1} : steps;
}

class ShiftBalance {
 public:
  ShiftBalance(const ShiftTraffic& traffic, const std::vector<ShiftCircuits>& circuits)
      : traffic_(traffic),
        circuits_(circuits),
        demand_at_(static_cast<std::size_t>(traffic.grid.devices()), -1),
        total_(traffic.kinds.size(), 0),
        load_(traffic.kinds.size() * circuits.size(), 0) {}

  ShiftRouting route() {
    ShiftRouting routing;
    for (std::size_t k = 0; k < traffic_.kinds.size(); ++k) routing.steps.push_back(add_kind(k));
    find_paths();
    for (Demand& it : demands_) {
      if (!it.paths.empty()) continue;
      Path path = shortest(it.shift);
      if (!path.empty()) it.paths.push_back(std::move(path));
    }
    balance();
    for (std::size_t k = 0; k < total_.size(); ++k)
      routing.turns += traffic_.kinds[k].weight * time_of(k);
    for (const Demand& it : demands_) {
      if (!it.paths.empty()) continue;
      routing.reaches_all = false;
      for (const KindBytes& kind : it.of) {
        routing.turns += kNoPath * total_[kind.kind] * kind.bytes * it.units;
      }
    }
    for (const Demand& it : demands_) routing.routes.push_back(route_of(it));
    std::sort(routing.routes.begin(), routing.routes.end(),
              [](const ShiftRoute& a, const ShiftRoute& b) { return a.shift < b.shift; });
    return routing;
  }

 private:
  using Path = std::vector<int>;  // indices of circuits

  struct KindBytes {
    std::size_t kind = 0;
    double bytes = 0;
  };
  struct Demand {
    int shift = 0;
    std::vector<KindBytes> of = {};
    std::vector<Path> paths = {};
    std::vector<int> taken = {};  // units per path
    int units = 4;
  };

  std::vector<int> add_kind(std::size_t k) {
    const ShiftKind& kind = traffic_.kinds[k];
    if (kind.shift_of.empty()) {
      const int units = units_for(kind.fixed.size());
      for (const ShiftBytes& it : kind.fixed) add(k, it.shift, it.bytes, units);
      return {};
    }
    std::vector<int> steps = ring_steps(kind, circuits_);
    const double each = kind.ring_bytes / static_cast<double>(steps.size());
    for (const int step : steps) {
      add(k, kind.shift_of[static_cast<std::size_t>(step)], each, units_for(steps.size()));
    }
    return steps;
  }

  static int units_for(std::size_t shifts) { return shifts <= 4 ? 16 : shifts <= 16 ? 8 : 4; }

  void add(std::size_t kind, int shift, double bytes, int units) {
    int& at = demand_at_[static_cast<std::size_t>(shift)];
    if (at < 0) {
      at = static_cast<int>(demands_.size());
      demands_.push_back({.shift = shift});
    }
    Demand& demand = demands_[static_cast<std::size_t>(at)];
    demand.units = std::max(demand.units, units);
    total_[kind] += bytes;
    if (demand.of.empty() || demand.of.back().kind != kind) demand.of.push_back({kind, 0});
    demand.of.back().bytes += bytes;
  }

  // Adds the path to the demand at its end, if there is one.
  void offer(int end, Path path) {
    const int at = demand_at_[static_cast<std::size_t>(end)];
    if (at < 0) return;
    std::vector<Path>& paths = demands_[static_cast<std::size_t>(at)].paths;
    if (paths.size() < kMaxPaths) paths.push_back(std::move(path));
  }

  // All paths of up to three circuits, the shortest first; the order of their circuits is free.
  void find_paths() {
    const int count = static_cast<int>(circuits_.size());
    for (int a = 0; a < count; ++a) offer(shift(a), {a});
    for (int a = 0; a < count; ++a) {
      for (int b = a; b < count; ++b) offer(grid().at(shift(a), shift(b)), {a, b});
    }
    if (circuits_.size() > kMaxTriples) return;
    for (int a = 0; a < count; ++a) {
      for (int b = a; b < count; ++b) {
        const int two = grid().at(shift(a), shift(b));
        for (int c = b; two != 0 && c < count; ++c) {
          if (grid().at(shift(b), shift(c)) == 0 || grid().at(shift(a), shift(c)) == 0) continue;
          offer(grid().at(two, shift(c)), {a, b, c});
        }
      }
    }
  }

  // A path of the fewest circuits; empty if there is none.
  Path shortest(int end) {
    if (over_.empty()) search();
    Path path;
    for (int at = end; at != 0;) {
      const int last = over_[static_cast<std::size_t>(at)];
      if (last < 0) return {};
      path.push_back(last);
      at = grid().shift(shift(last), at);
    }
    return path;
  }

  // Finds the last circuit on a shortest path to every shift.
  void search() {
    over_.assign(demand_at_.size(), -1);
    std::vector<int> open = {0};
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (std::size_t c = 0; c < circuits_.size(); ++c) {
        const int next = grid().at(open[i], circuits_[c].shift);
        if (next == 0 || over_[static_cast<std::size_t>(next)] >= 0) continue;
        over_[static_cast<std::size_t>(next)] = static_cast<int>(c);
        open.push_back(next);
      }
    }
  }

  void balance() {
    for (Demand& it : demands_) {
      it.taken.assign(it.paths.size(), 0);
      for (KindBytes& kind : it.of) kind.bytes /= total_[kind.kind] * it.units;
    }
    for (int round = 0; round <= kRelaid; ++round) {
      for (Demand& it : demands_) {
        const std::vector<int> before = it.taken;
        for (std::size_t p = 0; p < it.paths.size(); ++p) {
          for (int unit = 0; round > 0 && unit < before[p]; ++unit) {
            move(it, p, -1);
            lay(it);
          }
        }
        for (int unit = 0; round == 0 && unit < it.units; ++unit) lay(it);
      }
    }
  }

  void lay(Demand& it) {
    if (it.paths.empty()) return;
    std::size_t best = 0;
    double lowest = 0;
    for (std::size_t p = 0; p < it.paths.size() && it.paths.size() > 1; ++p) {
      const double cost = added_cost(it, it.paths[p]);
      if (p > 0 && cost >= lowest) continue;
      lowest = cost;
      best = p;
    }
    move(it, best, 1);
  }

  double added_cost(const Demand& it, const Path& path) const {
    double sum = 0;
    for (const KindBytes& kind : it.of) {
      double of_kind = 0;
      for (const int c : path) {
        const double load = load_[kind.kind * circuits_.size() + static_cast<std::size_t>(c)];
        of_kind += eighth(load + kind.bytes / count(c)) - eighth(load);
      }
      sum += total_[kind.kind] * of_kind;
    }
    return sum;
  }

  void move(Demand& it, std::size_t path, int units) {
    it.taken[path] += units;
    for (const KindBytes& kind : it.of) {
      for (const int c : it.paths[path]) {
        load_[kind.kind * circuits_.size() + static_cast<std::size_t>(c)] +=
            units * kind.bytes / count(c);
      }
    }
  }

  // Bytes on the busiest circuit, and a little for every circuit that bytes cross.
  double time_of(std::size_t kind) const {
    constexpr double kPerCircuit = 1e-3;
    double max = 0;
    double sum = 0;
    for (std::size_t c = 0; c < circuits_.size(); ++c) {
      const double load = load_[kind * circuits_.size() + c];
      max = std::max(max, load);
      sum += load;
    }
    return total_[kind] * (max + kPerCircuit * sum);
  }

  ShiftRoute route_of(const Demand& it) const {
    ShiftRoute route{it.shift, {}, it.units};
    for (std::size_t p = 0; p < it.paths.size(); ++p) {
      if (it.taken[p] == 0) continue;
      route.paths.push_back({{}, it.taken[p]});
      for (const int c : it.paths[p]) route.paths.back().over.push_back(shift(c));
    }
    return route;
  }

  const DeviceGrid& grid() const { return traffic_.grid; }
  int shift(int c) const { return circuits_[static_cast<std::size_t>(c)].shift; }
  int count(int c) const { return circuits_[static_cast<std::size_t>(c)].count; }

  const ShiftTraffic& traffic_;
  const std::vector<ShiftCircuits>& circuits_;
  std::vector<int> demand_at_;  // per shift: index of its demand, or -1
  std::vector<Demand> demands_;
  std::vector<double> total_;  // per kind
  std::vector<double> load_;   // per kind and circuit: share of the kind's bytes per circuit
  std::vector<int> over_;      // per shift: last circuit on a shortest path
};

}  // namespace

ShiftRouting route_shifts(const ShiftTraffic& traffic, const std::vector<ShiftCircuits>& circuits) {
  return ShiftBalance(traffic, circuits).route();
}

}  // namespace loom::fabric
