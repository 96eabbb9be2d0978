#include "loom/fabric/circuits/control/request_grant.h"

#include <algorithm>
#include <tuple>

#include "loom/base/error.h"

namespace loom::fabric {

RequestGrant::RequestGrant(const Network& network)
    : network_(network),
      rule_(network.grants.value()),
      senders_(network.links.size()),
      receivers_(network.links.size()) {
  tally_.sent.assign(static_cast<std::size_t>(network.devices), 0);
}

void RequestGrant::ask(TimePoint now, RequestId id, const FlowOrder& order,
                       std::span<const Hop> path) {
  LOOM_CHECK(!path.empty() && path.size() % 2 == 0, "a leg is an uplink and a downlink");
  if (static_cast<std::size_t>(id) >= flows_.size()) {
    flows_.resize(static_cast<std::size_t>(id) + 1);
  }
  flow(id) = {order, {path.begin(), path.end()}, 0};
  if (path.size() > 2) ++tally_.forwarded;
  enqueue(now, id);
}

RequestGrant::Line& RequestGrant::line(LinkId from, LinkId to) {
  std::vector<Line>& lines = sender(from).lines;
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const Line& it) { return it.to == to; });
  if (found != lines.end()) return *found;
  lines.push_back({.to = to});
  return lines.back();
}

void RequestGrant::enqueue(TimePoint now, RequestId id) {
  const Flow& it = flow(id);
  const LinkId from = it.path[2 * it.leg].link;
  Line& here = line(from, it.path[2 * it.leg + 1].link);
  auto place = here.flows.end();
  while (place != here.flows.begin() && (place - 1)->since == now &&
         it.order < flow((place - 1)->flow).order) {
    --place;
  }
  here.flows.insert(place, {now, id});
  if (!sender(from).taken && !here.asked) request(now, from, here);
}

void RequestGrant::request(TimePoint now, LinkId from, Line& line) {
  line.asked = true;
  send(std::max(now, TimePoint(rule_.setup)), Kind::request, from, line.to);
}

void RequestGrant::send(TimePoint now, Kind kind, LinkId from, LinkId to) {
  const bool by_sender = kind != Kind::grant;
  const Link& link = network_.links[static_cast<std::size_t>(by_sender ? from : to)];
  ++tally_.sent[static_cast<std::size_t>(by_sender ? link.from : link.to)];
  ++(kind == Kind::request ? tally_.requests
     : kind == Kind::grant ? tally_.grants
                           : tally_.declines);
  events_.push({add(now, rule_.control), event_count_++, kind, from, to});
}

TimePoint RequestGrant::next_time() const {
  return events_.empty() ? looks_at_ : std::min(looks_at_, events_.top().time);
}

// A leg of zero bytes ends when it starts. So new legs are returned to the caller before any
// further port decides.
std::vector<RequestGrant::Leg> RequestGrant::advance(TimePoint now) {
  std::vector<Leg> legs;
  while (next_time() <= now) {
    while (!events_.empty() && events_.top().time <= now) {
      const Event event = events_.top();
      events_.pop();
      happen(event, legs);
    }
    if (!legs.empty()) {
      looks_at_ = now;
      return legs;
    }
    answer_offers(now);
    grant_free_ports(now);
  }
  return legs;
}

void RequestGrant::happen(const Event& event, std::vector<Leg>& legs) {
  switch (event.kind) {
    case Kind::request:
      receiver(event.to).requests.push_back({event.time, turn(event.from, event.to), event.from});
      return look(event.to);
    case Kind::decline:
      receiver(event.to).held = false;
      return look(event.to);
    case Kind::grant:
      return offers_.push_back({event.from, event.to});
    case Kind::tuned:
      legs.push_back({event.flow, {Hop{event.from}, Hop{event.to}}});
  }
}

// A port accepts the grant for the message that has waited longest.
void RequestGrant::answer_offers(TimePoint now) {
  for (Offer& it : offers_) {
    it.head = line(it.from, it.to).flows.front();
    it.order = flow(it.head.flow).order;
  }
  std::sort(offers_.begin(), offers_.end(), [](const Offer& a, const Offer& b) {
    return std::tie(a.from, a.head.since, a.order, a.to) <
           std::tie(b.from, b.head.since, b.order, b.to);
  });
  for (const Offer& it : offers_) sender(it.from).taken ? decline(now, it) : accept(now, it);
  offers_.clear();
}

void RequestGrant::accept(TimePoint now, const Offer& offer) {
  Line& here = line(offer.from, offer.to);
  here.flows.erase(here.flows.begin());
  here.asked = false;
  sender(offer.from).taken = true;
  tally_.longest_wait = std::max(tally_.longest_wait, now - offer.head.since);
  events_.push({add(now, add(rule_.switching, rule_.latency)), event_count_++, Kind::tuned,
                offer.from, offer.to, offer.head.flow});
}

void RequestGrant::decline(TimePoint now, const Offer& offer) {
  line(offer.from, offer.to).asked = false;
  send(now, Kind::decline, offer.from, offer.to);
}

void RequestGrant::grant_free_ports(TimePoint now) {
  looks_at_ = kNever;
  for (const LinkId to : looking_) {
    Receiver& it = receiver(to);
    it.looks = false;
    if (it.held || it.requests.empty()) continue;
    const auto chosen = std::min_element(it.requests.begin(), it.requests.end());
    const LinkId from = chosen->from;
    it.requests.erase(chosen);
    it.held = true;
    send(now, Kind::grant, from, to);
  }
  looking_.clear();
}

void RequestGrant::look(LinkId to) {
  Receiver& it = receiver(to);
  if (!it.looks) looking_.push_back(to);
  it.looks = true;
}

bool RequestGrant::arrived(TimePoint now, RequestId id) {
  Flow& it = flow(id);
  const LinkId from = it.path[2 * it.leg].link;
  const LinkId to = it.path[2 * it.leg + 1].link;
  sender(from).taken = false;
  receiver(to).held = false;
  look(to);
  looks_at_ = now;
  for (Line& line : sender(from).lines) {
    if (!line.asked && !line.flows.empty()) request(now, from, line);
  }
  if (2 * ++it.leg == it.path.size()) return true;
  enqueue(now, id);
  return false;
}

// Distance of the sender after the receiver in numerical order, with wraparound.
int RequestGrant::turn(LinkId from, LinkId to) const {
  const NodeId source = network_.links[static_cast<std::size_t>(from)].from;
  const NodeId destination = network_.links[static_cast<std::size_t>(to)].to;
  return (source - destination + network_.devices) % network_.devices;
}

}  // namespace loom::fabric
