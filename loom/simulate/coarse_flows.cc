#include "loom/simulate/coarse_flows.h"

#include <algorithm>
#include <cmath>

#include "loom/simulate/engine.h"
#include "loom/simulate/symmetry/label_table.h"

namespace loom::simulate {
namespace {

Duration scaled(Duration time, double factor) {
  return Duration(std::llround(static_cast<double>(time.count()) * factor));
}

}  // namespace

WorkloadFlows::WorkloadFlows(const workload::Workload& workload, const fabric::Network& network,
                             IsolatedTimes& isolated, bool together)
    : workload_(workload), network_(network), isolated_(isolated), together_(together) {
  for (OperationId o(0); o < workload.operations.size(); ++o) {
    const workload::Operation& it = workload.operations[o];
    of_operation_.push_back(-1);
    if (it.kind == workload::OperationKind::message) add_message(o);
    if (it.kind == workload::OperationKind::collective) add_collective(o);
  }
  find_links();
}

void WorkloadFlows::add_message(OperationId o) {
  const workload::Operation& it = workload_.operations[o];
  const fabric::Route route = route_between(network_, DeviceId(it.source), DeviceId(it.destination),
                                            flow_key(o), it.size.count == 0);
  of_operation_.back() = static_cast<int>(flows_.size());
  OperationFlows& made = flows_.emplace_back();
  PhaseFlow& flow = made.phases.emplace_back();
  flow.latency = route.latency;
  flow.busy = uncontended_time(network_, route, it.size) - route.latency;
  flow.stream = it.size;
  flow.size = it.size;
  for (const fabric::Hop& hop : route.hops) {
    if (it.size.count == 0) continue;
    const Int128 load = Int128{it.size.count} * hop.share;
    flow.loads.emplace_back(hop.link, load);
    const Bandwidth bandwidth = network_.links[static_cast<std::size_t>(hop.link)].bandwidth;
    flow.slowest = std::max(flow.slowest, load_time(load, bandwidth));
  }
  made.messages = 1;
  made.bytes = it.size.count;
}

// If routes are hashed, each operation has its own. The first few operations with the same
// collective are then a sample of routes, which all later ones use in turn.
void WorkloadFlows::add_collective(OperationId o) {
  constexpr int kSamples = 16;
  const workload::Operation& it = workload_.operations[o];
  const int use = uses_[{it.collective, it.groups}]++;
  const int sample = network_.router->hashes() ? use % kSamples : 0;
  const auto [at, first] =
      known_.try_emplace({it.collective, it.groups, sample}, static_cast<int>(flows_.size()));
  of_operation_.back() = at->second;
  if (!first) return;
  const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
  if (together_) {
    flows_.push_back(collective_flows(o, groups));
    return;
  }
  for (int group = 0; group < groups.count(); ++group) {
    const auto begin = groups.members.begin() + std::ptrdiff_t{group} * groups.size;
    flows_.push_back(collective_flows(o, {groups.size, {begin, begin + groups.size}}));
  }
}

OperationFlows WorkloadFlows::collective_flows(OperationId o, const workload::Groups& groups) {
  const workload::Operation& it = workload_.operations[o];
  const workload::Collective& collective =
      workload_.collectives[static_cast<std::size_t>(it.collective)];
  const auto exchange = even_exchange(collective, groups.size);
  const bool needs_links = exchange && (total_bytes(*exchange).count > 0 || !network_.out_of_band);
  OperationFlows made;
  std::vector<PhaseEstimate> estimates;
  if (needs_links && !network_.router->hashes()) {
    const std::int64_t pairs = std::int64_t{groups.size} * (groups.size - 1) * groups.count();
    estimates = estimate_exchange(*exchange, isolated_.exchange(groups), network_);
    made.messages = message_count(*exchange) * pairs;
    made.bytes = Int128{total_bytes(*exchange).count} * pairs;
  } else {
    const workload::Schedule steps = schedule(collective, groups.size);
    estimates = estimate_phases(steps, groups, network_, o);
    made.messages = message_count(steps) * groups.count();
    made.bytes = Int128{total_bytes(steps).count} * groups.count();
  }
  for (PhaseEstimate& estimate : estimates) {
    made.phases.push_back({.latency = estimate.latency,
                           .busy = estimate.time - estimate.latency,
                           .slowest = estimate.slowest,
                           .stream = estimate.stream,
                           .size = estimate.stream,
                           .loads = std::move(estimate.loads)});
  }
  fit(o, collective, groups, made);
  return made;
}

// Stretches or shortens the phases so that the isolated collective takes the time that the fluid
// engine finds: transfers are stretched; waiting is shortened, then, because phases overlap, also
// the transfer on the busiest link. The closed form of a ring and of a single message is exact.
// Where routes are hashed, it is known for those of the first operation of a workload.
void WorkloadFlows::fit(OperationId o, const workload::Collective& collective,
                        const workload::Groups& groups, OperationFlows& flows) {
  const bool exact = collective.kind == workload::CollectiveKind::point_to_point ||
                     (collective.algorithm == workload::Algorithm::ring &&
                      collective.kind != workload::CollectiveKind::broadcast);
  if ((exact && !network_.grants) || groups.size < 2) return;
  if (network_.router->hashes() && o > 0) return;
  const std::optional<Duration> time = isolated_.of(collective, groups);
  if (!time) return;
  Duration busy{0};
  Duration slowest{0};
  Duration all{0};
  for (const PhaseFlow& it : flows.phases) {
    busy = add(busy, it.busy);
    slowest = add(slowest, it.slowest);
    all = add(all, add(it.latency, it.busy));
  }
  if (*time > all && busy.count() > 0) {
    const double factor = 1 + seconds(*time - all) / seconds(busy);
    for (PhaseFlow& it : flows.phases) it.busy = scaled(it.busy, factor);
  } else if (*time < all) {
    const double factor = std::max(0.0, seconds(*time - slowest) / seconds(all - slowest));
    const double overlap = *time < slowest ? seconds(*time) / seconds(slowest) : 1;
    for (PhaseFlow& it : flows.phases) {
      it.latency = scaled(it.latency, factor);
      it.busy = scaled(add(it.slowest, scaled(it.busy - it.slowest, factor)), overlap);
      it.size.count = std::llround(static_cast<double>(it.size.count) * overlap);
    }
  }
}

// Links of equal bandwidth that every flow loads equally form a class.
void WorkloadFlows::find_links() {
  std::vector<std::uint64_t> labels;
  for (const fabric::Link& link : network_.links) {
    labels.push_back(static_cast<std::uint64_t>(link.bandwidth.bits_per_second));
  }
  std::uint64_t number = 0;
  for (const OperationFlows& made : flows_) {
    for (const PhaseFlow& flow : made.phases) {
      ++number;
      for (const auto& [link, load] : flow.loads) {
        labels[static_cast<std::size_t>(link)] +=
            mix(number, mix_all(static_cast<std::uint64_t>(load), load >> 64));
      }
    }
  }
  LabelTable table;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    classes_.push_back(table.number(labels[l]));
    if (table.size() > static_cast<int>(links_.size())) links_.push_back(network_.links[l]);
  }
  std::vector<std::uint64_t> seen(links_.size(), 0);  // per class: number of the last flow
  number = 0;
  for (OperationFlows& made : flows_) {
    for (PhaseFlow& flow : made.phases) add_hops(++number, seen, flow);
  }
}

// Replaces links by their classes.
void WorkloadFlows::add_hops(std::uint64_t number, std::vector<std::uint64_t>& seen,
                             PhaseFlow& flow) const {
  std::vector<std::pair<LinkId, Int128>> loads;
  for (const auto& [link, load] : flow.loads) {
    const int it = classes_[static_cast<std::size_t>(link)];
    if (std::exchange(seen[static_cast<std::size_t>(it)], number) == number) continue;
    loads.emplace_back(it, load);
    const auto share = static_cast<std::uint64_t>(load / flow.stream.count);
    flow.hops.push_back({LinkId(it), std::max<std::uint64_t>(share, 1)});
  }
  flow.loads = std::move(loads);
  constexpr std::int64_t kSlack = 1'000;
  if (flow.hops.empty() || flow.busy <= flow.slowest + flow.slowest / kSlack) return;
  const Int128 bits = Int128{flow.stream.count} * 8 * kPicosecondsPerSecond;
  flow.pace = {static_cast<std::int64_t>(bits / flow.busy.count()) + 1};
}

}  // namespace loom::simulate
