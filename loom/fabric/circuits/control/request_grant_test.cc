#include "loom/fabric/circuits/control/request_grant.h"

#include <map>
#include <set>

#include "loom/base/random.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

// Carries every leg for the duration given with the flow, and checks that no port serves two at
// once.
class Ports {
 public:
  explicit Ports(const Network& network) : network_(network), grants_(network) {}

  void ask(TimePoint now, int source, int destination, Duration takes) {
    const auto number = takes_.size();
    takes_.push_back(takes);
    ends_.emplace_back(kNever);
    grants_.ask(now, RequestId(number), {.operation = OperationId(number)},
                route_of(network_, source, destination).hops);
  }

  TimePoint next_time() const {
    return in_flight_.empty() ? grants_.next_time()
                              : std::min(grants_.next_time(), in_flight_.begin()->first);
  }

  void advance(TimePoint now) {
    while (!in_flight_.empty() && in_flight_.begin()->first == now) {
      const RequestGrant::Leg leg = in_flight_.begin()->second;
      in_flight_.erase(in_flight_.begin());
      for (const Hop& hop : leg.hops) busy_.erase(hop.link);
      if (grants_.arrived(now, leg.flow)) ends_[static_cast<std::size_t>(leg.flow)] = now;
    }
    for (const RequestGrant::Leg& leg : grants_.advance(now)) {
      for (const Hop& hop : leg.hops) {
        EXPECT_TRUE(busy_.insert(hop.link).second)
            << network_.link_name(hop.link) << " serves two at once";
      }
      in_flight_.emplace(add(now, takes_[static_cast<std::size_t>(leg.flow)]), leg);
    }
  }

  void finish() {
    while (next_time() < kNever) advance(next_time());
  }

  const std::vector<TimePoint>& ends() const { return ends_; }
  const GrantTally& tally() const { return grants_.tally(); }

 private:
  const Network& network_;
  RequestGrant grants_;
  std::vector<Duration> takes_;
  std::vector<TimePoint> ends_;
  std::multimap<TimePoint, RequestGrant::Leg> in_flight_;
  std::set<int> busy_;
};

Network grid(int devices, const std::string& rest = "") {
  return fabric_of("kind: oddl, bandwidth: 8 Gbps, control_latency: 100 ns" + rest, devices);
}

TEST(RequestGrant, AnUncontendedMessageTakesARoundTripAndATuning) {
  const Network network = grid(4, ", shape: 1x4, latency: 30 ns");
  Ports ports(network);
  ports.ask(TimePoint(5_us), 0, 3, 1_us);
  ports.finish();
  EXPECT_EQ(ports.ends().front(), TimePoint(5_us) + Duration(200'000 + 10'500 + 30'000) + 1_us);
  EXPECT_EQ(ports.tally().messages(), 2);
  EXPECT_EQ(ports.tally().sent, (std::vector<std::int64_t>{1, 0, 0, 1}));
  EXPECT_EQ(ports.tally().longest_wait, Duration(200'000));
}

TEST(RequestGrant, NoRequestIsSentBeforeTheSwitchesAreSetUp) {
  const Network network = grid(4, ", shape: 1x4, setup: 1 ms");
  Ports ports(network);
  ports.ask(TimePoint(), 0, 3, 1_us);
  ports.finish();
  EXPECT_EQ(ports.ends().front(), TimePoint(1_ms) + Duration(210'500) + 1_us);
}

TEST(RequestGrant, ABusyReceiverBlocksNoOtherMessageOfTheSender) {
  const Network network = grid(4, ", shape: 1x4");
  Ports ports(network);
  ports.ask(TimePoint(), 0, 3, 1_ms);
  ports.finish();
  Ports both(network);
  both.ask(TimePoint(), 0, 3, 1_ms);
  both.advance(both.next_time());
  both.ask(both.next_time(), 1, 3, 1_us);  // waits for device 3
  both.ask(both.next_time(), 1, 2, 1_us);  // goes at once
  both.finish();
  EXPECT_EQ(both.ends()[0], ports.ends()[0]);
  EXPECT_LT(both.ends()[2], TimePoint(3_us));
  EXPECT_GT(both.ends()[1], TimePoint(1_ms));
}

TEST(RequestGrant, AMessageOverARelayMakesTwoRequests) {
  const Network network = grid(4);
  Ports ports(network);
  ports.ask(TimePoint(), 0, 3, 1_us);
  ports.finish();
  EXPECT_EQ(ports.ends().front(), TimePoint(2 * (Duration(210'500) + 1_us)));
  EXPECT_EQ(ports.tally().forwarded, 1);
  EXPECT_EQ(ports.tally().sent, (std::vector<std::int64_t>{1, 2, 0, 1}));
}

// All-to-all in a row: receivers grant the senders round-robin, so all ports are always busy and
// every message takes one request and one grant.
TEST(RequestGrant, AnAllToAllInARowNeedsNoDecline) {
  const Network network = grid(8, ", shape: 1x8");
  Ports ports(network);
  for (int from = 0; from < 8; ++from) {
    for (int to = 0; to < 8; ++to) {
      if (from != to) ports.ask(TimePoint(), from, to, 1_us);
    }
  }
  ports.finish();
  EXPECT_EQ(ports.tally().declines, 0);
  EXPECT_EQ(ports.tally().messages(), 2 * 56);
  const TimePoint last = *std::max_element(ports.ends().begin(), ports.ends().end());
  EXPECT_EQ(elapsed(last), Duration(100'000) + 7 * (Duration(110'500) + 1_us));
}

TEST(RequestGrant, APortServesOneAtATimeAndEverythingArrives) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed);
    const int devices = 2 + static_cast<int>(random(20));
    const Network network =
        fabric_of(fmt::format("kind: oddl, bandwidth: 8 Gbps, control_latency: {} ns, "
                              "switch_time: {} ns, latency: {} ns",
                              random(3) * 100, random(3) * 10, random(2) * 50),
                  devices);
    Ports ports(network);
    TimePoint now;
    for (int i = 0; i < 120; ++i) {
      const int from = static_cast<int>(random(static_cast<unsigned>(devices)));
      const int to = static_cast<int>(random(static_cast<unsigned>(devices)));
      if (from == to) continue;
      const TimePoint until = now + Duration(random(4) * 200'000);
      while (ports.next_time() < until) {
        now = ports.next_time();
        ports.advance(now);
      }
      now = until;
      ports.ask(now, from, to, Duration(random(5) * 300'000));
    }
    ports.finish();
    for (const TimePoint end : ports.ends()) ASSERT_LT(end, kNever);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace loom::fabric
