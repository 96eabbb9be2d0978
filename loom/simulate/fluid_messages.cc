// Message life cycle in the fluid engine: release, latency, queueing on the channel, transfer,
// delivery; and the deadlock report when nothing moves any more.
#include <fmt/format.h>

#include <algorithm>

#include "loom/base/error.h"
#include "loom/simulate/fluid.h"

namespace loom::simulate {

Fluid::Ends Fluid::ends_of(const Owner& owner) const {
  const workload::Operation& operation = workload_.operations[owner.operation];
  if (owner.run < 0) return {DeviceId(operation.source), DeviceId(operation.destination)};
  const Run& run = *runs_[static_cast<std::size_t>(owner.run)];
  const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(operation.groups)];
  const workload::Channel& channel = run.state.phase(owner.channel.phase)
                                         .channels[static_cast<std::size_t>(owner.channel.channel)];
  return {groups.device(run.group, channel.source), groups.device(run.group, channel.destination)};
}

Bytes Fluid::size_of(const Owner& owner) const {
  if (owner.run < 0) return workload_.operations[owner.operation].size;
  const CollectiveRun& state = runs_[static_cast<std::size_t>(owner.run)]->state;
  return state.phase(owner.channel.phase)
      .size(owner.channel.channel, state.messages_done(owner.channel));
}

int Fluid::weight_of(const Owner& owner) {
  const int weight = sharing_weight(options_.sharing, workload_.operations[owner.operation].weight);
  return weight * (owner.run < 0 ? streams_.whole() : lane(owner).weight);
}

bool Fluid::find_route(const Owner& owner, fabric::Route& route) const {
  if (owner.run >= 0) {
    const auto& phases = runs_[static_cast<std::size_t>(owner.run)]->state.plan().phases;
    const auto& known = phases[static_cast<std::size_t>(owner.channel.phase)].routes;
    if (!known.empty()) {
      route = known[static_cast<std::size_t>(owner.channel.channel)];
      return true;
    }
  }
  const Ends ends = ends_of(owner);
  const std::uint64_t key = flow_key(owner.operation, owner.channel.phase, owner.channel.channel);
  return network_.router->find(ends.source, ends.destination, key, down_, route) ||
         (carries_nothing(owner) && find_out_of_band(network_, route));
}

// The bandwidth of the link by which the message leaves its source. A folded route has lost the
// order of its links.
Bandwidth Fluid::first_link_of(const Owner& owner, const fabric::Route& route) const {
  const auto& phases = runs_[static_cast<std::size_t>(owner.run)]->state.plan().phases;
  const auto& known = phases[static_cast<std::size_t>(owner.channel.phase)].first_links;
  if (!known.empty()) return known[static_cast<std::size_t>(owner.channel.channel)];
  return network_.links[static_cast<std::size_t>(route.hops.front().link)].bandwidth;
}

// True if the message has no bytes; for a channel, if none of its messages has, because they share
// a route.
bool Fluid::carries_nothing(const Owner& owner) const {
  if (owner.run < 0) return size_of(owner).count == 0;
  const CollectiveRun& state = runs_[static_cast<std::size_t>(owner.run)]->state;
  return channel_bytes(state.phase(owner.channel.phase), owner.channel.channel) == 0;
}

// Finds the route of a channel once per set of available links; false if there is no route now.
bool Fluid::find_lane_route(const Owner& owner, Lane& lane) {
  if (lane.link_set == link_set_) return true;
  fabric::Route route;
  if (!find_route(owner, route)) return false;
  auto& hops = runs_[static_cast<std::size_t>(owner.run)]->hops;
  lane.first_hop = static_cast<std::uint32_t>(hops.size());
  lane.hop_count = static_cast<std::uint32_t>(route.hops.size());
  lane.latency = route.latency;
  lane.link_set = link_set_;
  if (!route.hops.empty()) {
    lane.weight =
        streams_.weight(owner.operation, owner.channel.phase, first_link_of(owner, route));
  }
  hops.insert(hops.end(), route.hops.begin(), route.hops.end());
  return true;
}

