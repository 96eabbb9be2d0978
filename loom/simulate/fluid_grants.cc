// The fluid engine under request-grant control: a message requests a grant, is sent leg by leg as
// the legs are granted, and is delivered.
#include "loom/base/error.h"
#include "loom/simulate/fluid.h"

namespace loom::simulate {

void Fluid::ask(const Owner& owner) {
  if (!waits_for_turn(owner)) request(owner);
}

void Fluid::request(const Owner& given) {
  Owner owner = given;
  owner.released = now_;
  fabric::Route route;
  if (!find_route(owner, route)) {
    if (owner.run >= 0) lane(owner).busy = false;
    return stranded_.push_back(owner);
  }
  fabric::RequestId flow(asked_.size());
  if (free_flows_.empty()) {
    asked_.push_back({});
  } else {
    flow = free_flows_.back();
    free_flows_.pop_back();
  }
  asked_[static_cast<std::size_t>(flow)] = {owner, size_of(owner)};
  grants_->ask(now_, flow, {owner.operation, owner.channel.phase, owner.channel.channel},
               route.hops);
}

// Starts the legs that are granted at this time point; true if grants were due.
bool Fluid::take_grants() {
  if (!grants_ || grants_->next_time() > now_) return false;
  for (const fabric::RequestGrant::Leg& leg : grants_->advance(now_)) start_leg(leg);
  begin_ready();
  give_turns();
  return true;
}

void Fluid::start_leg(const fabric::RequestGrant::Leg& leg) {
  const Asked& it = asked_[static_cast<std::size_t>(leg.flow)];
  if (it.size.count == 0) return leg_done(leg.flow);
  const auto id = static_cast<std::size_t>(transfers_.start(leg.hops, it.size, 1));
  if (id >= in_flight_.size()) in_flight_.resize(id + 1);
  in_flight_[id] = {it.owner, it.size, it.owner.released, true, leg.flow};
}

void Fluid::leg_done(fabric::RequestId flow) {
  if (!grants_->arrived(now_, flow)) return;
  const Asked done = asked_[static_cast<std::size_t>(flow)];
  free_flows_.push_back(flow);
  message_done(done.owner, done.size, done.owner.released);
}

}  // namespace loom::simulate
