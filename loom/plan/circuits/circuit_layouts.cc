#include "loom/plan/circuits/circuit_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/ocs_max_min.h"
#include "loom/fabric/circuits/provision/ring_max_min.h"
#include "loom/fabric/circuits/topology_network.h"
#include "loom/plan/circuits/provision_demand.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/plan/circuits/shift_layout.h"
#include "loom/plan/circuits/turns.h"
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

CircuitLayout layout_of(fabric::CircuitSetup setup, const workload::Demand& demand) {
  CircuitLayout layout{std::make_shared<fabric::Network>(std::move(setup.network)),
                       std::move(setup.provisioned), std::move(setup.infeasible)};
  if (!layout.infeasible) layout.busiest = busiest_link_bound(*layout.network, demand);
  return layout;
}

void add_all(const CircuitLayouts::List& more, CircuitLayouts::List& all) {
  all.insert(all.end(), more.begin(), more.end());
}

// The bytes that an operation sends, or in proportion to them.
double bytes_of(const workload::Workload& workload, const workload::Operation& it) {
  if (it.kind == workload::OperationKind::message) return static_cast<double>(it.size.count);
  const auto& collective = workload.collectives[static_cast<std::size_t>(it.collective)];
  const auto& groups = workload.groups[static_cast<std::size_t>(it.groups)];
  const int passes = collective.kind == workload::CollectiveKind::all_reduce ? 2 : 1;
  return static_cast<double>(collective.size.count) * passes *
         static_cast<double>(groups.members.size());
}

// The workload with other sizes: each kind of communication has its number of bytes raised to a
// power, scaled so that the largest keeps its bytes. Collectives of one kind and number of ranks
// are one kind of communication, and so are all messages.
workload::Workload shares_of(workload::Workload workload, double power) {
  using Kind = std::pair<workload::CollectiveKind, int>;
  constexpr Kind kMessages{workload::CollectiveKind::point_to_point, 0};
  std::map<Kind, double> bytes;
  std::vector<Kind> kind_of(workload.collectives.size(), kMessages);
  for (const workload::Operation& it : workload.operations) {
    if (it.kind == workload::OperationKind::compute) continue;
    Kind kind = kMessages;
    if (it.kind == workload::OperationKind::collective) {
      const auto c = static_cast<std::size_t>(it.collective);
      kind = {workload.collectives[c].kind,
              workload.groups[static_cast<std::size_t>(it.groups)].size};
      kind_of[c] = kind;
    }
    bytes[kind] += bytes_of(workload, it);
  }
  double largest = 1;
  for (const auto& it : bytes) largest = std::max(largest, it.second);
  const auto scaled = [&](Bytes size, Kind kind) {
    const double factor = std::pow(std::max(1.0, bytes.at(kind)) / largest, power - 1);
    return Bytes{std::llround(static_cast<double>(size.count) * factor)};
  };
  for (std::size_t c = 0; c < workload.collectives.size(); ++c) {
    workload::Collective& it = workload.collectives[c];
    if (!bytes.contains(kind_of[c])) continue;
    it.size = scaled(it.size, kind_of[c]);
    if (it.sizes.empty()) continue;
    it.size = Bytes{0};
    for (Bytes& size : it.sizes) it.size += size = scaled(size, kind_of[c]);
  }
  for (workload::Operation& it : workload.operations) {
    if (it.kind == workload::OperationKind::message) it.size = scaled(it.size, kMessages);
  }
  return workload;
}

// A topology takes milliseconds up to the first number of devices, and tenths of a second beyond
// the second.
constexpr int kFewDevices = 128;
constexpr int kSomeDevices = 256;

// Numbers of ports for rings to try, out of `degree`: all, or that of the published rule. The rest
// is for pairs.
std::vector<int> splits(const fabric::TopologyDemand& demand, int degree, bool all) {
  constexpr int kMax = 16;
  if (demand.groups.empty()) return {0};
  if (demand.pairs.empty()) return {degree};
  std::set<int> ports = {fabric::all_reduce_degree_by_rule(demand, degree)};
  for (int i = 0; all && i <= std::min(degree, kMax); ++i) {
    ports.insert(degree <= kMax ? i : i * degree / kMax);
  }
  return {ports.begin(), ports.end()};
}

// Numbers of sets of circuits at shifts to compare: one takes about 30 us.
constexpr int kQuickTrials = 700;
constexpr int kThoroughTrials = 4'000;

// Those that are worth a simulation, out of many: the best if kinds of communication take turns,
// and the best if all are active at once.
constexpr std::size_t kInTurns = 3;
constexpr std::size_t kAtOnce = 2;

CircuitLayouts::List promising_layouts(const workload::Workload& workload,
                                       CircuitLayouts::List all) {
  if (all.size() <= kInTurns) return all;
  using Entry = std::pair<Duration, std::shared_ptr<const CircuitLayout>>;
  std::vector<Entry> turns;
  for (const auto& it : all) {
    turns.emplace_back(time_in_turns(on_layout(workload, *it), *it->network), it);
  }
  const auto sooner = [](const Entry& a, const Entry& b) { return a.first < b.first; };
  std::stable_sort(turns.begin(), turns.end(), sooner);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->busiest < b->busiest; });
  CircuitLayouts::List kept;
  for (const Entry& it : turns) {
    const auto at = std::find(all.begin(), all.end(), it.second) - all.begin();
    if (kept.size() < kInTurns || at < static_cast<std::ptrdiff_t>(kAtOnce))
      kept.push_back(it.second);
  }
  return kept;
}

}  // namespace

