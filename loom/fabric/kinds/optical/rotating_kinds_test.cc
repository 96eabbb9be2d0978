// RotorNet, Opera, Sirius and Shoal: how their parameters define a rotation.
#include <algorithm>
#include <cmath>

#include "loom/fabric/kinds/optical/opera.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

// By default 64 devices have 4 switches of 16 matchings.
TEST(Rotornet, GivesEveryPairOneSlotPerCycle) {
  const Network network =
      fabric_of("kind: rotornet, bandwidth: 400 Gbps, latency: 1 us, routing: direct", 64);
  EXPECT_EQ(network.links.size(), 64U * 63);
  for (const Link& link : network.links) {
    ASSERT_EQ(link.bandwidth, (Bandwidth{5'625'000'000}));
    // The circuit is absent for 3.02 of 3.2 ms: a mean wait of 3.02² / (2 · 3.2) ms, plus 1 us.
    ASSERT_EQ(link.latency, Duration(1'425'062'500) + 1_us);
  }
}

TEST(Rotornet, RelaysOverAllOthersByDefault) {
  const Network relayed = fabric_of("kind: rotornet, bandwidth: 400 Gbps", 8);
  EXPECT_EQ(route_of(relayed, 0, 1).hops.size(), 13U);
  const Network direct = fabric_of("kind: rotornet, bandwidth: 400 Gbps, routing: direct", 8);
  EXPECT_EQ(route_of(direct, 0, 1).hops.size(), 1U);
}

TEST(Rotornet, IsAHalvedSwitchIfLinksArePerDevice) {
  const std::string text = "kind: rotornet, bandwidth: 400 Gbps";
  EXPECT_EQ(fabric_of(text, 257).links.size(), 2U * 257);
  EXPECT_EQ(fabric_of(text + ", links: pairs", 257).links.size(), 257U * 256);
  const Network halved = fabric_of(text + ", links: devices", 64);
  EXPECT_EQ(halved.links.front().bandwidth, (Bandwidth{32 * std::int64_t{5'625'000'000}}));
}

TEST(Rotornet, RefusesInvalidRotations) {
  EXPECT_EQ(
      refusal_of("kind: rotornet, bandwidth: 1 Gbps, switches: 8", 8),
      "test.yaml:1: fabric.switches is 8; 8 devices have only 7 matchings to divide over them");
  EXPECT_EQ(refusal_of("kind: rotornet, bandwidth: 1 Gbps, slot: 20 us", 8),
            "test.yaml:1: fabric.slot is 20 us; it must be longer than switch_time, 20 us");
  EXPECT_EQ(refusal_of("kind: rotornet, bandwidth: 1 bps", 8),
            "test.yaml:1: fabric.bandwidth is 1 bps; 1 planes and 7 slots divide it to nothing");
  EXPECT_EQ(refusal_of("kind: rotornet, bandwidth: 1 Gbps, routing: direct, links: devices", 8),
            "test.yaml:1: fabric.links is devices; direct routing needs a link for every pair");
  EXPECT_EQ(refusal_of("kind: rotornet, bandwidth: 1 Gbps, links: pairs", 5000),
            "test.yaml:1: the fabric has 24995000 links; at most 20000000 are possible");
  EXPECT_EQ(refusal_of("kind: rotornet, bandwidth: 1 Gbps, routing: expander", 8),
            "test.yaml:1: fabric.routing is expander; one of auto, direct, valiant is needed");
}

TEST(Opera, UsesAllSwitchesButTheOneThatChanges) {
  const Rotation rotation = cyclic_rotation(13, 4);  // without idle devices
  for (int slice = 0; slice < 12; ++slice) {
    std::vector<int> out(13, 0);
    std::vector<int> in(13, 0);
    for (const auto& circuit : opera_slice(rotation, slice)) {
      ++out[static_cast<std::size_t>(circuit.first)];
      ++in[static_cast<std::size_t>(circuit.second)];
    }
    EXPECT_EQ(out, std::vector<int>(13, 3)) << slice;
    EXPECT_EQ(in, std::vector<int>(13, 3)) << slice;
  }
}

// Switches that change in neither of two consecutive slices keep their circuits.
TEST(Opera, ChangesOneSwitchPerSlice) {
  const Rotation rotation = cyclic_rotation(17, 4);
  for (int slice = 0; slice < 16; ++slice) {
    auto now = opera_slice(rotation, slice);
    auto next = opera_slice(rotation, (slice + 1) % 16);
    std::sort(now.begin(), now.end());
    std::sort(next.begin(), next.end());
    std::vector<std::pair<int, int>> stay;
    std::set_intersection(now.begin(), now.end(), next.begin(), next.end(),
                          std::back_inserter(stay));
    EXPECT_EQ(stay.size(), 2U * 17) << slice;
  }
}

// Distances are those of a random graph of degree 7: 7 of 63 devices are one link away, 63 · (1 -
// (1 - 1/63)^49) = 34 two, and nearly all others three; 2.3 on average.
TEST(Opera, IsAlwaysAnExpander) {
  const Network network = fabric_of("kind: opera, bandwidth: 80 Gbps, routing: expander", 64);
  EXPECT_EQ(network.links.front().bandwidth, 10_Gbps);
  double sum = 0;
  std::size_t longest = 0;
  for (int to = 1; to < 64; ++to) {
    double hops = 0;
    for (const Hop& hop : route_of(network, 0, to).hops) {
      hops += static_cast<double>(hop.share) / kWhole;
    }
    sum += hops;
    longest = std::max(longest, static_cast<std::size_t>(std::lround(hops)));
  }
  EXPECT_LE(sum / 63, 2.35);
  EXPECT_LE(longest, 4U);
}

// 64 devices have 8 switches; each cycles through 8 matchings and keeps each for 8 slices of 100
// us.
TEST(Opera, NeedsANumberOfSwitchesThatDividesTheDevices) {
  const Network network = fabric_of("kind: opera, bandwidth: 64 Gbps", 64);
  const double rest = 6400.0 - 790.0;  // us per cycle without the circuit
  EXPECT_NEAR(static_cast<double>(network.links.front().latency.count()),
              rest * rest / 2 / 6400 * 1e6, 1.0);
  EXPECT_EQ(network.links.front().bandwidth, (Bandwidth{987'500'000}));
  EXPECT_EQ(refusal_of("kind: opera, bandwidth: 1 Gbps, switches: 6", 64),
            "test.yaml:1: fabric.switches is 6; 64 matchings do not divide evenly; a divisor of "
            "64 is needed");
}

TEST(Opera, RefusesAnExpanderWithTooFewSwitches) {
  EXPECT_EQ(refusal_of("kind: opera, bandwidth: 1 Gbps, switches: 2, routing: expander", 32),
            "test.yaml:1: fabric.routing is expander; while one of 2 switches changes, the others "
            "do not connect all 32 devices; more switches are needed");
  EXPECT_EQ(refusal_of("kind: opera, bandwidth: 1 bps, routing: expander", 32),
            "test.yaml:1: fabric.bandwidth is 1 bps; divided over 8 uplinks, it is below 1 bps");
  EXPECT_EQ(refusal_of("kind: opera, bandwidth: 1 Gbps, slice: 5 us", 32),
            "test.yaml:1: fabric.slice is 5 us; it must be longer than switch_time, 10 us");
}

// 64 devices behind gratings of 16 ports: 4 uplinks, epochs of 16 slots of 100 ns.
TEST(Sirius, ConnectsEveryPairOncePerEpoch) {
  const Network network = fabric_of("kind: sirius, bandwidth: 400 Gbps", 64);
  EXPECT_EQ(network.links.front().bandwidth, (Bandwidth{5'625'000'000}));
  EXPECT_LT(network.links.front().latency, 800_ns);
  EXPECT_GT(network.links.front().latency, 700_ns);
  EXPECT_EQ(route_of(network, 0, 1).hops.size(), 125U);
  EXPECT_EQ(refusal_of("kind: sirius, bandwidth: 1 Gbps, grating: 1", 8),
            "test.yaml:1: fabric.grating is 1; at least 2 is needed");
}

TEST(Shoal, HasOneUplinkAndAsManySlotsAsPeers) {
  const Network network = fabric_of("kind: shoal, bandwidth: 70 Gbps", 64);
  EXPECT_EQ(network.links.front().bandwidth, 1_Gbps);  // 90 % of a 63rd
  EXPECT_EQ(refusal_of("kind: shoal, bandwidth: 1 Gbps, switch_time: 1 us", 8),
            "test.yaml:1: fabric.slot is 50 ns; it must be longer than switch_time, 1 us");
}

}  // namespace
}  // namespace loom::fabric
