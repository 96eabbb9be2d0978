#include "loom/fabric/circuits/provision/ocs_max_min.h"

#include <algorithm>

#include "loom/fabric/circuits/provision/edge_coloring.h"
#include "loom/fabric/circuits/provision/filling.h"
#include "loom/fabric/circuits/provision/ocs_ports.h"

namespace loom::fabric {
namespace {

// Gives each pair one circuit, largest pair first, and then applies progressive filling. `counts`
// holds the circuits that pairs already have; a pair may have at most `limit(pair)`. Returns the
// first pair that could not be raised.
template <class Ports, class Limit>
int serve(const workload::Demand& demand, int devices, Ports& ports, std::vector<int>& counts,
          Limit limit) {
  const auto take = [&](int pair) {
    return counts[pair] < limit(pair) && ports.take(demand[pair].from, demand[pair].to);
  };
  for (const int pair : largest_first(demand, devices)) {
    if (counts[pair] == 0 && take(pair)) counts[pair] = 1;
  }
  return raise_worst(demand, counts, take);
}

// Connects every device i to device i + 1 on the last switch. If the demand contains such a pair,
// this circuit is the pair's first.
void connect_neighbors(const OcsLimits& limits, const workload::Demand& demand,
                       std::vector<int>& counts, Circuits& circuits) {
  for (int device = 0; device < limits.devices; ++device) {
    const int next = (device + 1) % limits.devices;
    circuits.push_back({.from = device, .to = next, .plane = limits.switches - 1});
  }
  for (std::size_t i = 0; i < demand.size(); ++i) {
    if (demand[i].to == (demand[i].from + 1) % limits.devices) counts[i] = 1;
  }
}

// Assigns circuits to switches. `kept` is the number of circuits in `counts` that are on the last
// switch already.
Circuits on_switches(int devices, int switches, const workload::Demand& demand,
                     const std::vector<int>& counts, const std::vector<int>& kept) {
  std::vector<BipartiteEdge> edges;
  for (std::size_t i = 0; i < demand.size(); ++i) {
    edges.insert(edges.end(), static_cast<std::size_t>(counts[i] - kept[i]),
                 BipartiteEdge{.left = demand[i].from, .right = demand[i].to});
  }
  const std::vector<int> planes = color_edges(devices, switches, edges);
  Circuits circuits;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    circuits.push_back({.from = edges[i].left, .to = edges[i].right, .plane = planes[i]});
  }
  return circuits;
}

Provisioned finished(const workload::Demand& demand, const std::vector<int>& counts,
                     Circuits circuits, double bound) {
  Provisioned result;
  std::sort(circuits.begin(), circuits.end());
  result.circuits = std::move(circuits);
  result.rate = worst_share(demand, counts);
  result.bound = bound;
  result.unserved = without_circuit(demand, counts);
  return result;
}

Provisioned with_full_wiring(const OcsLimits& limits, const workload::Demand& demand,
                             bool connect) {
  OcsLimits left = limits;
  std::vector<int> counts(demand.size(), 0);
  Circuits neighbors;
  if (connect) {
    connect_neighbors(limits, demand, counts, neighbors);
    --left.switches;
  }
  const std::vector<int> kept = counts;
  PortCounts ports(left);
  serve(demand, limits.devices, ports, counts, [&](int) { return left.switches; });
  Circuits circuits = on_switches(limits.devices, left.switches, demand, counts, kept);
  circuits.insert(circuits.end(), neighbors.begin(), neighbors.end());
  // Exact: if every pair has a circuit, filling ends at the optimum; otherwise the optimum is 0.
  return finished(demand, counts, std::move(circuits), worst_share(demand, counts));
}

Provisioned with_partial_wiring(const OcsLimits& limits, const workload::Demand& demand,
                                bool connect) {
  std::vector<int> counts(demand.size(), 0);
  WiredPorts ports(limits);
  for (int device = 0; connect && device < limits.devices; ++device) {
    const int next = (device + 1) % limits.devices;
    if (!ports.take(device, next)) continue;
    const workload::PairDemand key{.from = device, .to = next, .bytes = {}};
    const auto at = std::lower_bound(demand.begin(), demand.end(), key);
    if (at != demand.end() && at->from == device && at->to == next) {
      counts[static_cast<std::size_t>(at - demand.begin())] = 1;
    }
  }
  serve(demand, limits.devices, ports, counts, [&](int) { return limits.switches; });
  return finished(demand, counts, ports.circuits(), max_min_bound(limits, demand));
}

}  // namespace

double max_min_bound(const OcsLimits& limits, const workload::Demand& demand) {
  PortCounts ports(limits);
  const WiredPorts wiring(limits);
  std::vector<int> counts(demand.size(), 0);
  serve(demand, limits.devices, ports, counts, [&](int pair) {
    return limits.wiring.empty() ? limits.switches
                                 : wiring.common_switches(demand[pair].from, demand[pair].to);
  });
  return worst_share(demand, counts);
}

Provisioned provision_max_min(const OcsLimits& limits, const workload::Demand& demand,
                              bool connect) {
  const auto found = limits.wiring.empty() ? with_full_wiring : with_partial_wiring;
  Provisioned result = found(limits, demand, false);
  if (!connect || result.unserved.empty() || limits.devices < 2) return result;
  return found(limits, demand, true);
}

}  // namespace loom::fabric
