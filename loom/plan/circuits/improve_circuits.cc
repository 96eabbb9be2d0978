#include "loom/plan/circuits/improve_circuits.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "loom/simulate/engine.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

constexpr int kMaxPorts = 64;                  // of all devices together
constexpr std::size_t kMaxOperations = 1'000;  // so that a simulation takes at most milliseconds

// The device to which each device sends on a switch; a device that sends to itself has no circuit.
using Permutation = std::vector<int>;

// The circuits of each switch, with circuits for the ports that are free.
std::vector<Permutation> permutations_of(const fabric::Circuits& circuits, int devices,
                                         int switches) {
  const auto count = static_cast<std::size_t>(devices);
  std::vector<Permutation> all(static_cast<std::size_t>(switches), Permutation(count, -1));
  for (const fabric::Circuit& it : circuits) {
    all[static_cast<std::size_t>(it.plane)][static_cast<std::size_t>(it.from)] = it.to;
  }
  for (Permutation& it : all) {
    std::vector<bool> reached(count, false);
    for (const int to : it) {
      if (to >= 0) reached[static_cast<std::size_t>(to)] = true;
    }
    int next = 0;
    for (int& to : it) {
      if (to >= 0) continue;
      while (reached[static_cast<std::size_t>(next)]) ++next;
      to = next++;
    }
  }
  return all;
}

fabric::Circuits circuits_of(const std::vector<Permutation>& all) {
  fabric::Circuits circuits;
  for (std::size_t plane = 0; plane < all.size(); ++plane) {
    for (std::size_t from = 0; from < all[plane].size(); ++from) {
      if (all[plane][from] == static_cast<int>(from)) continue;
      circuits.push_back({.from = static_cast<int>(from),
                          .to = all[plane][from],
                          .plane = static_cast<int>(plane)});
    }
  }
  std::sort(circuits.begin(), circuits.end());
  return circuits;
}

class Exchanges {
 public:
  Exchanges(const fabric::CircuitFabric& fabric, const workload::Workload& workload, int& budget)
      : fabric_(fabric), workload_(workload), demand_(demand_of(workload)), budget_(budget) {}

  // The time on these circuits; kForever if some pair has no path.
  Duration time(const std::vector<Permutation>& all) {
    --budget_;
    network_ = circuit_network(fabric_, by_pair(circuits_of(all)));
    for (const workload::PairDemand& it : demand_) {
      fabric::Route route;
      if (!network_.router->find(DeviceId(it.from), DeviceId(it.to), 0, {}, route)) return kForever;
    }
    return simulate::simulate_coarse(workload_, network_, {}).completion_time;
  }

  bool within_budget() const { return budget_ > 0; }
  const fabric::Network& network() const { return network_; }

 private:
  const fabric::CircuitFabric& fabric_;
  const workload::Workload& workload_;
  const workload::Demand demand_;
  fabric::Network network_;
  int& budget_;
};

// Makes the first exchange that is faster; returns whether there is one.
bool exchange(Exchanges& exchanges, std::vector<Permutation>& all, Duration& best) {
  for (Permutation& it : all) {
    for (std::size_t a = 0; a < it.size(); ++a) {
      for (std::size_t b = 0; b < a && exchanges.within_budget(); ++b) {
        std::swap(it[a], it[b]);
        const Duration time = exchanges.time(all);
        if (time < best) {
          best = time;
          return true;
        }
        std::swap(it[a], it[b]);
      }
    }
  }
  return false;
}

}  // namespace

Duration improve_circuits(const fabric::CircuitFabric& fabric, const workload::Workload& workload,
                          Duration time, int& budget, CircuitLayout& layout) {
  const auto* ocs = std::get_if<fabric::OcsLimits>(&fabric.limits);
  const bool small = ocs != nullptr && ocs->wiring.empty() &&
                     ocs->devices * ocs->switches <= kMaxPorts &&
                     workload.operations.size() <= kMaxOperations;
  if (!small || layout.infeasible || !fabric.forwarding || fabric.packets || budget <= 0) {
    return time;
  }
  Exchanges exchanges(fabric, workload, budget);
  std::vector<Permutation> all =
      permutations_of(layout.provisioned.circuits, ocs->devices, ocs->switches);
  Duration best = std::min(time, exchanges.time(all));
  while (exchange(exchanges, all, best)) {
  }
  if (best >= time) return time;
  exchanges.time(all);
  layout.network = std::make_shared<fabric::Network>(exchanges.network());
  layout.provisioned.circuits = circuits_of(all);
  layout.provisioned.ring_ports = -1;
  rate_for(demand_of(workload), fabric, layout.provisioned);
  return best;
}

}  // namespace loom::plan
