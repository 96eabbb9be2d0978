// Request-grant control: before every message, the sender asks the receiver; there is no central
// scheduler (ODDL, section 2: "each control unit manages its own transmission state and link state,
// and only exchanges control information with the destination nodes").
//
// No message waits behind a message for a busy receiver, and a free receiver that grants a busy
// sender loses at most a round trip. Deadlock is impossible, because a message holds only the two
// ports over which it is being sent. The outcome of events at the same time does not depend on the
// order in which they are reported.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "loom/fabric/circuits/control/grant_tally.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// Id of a message that requests grants. The caller chooses the ids: small integers, reused after
// the message has arrived.
using RequestId = Id<struct RequestTag, int>;

// Order of messages that enter a queue at the same time; the smaller goes first.
struct FlowOrder {
  OperationId operation;
  int phase = 0;
  int channel = 0;

  auto operator<=>(const FlowOrder&) const = default;
};

// A port sends to one receiver and receives from one sender at a time. Messages wait at the
// sender's port in one queue per receiver. A free port sends a request to every receiver it has a
// queue for; a request stands until it is answered. A free receiver grants the oldest request; if
// several are equally old, the one whose sender comes first after the receiver in numerical order,
// with wraparound. The sender accepts if its port is still free: it tunes the laser and sends the
// head of that queue. Otherwise it declines, and requests again once its port is free; the receiver
// grants another request. A message of several legs is stored between legs and makes a request for
// each leg.
class RequestGrant {
 public:
  // Needs network.grants.
  explicit RequestGrant(const Network& network);

  // Adds a message.
  void ask(TimePoint now, RequestId id, const FlowOrder& order, std::span<const Hop> path);

  // A leg whose message starts to arrive now; the caller carries it over both links at once.
  struct Leg {
    RequestId flow;
    std::array<Hop, 2> hops = {};
  };

  // Time of the next event.
  TimePoint next_time() const;

  // Processes all events up to `now`. Call it after everything else at this time has been reported,
  // and again while next_time() <= now.
  std::vector<Leg> advance(TimePoint now);

  // Reports that the current leg of a flow has arrived; returns true if it was the last leg.
  bool arrived(TimePoint now, RequestId id);

  const GrantTally& tally() const { return tally_; }

 private:
  struct Flow {
    FlowOrder order;
    std::vector<Hop> path;
    std::size_t leg = 0;
  };
  struct Queued {
    TimePoint since;
    RequestId flow;
  };
  // Virtual output queue: the messages of a port for one receiver.
  struct Line {
    LinkId to;  // downlink of the receiver
    bool asked = false;
    std::vector<Queued> flows = {};
  };
  struct Sender {
    bool taken = false;  // has accepted a grant, and sends or will send
    std::vector<Line> lines;
  };
  // A request that a receiver has not answered yet.
  struct Standing {
    TimePoint since;
    int turn = 0;  // order among requests of the same age
    LinkId from;   // uplink of the sender

    auto operator<=>(const Standing&) const = default;
  };
  struct Receiver {
    bool held = false;   // has granted a request, and receives or will receive
    bool looks = false;  // listed in looking_
    std::vector<Standing> requests;
  };
  enum class Kind : std::uint8_t { request, grant, decline, tuned };
  struct Event {
    TimePoint time;
    std::uint64_t number = 0;
    Kind kind{};
    LinkId from;
    LinkId to;
    RequestId flow{-1};  // Kind::tuned only

    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  struct Offer {
    LinkId from;
    LinkId to;
    Queued head = {};  // message that would be sent
    FlowOrder order = {};
  };

  void enqueue(TimePoint now, RequestId id);
  void request(TimePoint now, LinkId from, Line& line);
  void happen(const Event& event, std::vector<Leg>& legs);
  void answer_offers(TimePoint now);
  void accept(TimePoint now, const Offer& offer);
  void decline(TimePoint now, const Offer& offer);
  void grant_free_ports(TimePoint now);
  void look(LinkId to);
  void send(TimePoint now, Kind kind, LinkId from, LinkId to);
  Line& line(LinkId from, LinkId to);
  Sender& sender(LinkId link) { return senders_[static_cast<std::size_t>(link)]; }
  Receiver& receiver(LinkId link) { return receivers_[static_cast<std::size_t>(link)]; }
  Flow& flow(RequestId id) { return flows_[static_cast<std::size_t>(id)]; }
  int turn(LinkId from, LinkId to) const;

  const Network& network_;
  GrantRule rule_;
  std::vector<Sender> senders_;      // per uplink
  std::vector<Receiver> receivers_;  // per downlink
  std::vector<Flow> flows_;
  std::priority_queue<Event> events_;
  std::uint64_t event_count_ = 0;
  std::vector<Offer> offers_;    // grants received at this time point
  std::vector<LinkId> looking_;  // receivers that became free or got a request
  TimePoint looks_at_ = kNever;  // time at which the receivers in looking_ decide
  GrantTally tally_;
};

}  // namespace loom::fabric
