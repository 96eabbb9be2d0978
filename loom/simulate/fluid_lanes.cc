// Messages on reserved lanes: channels whose links serve nothing else, as in rings and pipelines.
//
// A channel reserves the links of its route with its first message if nothing else uses them. Its
// next messages start when their latency is over and the previous message has ended, and flow at
// the full bandwidth of the bottleneck: two messages ahead, their ends are known. When anything
// else starts on one of the links, the lane becomes an ordinary one: messages that flow become
// transfers with the bytes that are left, and the others wait as if they had never been known.
// The outcome is the same to the picosecond (lanes_test.cc).
#include <algorithm>

#include "loom/base/error.h"
#include "loom/simulate/fluid.h"

namespace loom::simulate {
namespace {

// Bytes of every message of the channel, rounded down if sizes differ.
std::int64_t size_of_each(const workload::Phase& phase, const workload::Channel& channel) {
  return channel.extent.count / phase.blocks * channel.count / phase.chunks;
}

bool sizes_differ(const workload::Phase& phase, const workload::Channel& channel) {
  return channel.extent.count % phase.blocks != 0 ||
         channel.extent.count / phase.blocks * channel.count % phase.chunks != 0;
}

}  // namespace

std::span<const fabric::Hop> Fluid::hops_of(const Owner& owner, const Lane& own) const {
  return std::span(runs_[static_cast<std::size_t>(owner.run)]->hops)
      .subspan(own.first_hop, own.hop_count);
}

// Reserves the links of the lane; false if something else uses them.
bool Fluid::reserve(const Owner& owner, Lane& own) {
  if (own.shared || !find_lane_route(owner, own)) return false;
  own.shared = true;
  const CollectiveRun& state = runs_[static_cast<std::size_t>(owner.run)]->state;
  const workload::Phase& phase = state.phase(owner.channel.phase);
  const auto& channel = phase.channels[static_cast<std::size_t>(owner.channel.channel)];
  const std::span<const fabric::Hop> hops = hops_of(owner, own);
  const bool taken = std::any_of(hops.begin(), hops.end(), [&](const fabric::Hop& hop) {
    return reserved_by_[static_cast<std::size_t>(hop.link)].run >= 0;
  });
  if (taken || size_of_each(phase, channel) < 1 || !transfers_.idle(hops)) return false;
  own.speed = transfers_.bottleneck_speed(hops);
  if (own.speed == 0) return false;
  own.shared = false;
  own.reserved = true;
  own.left = phase.messages(owner.channel.channel) - state.messages_done(owner.channel);
  own.even_size = {sizes_differ(phase, channel) ? 0 : size_of_each(phase, channel)};
  own.even_time = transfers_.time_for(own.even_size, own.speed);
  for (const fabric::Hop& hop : hops) reserved_by_[static_cast<std::size_t>(hop.link)] = owner;
  ++reservations_;
  return true;
}

// Gives the links back.
void Fluid::unreserve(const Owner& owner, Lane& own) {
  const std::span<const fabric::Hop> hops = hops_of(owner, own);
  transfers_.credit(hops, {std::exchange(own.carried, 0)});
  for (const fabric::Hop& hop : hops) reserved_by_[static_cast<std::size_t>(hop.link)].run = -1;
  own.reserved = false;
  --reservations_;
}

// If the lane is reserved, or can be, notes the end of a message that is released now; else false.
bool Fluid::foresee(const Owner& owner) {
  Lane& own = lane(owner);
  if (!own.reserved && !reserve(owner, own)) return false;
  const bool next = own.in_latency == 0 && own.queued == 0;
  return next && foresee_at(owner, own, add(now_, own.latency));
}

// Notes the end of the next message of a reserved lane, whose latency is over at `ready`. False if
// as many messages are known as there is room for, or if the end is beyond the range of the clock.
bool Fluid::foresee_at(const Owner& owner, Lane& own, TimePoint ready) {
  if (own.count == own.known.size()) return false;
  const CollectiveRun& state = runs_[static_cast<std::size_t>(owner.run)]->state;
  Lane::Known next{ready, ready, {}, own.even_size};
  Duration time = own.even_time;
  if (next.size.count == 0) {
    const int message = state.messages_done(owner.channel) + own.count;
    next.size = state.phase(owner.channel.phase).size(owner.channel.channel, message);
    time = transfers_.time_for(next.size, own.speed);
  }
  if (own.count > 0) next.start = std::max(ready, own.known[own.count - 1U].end);
  if (time >= kNever - next.start) {
    share(owner);
    return false;
  }
  next.end = next.start + time;
  own.known[own.count++] = next;
  known_ends_.emplace(next.end, known_count_++, owner.run, owner.channel);
  return true;
}

// Makes a reserved lane an ordinary one. A message that ends now remains known.
void Fluid::share(const Owner& given) {
  const Owner owner{.operation = given.operation, .run = given.run, .channel = given.channel};
  Lane& own = lane(owner);
  unreserve(owner, own);
  own.shared = true;
  const std::size_t count = std::exchange(own.count, 0);
  own.count = count > 0 && own.known[0].end == now_ ? 1 : 0;
  own.busy = own.count > 0;
  for (std::size_t i = own.count; i < count; ++i) {
    const Lane::Known& it = own.known[i];
    if (it.ready > now_) {
      start_latency(owner, it.ready);
    } else if (own.busy) {
      ++own.queued;
    } else {
      own.busy = true;
      follow(owner, it.size,
             transfers_.resume(hops_of(owner, own), it.size, weight_of(owner), own.speed,
                               now_ - it.start));
    }
  }
}

void Fluid::share_links_of(std::span<const fabric::Hop> hops) {
  if (reservations_ == 0) return;
  for (const fabric::Hop& hop : hops) {
    const Owner owner = reserved_by_[static_cast<std::size_t>(hop.link)];
    if (owner.run >= 0) share(owner);
  }
}

// Whether the lane became an ordinary one after this end was noted.
bool Fluid::stale(const KnownEnd& end) const {
  const auto& run = runs_[static_cast<std::size_t>(end.run)];
  if (!run) return true;
  const Lane& own = run->lanes[static_cast<std::size_t>(end.channel.phase)]
                              [static_cast<std::size_t>(end.channel.channel)];
  return own.count == 0 || own.known[0].end != end.time;
}

void Fluid::drop_stale_ends() {
  while (!known_ends_.empty() && stale(known_ends_.top())) known_ends_.pop();
}

void Fluid::take_known_ends() {
  while (!known_ends_.empty() && known_ends_.top().time == now_) {
    const KnownEnd end = known_ends_.top();
    known_ends_.pop();
    if (!stale(end)) known_message_done(end);
  }
}

void Fluid::known_message_done(const KnownEnd& end) {
  Run& run = *runs_[static_cast<std::size_t>(end.run)];
  const Owner owner{.operation = run.operation, .run = end.run, .channel = end.channel};
  Lane& own = lane(owner);
  const Bytes size = own.known[0].size;
  own.known[0] = own.known[1];
  --own.count;
  if (!own.reserved) {
    transfers_.credit(hops_of(owner, own), size);
    return message_done(owner, size, now_);
  }
  own.carried += size.count;
  note_delivered(size);
  run.state.arrived(owner.channel);
  if (own.queued > 0) {
    --own.queued;
    if (!foresee_at(owner, own, now_)) latency_over(owner);
  }
  if (--own.left == 0) unreserve(owner, own);
  after_run(end.run);
}

}  // namespace loom::simulate
