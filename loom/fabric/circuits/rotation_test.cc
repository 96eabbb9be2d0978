// Rotation schedules of matchings, and the average links that represent them.
#include "loom/fabric/circuits/rotation.h"

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/kinds/electrical/full_mesh.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

TEST(Rotations, ConnectEveryPairOncePerCycleByPermutations) {
  for (const int devices : {1, 2, 3, 8, 13, 16, 31, 64}) {
    for (const int planes : {1, 2, 3, 8, 16}) {
      SCOPED_TRACE(fmt::format("{} devices, {} planes", devices, planes));
      EXPECT_EQ(why(violation(cyclic_rotation(devices, planes))), "no objection");
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        EXPECT_EQ(why(violation(random_rotation(devices, planes, seed))), "no objection")
            << "seed " << seed;
      }
    }
  }
}

TEST(Rotations, ThatAreUnfairAreReportedWithTheReason) {
  Rotation twice = cyclic_rotation(4, 1);
  twice.order[2] = twice.order[0];
  EXPECT_EQ(why(violation(twice)), "0 -> 1 are connected twice in a cycle");
  Rotation short_of_one = cyclic_rotation(4, 1);
  short_of_one.slots = 2;
  EXPECT_EQ(why(violation(short_of_one)), "0 -> 3 are never connected");
  Rotation no_permutation = cyclic_rotation(4, 1);
  no_permutation.exit[2] = 1;
  EXPECT_EQ(why(violation(no_permutation)), "plane 0 connects to device 1 twice in slot 0");
}

TEST(Rotations, DivideTheMatchingsOverThePlanes) {
  EXPECT_EQ(cyclic_rotation(64, 4).slots, 16);
  EXPECT_EQ(cyclic_rotation(64, 63).slots, 1);
  EXPECT_EQ(cyclic_rotation(64, 1).slots, 63);
  EXPECT_EQ(random_rotation(108, 6, 1).slots, 18);
}

// 400 Gbps over 4 uplinks, nine tenths of the time, one slot of 16.
TEST(AnAverageCircuit, HasItsFractionOfTheCycle) {
  const AverageCircuit it = average_circuit(cyclic_rotation(64, 4), {200_us, 20_us}, 400_Gbps);
  EXPECT_EQ(it.bandwidth, (Bandwidth{5'625'000'000}));
  EXPECT_EQ(it.cycle, 3200_us);
}

// Opera with 108 racks and 6 switches: a matching is kept for 6 slices, a cycle has 108 of them.
TEST(AnAverageCircuit, IsKeptForAllSlicesWhereSwitchesChangeInTurn) {
  const AverageCircuit it = average_circuit(random_rotation(108, 6, 1), {600_us, 10_us}, 108_Gbps);
  EXPECT_EQ(it.cycle, 10'800_us);
  EXPECT_EQ(it.bandwidth, (Bandwidth{983'333'333}));  // 1 Gbps, 59/60 of the time
}

// Over all arrival times, one by one.
TEST(AnAverageCircuit, IsWaitedForAsLongAsTheMeanOverAllTimes) {
  const Rotation rotation = cyclic_rotation(4, 1);
  for (const std::int64_t switch_time : {0, 200, 900}) {
    const std::int64_t cycle = 3000;
    const std::int64_t usable = 1000 - switch_time;
    std::int64_t sum = 0;  // the circuit is up at the end of the cycle
    for (std::int64_t at = 0; at < cycle; ++at)
      sum += std::max<std::int64_t>(0, cycle - usable - at);
    const AverageCircuit it =
        average_circuit(rotation, {Duration(1000), Duration(switch_time)}, 1_Gbps);
    EXPECT_NEAR(static_cast<double>(it.mean_wait.count()), static_cast<double>(sum) / 3000.0, 2.0);
  }
}

// The link from a to b carries traffic sent by a and traffic received by b, and nothing else.
TEST(Valiant, LoadsEachLinkWithTheTrafficSentAndReceivedByItsEnds) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed, 11);
    const int n = 3 + static_cast<int>(random(14));
    const Network network =
        valiant_rotation(n, {1_Gbps, 1_us, 1_us}, Duration(0), RotationLinks::pairs);
    expect_sound_routes(network);
    std::vector<double> load(network.links.size(), 0);
    std::vector<double> out(static_cast<std::size_t>(n), 0);
    std::vector<double> in(static_cast<std::size_t>(n), 0);
    for (int flow = 0; flow < 3 * n; ++flow) {
      const int from = static_cast<int>(random(static_cast<std::uint32_t>(n)));
      const int to = (from + 1 + static_cast<int>(random(static_cast<std::uint32_t>(n - 1)))) % n;
      const double size = 1 + random(1000);
      out[static_cast<std::size_t>(from)] += size;
      in[static_cast<std::size_t>(to)] += size;
      for (const Hop& hop : route_of(network, from, to).hops) {
        load[static_cast<std::size_t>(hop.link)] += size * static_cast<double>(hop.share) / kWhole;
      }
    }
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (a == b) continue;
        const double expected =
            (out[static_cast<std::size_t>(a)] + in[static_cast<std::size_t>(b)]) / n;
        EXPECT_NEAR(load[static_cast<std::size_t>(mesh_link(n, a, b))], expected, 1e-3);
      }
    }
  }
}

TEST(Valiant, LeavesOutUnreachableRelays) {
  const Network network =
      valiant_rotation(5, {1_Gbps, 1_us, 1_us}, Duration(0), RotationLinks::pairs);
  std::vector<bool> down(network.links.size(), false);
  down[static_cast<std::size_t>(mesh_link(5, 0, 2))] = true;
  down[static_cast<std::size_t>(mesh_link(5, 3, 1))] = true;
  Route route = route_of(network, 0, 1, 0, down);
  EXPECT_EQ(names_of(network, route), (std::vector<std::string>{"0->1", "0->4", "4->1"}));
  EXPECT_EQ(why(flaw_of(network, route, 0, 1)), "no objection");
  down[static_cast<std::size_t>(mesh_link(5, 0, 1))] = true;
  route = route_of(network, 0, 1, 0, down);
  EXPECT_EQ(names_of(network, route), (std::vector<std::string>{"0->4", "4->1"}));
  down[static_cast<std::size_t>(mesh_link(5, 0, 4))] = true;
  route = route_of(network, 0, 1, 0, down);  // over two relays
  EXPECT_EQ(names_of(network, route), (std::vector<std::string>{"0->3", "3->2", "2->1"}));
}

TEST(Valiant, IsDirectBetweenTwo) {
  const Network network =
      valiant_rotation(2, {1_Gbps, 1_us, 1_us}, Duration(0), RotationLinks::automatic);
  EXPECT_EQ(names_of(network, route_of(network, 0, 1)), (std::vector<std::string>{"0->1"}));
}

}  // namespace
}  // namespace loom::fabric