// Time at which the message left its source. A message of a channel leaves one latency before its
// transfer starts, right after its predecessor, but not before it was released.
TimePoint Fluid::left_at(const Owner& owner) {
  return owner.run < 0 ? owner.released : std::max(owner.released, now_ - lane(owner).latency);
}

// Lets a message leave: its latency begins.
void Fluid::release(const Owner& given) {
  if (holds(given)) return;
  if (grants_) return ask(given);
  if (reserves_ && given.run >= 0 && foresee(given)) return;
  Owner owner = given;
  owner.released = now_;
  Duration latency{0};
  if (owner.run < 0) {
    fabric::Route route;
    if (!find_route(owner, route)) return stranded_.push_back(owner);
    latency = route.latency;
  } else {
    Lane& own_lane = lane(owner);
    if (!find_lane_route(owner, own_lane)) return stranded_.push_back(owner);
    latency = own_lane.latency;
  }
  if (latency.count() == 0) return latency_over(owner);
  start_latency(owner, add(now_, latency));
}

void Fluid::start_latency(const Owner& owner, TimePoint end) {
  ++in_latency_;
  if (owner.run >= 0) ++lane(owner).in_latency;
  push(end, EventKind::latency_over, owner);
}

void Fluid::latency_over(const Owner& owner) {
  if (owner.run >= 0 && lane(owner).reserved) {
    Lane& own_lane = lane(owner);
    if (own_lane.queued == 0 && foresee_at(owner, own_lane, now_)) return;
    if (own_lane.reserved) ++own_lane.queued;
    if (own_lane.reserved) return;
  }
  if (!waits_for_turn(owner)) start_transfer(owner);
}

// True if the message has to wait for the message that it is behind, or for earlier messages of its
// channel.
bool Fluid::waits_for_turn(const Owner& owner) {
  if (owner.run < 0) {
    const std::int32_t ahead = workload_.operations[owner.operation].behind;
    if (ahead < 0 || readiness_.finished(OperationId(ahead))) return false;
    if (follower_.empty()) follower_.assign(workload_.operations.size(), -1);
    follower_[static_cast<std::size_t>(ahead)] = owner.operation;
    return true;
  }
  Lane& own_lane = lane(owner);
  if (own_lane.busy) {
    ++own_lane.queued;
    return true;
  }
  own_lane.busy = true;
  return false;
}

void Fluid::turn_has_come(const Owner& owner) {
  if (owner.run >= 0) lane(owner).busy = true;
  grants_ ? request(owner) : start_transfer(owner);
}

void Fluid::start_transfer(const Owner& owner) {
  const Bytes size = size_of(owner);
  if (size.count == 0) return instant_.push_back(owner);
  fabric::Route route;
  std::span<const fabric::Hop> hops;
  if (owner.run < 0) {
    if (!find_route(owner, route)) return stranded_.push_back(owner);
    hops = route.hops;
  } else {
    Lane& own_lane = lane(owner);
    if (!find_lane_route(owner, own_lane)) {
      own_lane.busy = false;
      return stranded_.push_back(owner);
    }
    hops = hops_of(owner, own_lane);
  }
  share_links_of(hops);
  follow(owner, size, transfers_.start(hops, size, weight_of(owner)));
}

// Notes whose message a transfer is.
void Fluid::follow(const Owner& owner, Bytes size, FlowId id) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= in_flight_.size()) in_flight_.resize(index + 1);
  in_flight_[index] = {owner, size, left_at(owner), true};
}

void Fluid::transfer_done(FlowId id) {
  InFlight& done = in_flight_[static_cast<std::size_t>(id)];
  done.live = false;
  transfers_.stop(id, now_);
  const InFlight delivered = done;
  if (delivered.flow >= 0) return leg_done(delivered.flow);
  message_done(delivered.owner, delivered.size, delivered.start);
}

void Fluid::note_delivered(Bytes size) {
  ++outcome_.messages;
  outcome_.bytes += size;
  report_progress();
}

void Fluid::message_done(const Owner& owner, Bytes size, TimePoint left) {
  note_delivered(size);
  if (options_.observer != nullptr) {
    const Ends ends = ends_of(owner);
    options_.observer->message({owner.operation, ends.source, ends.destination, size, left, now_});
  }
  if (owner.run < 0) return single_message_done(owner.operation);
  Lane& own_lane = lane(owner);
  own_lane.busy = false;
  const bool next_is_waiting = own_lane.queued > 0;
  Run& run = *runs_[static_cast<std::size_t>(owner.run)];
  run.state.arrived(owner.channel);
  if (next_is_waiting) {
    --own_lane.queued;
    turn_has_come(owner);
  }
  after_run(owner.run);
}

