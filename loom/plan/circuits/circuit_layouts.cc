#include "loom/plan/circuits/circuit_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "loom/base/random.h"
#include "loom/fabric/circuits/topology_network.h"
#include "loom/plan/circuits/provision_demand.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/plan/rank_bound.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

std::uint64_t hash_of(const workload::Demand& demand) {
  std::uint64_t hash = demand.size();
  for (const workload::PairDemand& it : demand) {
    hash = mix(mix(hash, static_cast<std::uint64_t>(it.bytes.count)),
               mix(static_cast<std::uint64_t>(it.from), static_cast<std::uint64_t>(it.to)));
  }
  return hash;
}

std::uint64_t hash_of(const fabric::TopologyDemand& demand) {
  std::uint64_t hash = hash_of(demand.pairs);
  for (const fabric::AllReduceGroup& it : demand.groups) {
    hash = mix(hash, static_cast<std::uint64_t>(it.bytes.count));
    hash = mix(hash, static_cast<std::uint64_t>(it.equivalence_class));
    for (const int member : it.members) hash = mix(hash, static_cast<std::uint64_t>(member));
  }
  return hash;
}

// The demand with the bytes of each pair raised to a power, scaled so that the largest stay.
workload::Demand to_the(double power, workload::Demand demand) {
  Bytes largest{1};
  for (const workload::PairDemand& it : demand) largest = std::max(largest, it.bytes);
  const auto whole = static_cast<double>(largest.count);
  for (workload::PairDemand& it : demand) {
    const double share = std::pow(static_cast<double>(it.bytes.count) / whole, power);
    it.bytes = Bytes{std::max<std::int64_t>(1, std::llround(share * whole))};
  }
  return demand;
}

// States how well circuits that were chosen for other bytes serve this demand.
void rate_by(const workload::Demand& demand, double bound, fabric::Provisioned& provisioned) {
  std::map<std::pair<int, int>, int> counts;
  for (const fabric::PairCircuits& it : by_pair(provisioned.circuits)) {
    counts[{it.from, it.to}] = it.count;
  }
  provisioned.bound = bound;
  provisioned.rate = std::numeric_limits<double>::infinity();
  provisioned.unserved.clear();
  for (const workload::PairDemand& it : demand) {
    const auto found = counts.find({it.from, it.to});
    const int count = found == counts.end() ? 0 : found->second;
    provisioned.rate = std::min(provisioned.rate, count / static_cast<double>(it.bytes.count));
    if (count == 0) provisioned.unserved.push_back(it);
  }
}

std::shared_ptr<const CircuitLayout> layout_of(fabric::CircuitSetup setup,
                                               const workload::Demand& demand) {
  CircuitLayout layout{std::make_shared<fabric::Network>(std::move(setup.network)),
                       std::move(setup.provisioned), std::move(setup.infeasible)};
  if (!layout.infeasible) layout.busiest = busiest_link_bound(*layout.network, demand);
  return std::make_shared<const CircuitLayout>(std::move(layout));
}

// A topology takes milliseconds up to the first number of devices, and seconds beyond the last.
constexpr int kFewDevices = 128;
constexpr int kSomeDevices = 256;
constexpr int kManyDevices = 1024;

// Numbers of ports for rings to try, out of `degree`; the rest is for pairs.
std::vector<int> splits(const fabric::TopologyDemand& demand, int degree, LayoutEffort effort) {
  constexpr int kMax = 16;
  if (demand.groups.empty()) return {0};
  if (demand.pairs.empty()) return {degree};
  std::set<int> ports = {fabric::all_reduce_degree_by_rule(demand, degree)};
  const bool all = effort == LayoutEffort::thorough && demand.devices <= kFewDevices;
  for (int i = 0; all && i <= std::min(degree, kMax); ++i) {
    ports.insert(degree <= kMax ? i : i * degree / kMax);
  }
  return {ports.begin(), ports.end()};
}

}  // namespace

CircuitLayouts::List CircuitLayouts::of(const workload::Workload& workload) const {
  List all = *for_demand(demand_of(workload));
  const int max_devices = effort_ == LayoutEffort::quick ? kSomeDevices : kManyDevices;
  if (fabric_.finder && fabric_.devices() <= max_devices) {
    MutableTraffic traffic = mutable_traffic(workload);
    traffic.demand.devices = fabric_.devices();
    const auto more = for_rings(traffic.demand);
    all.insert(all.end(), more->begin(), more->end());
  }
  const auto carries = [](const auto& it) { return !it->infeasible; };
  if (std::none_of(all.begin(), all.end(), carries)) return {all.front()};
  std::erase_if(all, [&](const auto& it) { return !carries(it); });
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->busiest < b->busiest; });
  return all;
}

std::shared_ptr<const CircuitLayouts::List> CircuitLayouts::for_demand(
    const workload::Demand& demand) const {
  return for_demand_.answer(hash_of(demand), [&] {
    List list;
    fabric::CircuitSetup setup = provision_demand(fabric_, demand);
    if (!fabric_.forwarding && !fabric_.packets && !setup.infeasible &&
        !setup.provisioned.unserved.empty()) {
      const workload::PairDemand& pair = setup.provisioned.unserved.front();
      setup.infeasible =
          Infeasible{fmt::format("no circuit is left for {} -> {}", pair.from, pair.to)};
    }
    const bool only_one = setup.infeasible || fabric_.packets || effort_ == LayoutEffort::quick ||
                          fabric_.devices() > kManyDevices;
    list.push_back(layout_of(std::move(setup), demand));
    if (only_one) return list;
    for (const double power : {0.75, 0.5, 0.25}) {
      fabric::CircuitSetup other = provision_demand(fabric_, to_the(power, demand));
      if (other.infeasible) continue;
      rate_by(demand, list.front()->provisioned.bound, other.provisioned);
      list.push_back(layout_of(std::move(other), demand));
    }
    return list;
  });
}

std::shared_ptr<const CircuitLayouts::List> CircuitLayouts::for_rings(
    const fabric::TopologyDemand& demand) const {
  return for_rings_.answer(hash_of(demand), [&] {
    List list;
    fabric::CircuitFabric by_finder = fabric_;
    by_finder.topology = fabric_.finder;
    by_finder.topology->sweep = false;
    fabric::TopologyOptions& options = by_finder.topology->options;
    for (const int split : splits(demand, options.degree, effort_)) {
      options.all_reduce_degree = split;
      fabric::TopologySetup found = fabric::provision_topology(by_finder, demand);
      const workload::Demand sent = fabric::demand_over(demand, found.topology.rings);
      CircuitLayout layout = *layout_of(std::move(found.setup), sent);
      layout.rings = std::move(found.topology.rings);
      list.push_back(std::make_shared<const CircuitLayout>(std::move(layout)));
    }
    return list;
  });
}

workload::Workload on_layout(workload::Workload workload, const CircuitLayout& layout) {
  if (!layout.rings.empty()) put_on_rings(mutable_traffic(workload), layout.rings, workload);
  return workload;
}

}  // namespace loom::plan
