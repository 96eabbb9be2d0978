// Who may send when every message asks its receiver first (ODDL, section 2: "each control unit
// manages its own transmission state and link state, and only exchanges control information with
// the destination nodes"). There is no scheduler.
//
// A port sends to one receiver at a time and receives from one sender at a time. A message waits at
// its sender's port, in a line with those for the same receiver. While the port is free it asks
// every receiver that it has a line for; a request stands until it is answered. A receiver whose
// port is free grants it to the request that has stood longest, of equals to the device that comes
// first after its own, round and round. The sender takes the grant if its port is free still: the
// laser is tuned, and the head of that line goes. Else it declines, and asks again when it is free;
// meanwhile the receiver grants another. So nobody waits behind a message for a busy receiver, and
// a free receiver waits no longer than a round trip for a busy sender. What a message holds it
// uses: nothing can come to a standstill.
//
// A message of several legs is stored in between, and asks for each. What happens at one moment has
// one outcome in whatever order it is told.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "loom/fabric/circuits/control/grant_tally.h"
#include "loom/fabric/network/network.h"

namespace loom {

// Of messages that come to a line at one moment the lesser goes first.
struct FlowOrder {
  std::uint32_t operation = 0;
  int phase = 0;
  int channel = 0;

  auto operator<=>(const FlowOrder&) const = default;
};

class RequestGrant {
 public:
  // Needs a network with grants.
  explicit RequestGrant(const Network& network);

  // A message wants to go. Flows are numbered by the caller, small and used again.
  void ask(Duration now, int id, const FlowOrder& order, std::span<const Hop> path);

  // A leg that begins to arrive: to be carried over both links at once.
  struct Leg {
    int flow = 0;
    std::array<Hop, 2> hops = {};
  };

  // When something is to happen next.
  Duration next_time() const;

  // All that happens until now. To be called once all else of this moment has been told, and again
  // while next_time() is not later.
  std::vector<Leg> advance(Duration now);

  // The flow's leg has arrived; true if that was the last one.
  bool arrived(Duration now, int id);

  const GrantTally& tally() const { return tally_; }

 private:
  struct Flow {
    FlowOrder order;
    std::vector<Hop> path;
    std::size_t leg = 0;
  };
  struct Queued {
    Duration since{0};
    int flow = 0;
  };
  // What a port has for one receiver.
  struct Line {
    int to = 0;  // link down to the receiver
    bool asked = false;
    std::vector<Queued> flows = {};
  };
  struct Sender {
    bool taken = false;
    std::vector<Line> lines;
  };
  struct Standing {
    Duration since{0};
    int turn = 0;
    int from = 0;  // link up from the sender

    auto operator<=>(const Standing&) const = default;
  };
  struct Receiver {
    bool held = false;
    bool looks = false;  // is in looking_
    std::vector<Standing> requests;
  };
  enum class Kind : std::uint8_t { request, grant, decline, tuned };
  struct Event {
    Duration time{0};
    std::uint64_t number = 0;
    Kind kind{};
    int from = 0;
    int to = 0;
    int flow = -1;  // tuned

    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  struct Offer {
    int from = 0;
    int to = 0;
    Queued head = {};  // that would go
    FlowOrder order = {};
  };

  void enqueue(Duration now, int id);
  void request(Duration now, int from, Line& line);
  void happen(const Event& event, std::vector<Leg>& legs);
  void answer_offers(Duration now);
  void accept(Duration now, const Offer& offer);
  void decline(Duration now, const Offer& offer);
  void grant_free_ports(Duration now);
  void look(int to);
  void send(Duration now, Kind kind, int from, int to);
  Line& line(int from, int to);
  Sender& sender(int link) { return senders_[static_cast<std::size_t>(link)]; }
  Receiver& receiver(int link) { return receivers_[static_cast<std::size_t>(link)]; }
  Flow& flow(int id) { return flows_[static_cast<std::size_t>(id)]; }
  int turn(int from, int to) const;

  const Network& network_;
  GrantRule rule_;
  std::vector<Sender> senders_;      // by link up
  std::vector<Receiver> receivers_;  // by link down
  std::vector<Flow> flows_;
  std::priority_queue<Event> events_;
  std::uint64_t event_count_ = 0;
  std::vector<Offer> offers_;  // grants that have come at this moment
  std::vector<int> looking_;   // receivers that may have become free, or been asked
  Duration looks_at_ = kForever;
  GrantTally tally_;
};

}  // namespace loom