void Fluid::single_message_done(OperationId operation) {
  readiness_.finish_message(operation);
  outcome_.operation_end[operation] = now_;
  const std::int64_t next = follower_.empty() ? -1 : follower_[operation];
  if (next >= 0) turn_has_come({OperationId(next), -1, {}});
}

void Fluid::observe_loads() {
  for (const LinkId link : transfers_.filled_links()) {
    const Int128 counts = transfers_.load(link);
    options_.observer->link_load(link, now_,
                                 {static_cast<std::int64_t>(counts / transport::kRateUnit)});
  }
}

Outcome Fluid::finish() {
  if (transfers_.moving()) {
    throw LimitError("the simulated time exceeds 106 days, the range of the picosecond clock");
  }
  for (const Owner& owner : reserved_by_) {
    if (owner.run >= 0) unreserve(owner, lane(owner));
  }
  for (std::size_t l = 0; l < network_.links.size(); ++l) {
    outcome_.link_bytes.push_back(transfers_.carried(LinkId(l)));
  }
  for (const TimePoint end : outcome_.operation_end) {
    outcome_.completion_time = std::max(outcome_.completion_time, elapsed(end));
  }
  if (grants_) outcome_.grants = grants_->tally();
  if (readiness_.unfinished() > 0) outcome_.deadlock = deadlock();
  return std::move(outcome_);
}

Deadlock Fluid::deadlock() const {
  constexpr std::size_t kShown = 8;
  Deadlock deadlock{now_, readiness_.unfinished(), {}};
  for (OperationId o(0); o < workload_.operations.size() && deadlock.waiting.size() < kShown; ++o) {
    if (!readiness_.finished(o)) deadlock.waiting.push_back(why_waiting(o));
  }
  return deadlock;
}

std::string Fluid::why_waiting(OperationId operation) const {
  const workload::Operation& it = workload_.operations[operation];
  const std::string name = workload_.name(operation);
  int stuck = 0;
  while (stuck < readiness_.tasks(operation) && readiness_.waiting(operation, stuck) == 0) ++stuck;
  if (stuck < readiness_.tasks(operation)) {
    const DeviceId device = readiness_.device(operation, stuck);
    if (readiness_.lacks_partner(operation)) {
      return fmt::format("{} on device {} waits for a message {} -> {} that nobody sends", name,
                         device, it.source, it.destination);
    }
    std::string unfinished;
    for (const std::uint32_t before : workload_.waits_for(operation)) {
      if (!readiness_.finished(OperationId(before))) unfinished += " " + workload_.name(before);
    }
    if (unfinished.empty())
      unfinished = fmt::format(" message {} -> {}", it.source, it.destination);
    return fmt::format("{} on device {} waits for{}", name, device, unfinished);
  }
  if (it.kind == workload::OperationKind::collective) return collective_waits(operation);
  return fmt::format("{} is a message {} -> {} of {} that has no route: a link is down", name,
                     it.source, it.destination, exact(it.size));
}

std::string Fluid::collective_waits(OperationId operation) const {
  for (const int index : run_of_group_[operation]) {
    if (index < 0 || !runs_[static_cast<std::size_t>(index)]) continue;
    for (const Owner& owner : stranded_) {
      if (owner.run != index) continue;
      const Ends ends = ends_of(owner);
      return fmt::format("{} has a message {} -> {} that has no route: a link is down",
                         workload_.name(operation), ends.source, ends.destination);
    }
  }
  for (const InFlight& it : in_flight_) {
    if (it.live && it.owner.operation == operation) {
      const Ends ends = ends_of(it.owner);
      return fmt::format("{} has a message {} -> {} that has no route: a link is down",
                         workload_.name(operation), ends.source, ends.destination);
    }
  }
  return fmt::format("{} waits for its messages", workload_.name(operation));
}

}  // namespace loom::simulate
