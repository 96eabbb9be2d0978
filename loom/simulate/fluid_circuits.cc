// The fluid engine under a circuit control: circuits are reconfigured while messages are in flight.
#include <algorithm>
#include <map>

#include "loom/simulate/fluid.h"

namespace loom::simulate {
namespace {

// Bytes per (source, destination) pair.
using PairSums = std::map<std::pair<int, int>, Int128>;

workload::Demand demand_in(const PairSums& sums) {
  workload::Demand demand;
  for (const auto& it : sums) {
    if (it.second <= 0 || it.first.first == it.first.second) continue;
    demand.push_back({it.first.first, it.first.second, {static_cast<std::int64_t>(it.second)}});
  }
  return demand;
}

}  // namespace

bool Fluid::holds(const Owner& owner) {
  if (options_.control == nullptr || options_.control->admits(owner.operation)) return false;
  held_.push_back(owner);
  held_.back().released = now_;  // overwritten when it is released
  return true;
}

// True if no message moves and some message waits, possibly for a circuit that is down.
bool Fluid::idle() const {
  return transfers_.next_end() == kNever && in_latency_ == 0 &&
         !(held_.empty() && stranded_.empty() && transfers_.empty());
}

// Asks the control for a decision if one is due or nothing moves. True if the control decided on a
// change, which takes effect now or at a later time point.
bool Fluid::ask_control() {
  if (options_.control == nullptr || switched_at_ < kNever || readiness_.unfinished() == 0) {
    return false;
  }
  share_links();  // messages that just started count as moving
  const bool due = options_.control->next_time() <= now_;
  if (!due && !idle()) return false;
  std::vector<Owner> held = held_;
  std::sort(held.begin(), held.end(), [](const Owner& a, const Owner& b) {
    return std::tie(a.released, a.operation) < std::tie(b.released, b.operation);
  });
  fabric::Waiting waiting;
  for (const Owner& it : held) waiting.held.push_back(it.operation);
  waiting.outstanding = [this] { return outstanding(); };
  waiting.ready = [this] { return ready(); };
  const std::optional<fabric::CircuitChange> change =
      options_.control->decide(now_, idle(), waiting);
  if (!change) {
    given_up_ = idle();
    return false;
  }
  set_links(change->switching);
  switched_ = change->switched;
  const bool none = change->switching.empty() && change->switched.empty();
  switched_at_ = none ? now_ : add(now_, options_.control->switch_time());
  return true;
}

void Fluid::finish_change() {
  if (switched_at_ != now_) return;
  switched_at_ = kNever;
  options_.control->switched(now_);
  set_links(switched_);
  std::vector<Owner> held;
  std::swap(held, held_);
  for (const Owner& it : held) release(it);
}

void Fluid::set_links(std::span<const fabric::LinkState> states) {
  if (states.empty()) return;
  if (down_.empty()) down_.assign(network_.links.size(), false);
  for (const fabric::LinkState& it : states) {
    down_[static_cast<std::size_t>(it.link)] = it.bandwidth.bits_per_second == 0;
    transfers_.set_capacity(it.link, it.bandwidth, now_);
  }
  reroute();
}

// Unsent bytes of all collectives that have begun, and of single messages that may leave.
workload::Demand Fluid::outstanding() const {
  PairSums sums;
  for (const auto& run : runs_) {
    if (!run) continue;
    const workload::Groups& groups =
        workload_.groups[static_cast<std::size_t>(workload_.operations[run->operation].groups)];
    for (int p = 0; p < run->state.phases(); ++p) {
      const workload::Phase& phase = run->state.phase(p);
      for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
        const workload::Channel& channel = phase.channels[static_cast<std::size_t>(c)];
        const int messages = phase.messages(c);
        const int left = messages - run->state.messages_done({p, c});
        sums[{groups.device(run->group, channel.source),
              groups.device(run->group, channel.destination)}] +=
            channel_bytes(phase, c) * left / messages;
      }
    }
  }
  const auto add_single = [&](const Owner& owner) {
    const workload::Operation& it = workload_.operations[owner.operation];
    if (owner.run < 0) sums[{it.source, it.destination}] += it.size.count;
  };
  for (std::size_t id = 0; id < in_flight_.size(); ++id) {
    const InFlight& it = in_flight_[id];
    if (!it.live) continue;
    add_single(it.owner);
    const Ends ends = ends_of(it.owner);
    const Bytes sent = it.size - transfers_.left(FlowId(id), now_);
    sums[{ends.source, ends.destination}] -= sent.count;
  }
  for (const Owner& it : held_) add_single(it);
  for (const Owner& it : stranded_) add_single(it);
  return demand_in(sums);
}

// Demand of the messages that could be sent now if they had a circuit. A message of zero bytes
// counts, too: it waits behind others of its channel.
workload::Demand Fluid::ready() const {
  PairSums sums;
  const auto add_message = [&](const Owner& owner, Bytes left) {
    const Ends ends = ends_of(owner);
    sums[{ends.source, ends.destination}] += std::max<std::int64_t>(1, left.count);
  };
  for (std::size_t id = 0; id < in_flight_.size(); ++id) {
    const InFlight& it = in_flight_[id];
    if (it.live) add_message(it.owner, transfers_.left(FlowId(id), now_));
  }
  for (const Owner& it : stranded_) add_message(it, size_of(it));
  return demand_in(sums);
}

}  // namespace loom::simulate