void rate_for(const workload::Demand& demand, const fabric::CircuitFabric& fabric,
              fabric::Provisioned& provisioned) {
  std::map<std::pair<int, int>, int> counts;
  for (const fabric::PairCircuits& it : by_pair(provisioned.circuits)) {
    counts[{it.from, it.to}] = it.count;
  }
  provisioned.bound = std::visit(
      [&](const auto& limits) { return fabric::max_min_bound(limits, demand); }, fabric.limits);
  provisioned.rate = std::numeric_limits<double>::infinity();
  provisioned.unserved.clear();
  for (const workload::PairDemand& it : demand) {
    const auto found = counts.find({it.from, it.to});
    const int count = found == counts.end() ? 0 : found->second;
    provisioned.rate = std::min(provisioned.rate, count / static_cast<double>(it.bytes.count));
    if (count == 0) provisioned.unserved.push_back(it);
  }
}

CircuitLayouts::List CircuitLayouts::of(const workload::Workload& workload) const {
  const bool thorough = effort_ == LayoutEffort::thorough && fabric_.best_of_all &&
                        !fabric_.packets && fabric_.devices() <= fabric::kMaxFinderDevices;
  const bool rings =
      fabric_.finder && fabric_.devices() <= (thorough ? fabric::kMaxFinderDevices : kSomeDevices);
  const workload::Demand demand = demand_of(workload);
  const fabric::TopologyDemand traffic =
      rings ? topology_demand(workload) : fabric::TopologyDemand{};
  List all = {for_demand(demand, demand)};
  List routed;  // over balanced routes, which take long to simulate
  if (rings) add_all(*for_rings(traffic, traffic), routed);
  for (const double power : {0.75, 0.5, 0.25}) {
    if (!thorough || all.front()->infeasible) break;
    all.push_back(for_demand(demand, to_the(power, demand)));
    const workload::Workload shares = shares_of(workload, power);
    all.push_back(for_demand(demand, demand_of(shares)));
    if (rings) add_all(*for_rings(traffic, topology_demand(shares)), routed);
  }
  if (fabric_.finder) add_all(for_shifts(workload), routed);
  const auto carries = [](const auto& it) { return !it->infeasible; };
  std::erase_if(routed, [&](const auto& it) { return !carries(it); });
  add_all(promising_layouts(workload, std::move(routed)), all);
  if (std::none_of(all.begin(), all.end(), carries)) return {all.front()};
  std::erase_if(all, [&](const auto& it) { return !carries(it); });
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a->busiest < b->busiest; });
  return all;
}

fabric::TopologyDemand CircuitLayouts::topology_demand(const workload::Workload& workload) const {
  MutableTraffic traffic = mutable_traffic(workload);
  traffic.demand.devices = fabric_.devices();
  return traffic.demand;
}

CircuitLayouts::List CircuitLayouts::for_shifts(const workload::Workload& workload) const {
  const bool quick = effort_ == LayoutEffort::quick;
  std::optional<GridTraffic> traffic = traffic_on_grid(workload, fabric_.devices());
  if (!traffic) return {};
  return *for_shifts_.answer(hash_of(*traffic), [&] {
    List list;
    for (const double power : {1.0, 0.5}) {
      if (quick && power < 1) break;
      weigh_kinds(power, *traffic);
      list.push_back(std::make_shared<const CircuitLayout>(
          shift_layout(fabric_, *traffic, quick ? kQuickTrials : kThoroughTrials)));
    }
    return list;
  });
}

std::shared_ptr<const CircuitLayout> CircuitLayouts::for_demand(
    const workload::Demand& demand, const workload::Demand& shares) const {
  return for_demand_.answer(mix(hash_of(demand), hash_of(shares)), [&] {
    fabric::CircuitSetup setup = provision_demand(
        fabric_, shares,
        effort_ == LayoutEffort::quick ? Compare::by_busiest_link : Compare::by_simulation);
    if (!fabric_.forwarding && !fabric_.packets && !setup.infeasible &&
        !setup.provisioned.unserved.empty()) {
      const workload::PairDemand& pair = setup.provisioned.unserved.front();
      setup.infeasible =
          Infeasible{fmt::format("no circuit is left for {} -> {}", pair.from, pair.to)};
    }
    if (shares != demand) rate_for(demand, fabric_, setup.provisioned);
    return layout_of(std::move(setup), demand);
  });
}

std::shared_ptr<const CircuitLayouts::List> CircuitLayouts::for_rings(
    const fabric::TopologyDemand& demand, const fabric::TopologyDemand& shares) const {
  return for_rings_.answer(mix(hash_of(demand), hash_of(shares)), [&] {
    List list;
    fabric::CircuitFabric by_finder = fabric_;
    by_finder.topology = fabric_.finder;
    fabric::TopologyOptions& options = by_finder.topology->options;
    const bool all = effort_ == LayoutEffort::thorough && demand.devices <= kFewDevices;
    for (const int split : splits(shares, options.degree, all && &demand == &shares)) {
      options.all_reduce_degree = split;
      fabric::TopologySetup found = fabric::provision_topology(by_finder, demand, shares);
      const workload::Demand sent = fabric::demand_over(demand, found.topology.rings);
      CircuitLayout layout = layout_of(std::move(found.setup), sent);
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
