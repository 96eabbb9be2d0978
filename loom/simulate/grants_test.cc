// Request-grant control: the engine against a reference model and closed forms.
#include <bit>

#include "loom/base/random.h"
#include "loom/simulate/oddl_testing.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

constexpr Duration kControl = 1_us;
constexpr Duration kSwitching{10'500};

Outcome run_collective(const workload::Collective& collective, const fabric::Network& network) {
  std::vector<int> ranks;
  for (int d = 0; d < network.devices; ++d) ranks.push_back(d);
  return run_fluid(collective_workload(collective, ranks, network.devices), network);
}

fabric::Network grid(int devices, const std::string& rest = "") {
  return fabric::fabric_of("kind: oddl, bandwidth: 16 Gbps" + rest, devices);
}

// A step: request and grant, switch, send.
Duration steps_time(int devices, Bytes size, Bandwidth port) {
  Duration sum{0};
  for (int divisor = 2; divisor <= devices; divisor *= 2) {
    sum += 2 * (2 * kControl + kSwitching + transfer_time(Bytes{size.count / divisor}, port));
  }
  return sum;
}

TEST(Grants, HalvingDoublingIsTheSumOfItsSteps) {
  for (int devices = 2; devices <= 256; devices *= 2) {
    const fabric::Network network = grid(devices);
    const Bandwidth port = devices == 2 ? 16_Gbps : 8_Gbps;
    const workload::Collective collective{workload::CollectiveKind::all_reduce,
                                          workload::Algorithm::halving_doubling, 1024_KB};
    const Outcome outcome = run_collective(collective, network);
    EXPECT_EQ(outcome.completion_time, steps_time(devices, collective.size, port)) << devices;
    const int steps = 2 * std::countr_zero(static_cast<unsigned>(devices));
    EXPECT_EQ(outcome.grants->messages(), 2 * steps * devices);
    EXPECT_EQ(outcome.grants->sent.back(), 2 * steps);
    EXPECT_EQ(outcome.grants->declines, 0);
    EXPECT_EQ(outcome.grants->forwarded, 0);
    const workload::Workload workload = collective_workload(
        collective,
        [&] {
          std::vector<int> ranks;
          for (int d = 0; d < devices; ++d) ranks.push_back(d);
          return ranks;
        }(),
        devices);
    EXPECT_EQ(simulate_coarse(workload, network, {}).completion_time, outcome.completion_time);
  }
}

// In the network's ring order every neighbor is one leg away.
TEST(Grants, ARingInTheNetworksOrderForwardsNothing) {
  for (const int devices : {4, 6, 9, 12, 16, 64}) {
    const fabric::Network network = grid(devices);
    const workload::Collective collective{workload::CollectiveKind::all_reduce,
                                          workload::Algorithm::ring, 576_KB};
    const Outcome outcome =
        run_fluid(collective_workload(collective, network.ring_order, devices), network);
    EXPECT_EQ(outcome.grants->forwarded, 0) << devices;
    const Duration step =
        2 * kControl + kSwitching + transfer_time(Bytes{collective.size.count / devices}, 8_Gbps);
    EXPECT_EQ(outcome.completion_time, 2 * (devices - 1) * step) << devices;
  }
}

TEST(Grants, EveryCollectiveArrives) {
  for (const int devices : {3, 5, 8, 12, 16}) {
    const fabric::Network network = grid(devices);
    for (const auto kind :
         {workload::CollectiveKind::all_reduce, workload::CollectiveKind::all_gather,
          workload::CollectiveKind::reduce_scatter, workload::CollectiveKind::all_to_all,
          workload::CollectiveKind::broadcast}) {
      for (const workload::Algorithm algorithm : algorithms_for(kind)) {
        for (const int chunks : {1, 3}) {
          const workload::Collective collective{kind, algorithm, 100_KB, chunks};
          if (objection(collective, devices)) continue;
          const Outcome outcome = run_collective(collective, network);
          ASSERT_FALSE(outcome.deadlock) << name_of(kind) << " by " << name_of(algorithm);
          ASSERT_EQ(outcome.grants->grants,
                    outcome.grants->declines + outcome.messages + outcome.grants->forwarded);
        }
      }
    }
  }
}

TEST(Grants, ZeroByteMessagesNeedGrantsToo) {
  const fabric::Network network = grid(4, ", shape: 1x4");
  EXPECT_EQ(ends_of(workload_of(4, {"message: 0 -> 3, size: 0 B", "message: 1 -> 3, size: 0 B"}),
                    network),
            (Durations{2 * kControl + kSwitching, 3 * kControl + 2 * kSwitching}));
}

TEST(Grants, AFlowOnALinkThatIsDownWaitsForIt) {
  const fabric::Network network = grid(4, ", shape: 1x4");  // link 0 leads up from device 0
  const workload::Workload workload = workload_of(4, {"message: 0 -> 3, size: 1 MB"});
  const Duration uncontended = ends_of(workload, network).front();
  EXPECT_EQ(ends_of(workload, network, {change(10_us, 0, {0}), change(50_us, 0, 16_Gbps)}).front(),
            uncontended + 40_us);
}

struct RandomCase {
  PlainGrid plain;
  std::string fabric;
  std::vector<std::string> operations;
};

RandomCase random_case(std::uint64_t seed) {
  Random random = random_stream(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random(static_cast<unsigned>(bound)));
  };
  const int devices = 2 + below(5);
  const int columns = 1 + below(devices);
  const int rows = (devices + columns - 1) / columns;
  RandomCase made{{devices,
                   columns,
                   Duration(below(3) * 100'000),
                   Duration(below(3) * 10'500),
                   Duration(below(2) * 70'000),
                   8_Gbps,
                   {}},
                  "",
                  {}};
  made.fabric = fmt::format(
      "kind: oddl, bandwidth: 16 Gbps, port: 8 Gbps, shape: {}x{}, control_latency: {} ps, "
      "switch_time: {} ps, latency: {} ps",
      rows, columns, made.plain.control.count(), made.plain.switching.count(),
      made.plain.latency.count());
  const int count = 1 + below(6);
  for (int m = 0; m < count; ++m) {
    const int source = below(devices);
    const int destination = (source + 1 + below(devices - 1)) % devices;
    const Bytes size{std::int64_t{150} * below(4)};
    const Duration start(below(4) * 100'000);
    int after = -1;
    for (int before = 0; before < m && random(2) == 0; ++before) {
      const int reached = made.plain.messages[static_cast<std::size_t>(before)].destination;
      if (reached == source) after = before;
    }
    made.plain.messages.push_back({source, destination, size, start, after});
    made.operations.push_back(fmt::format(
        "name: m{}, message: {} -> {}, size: {} B, start: {} ps{}", m, source, destination,
        size.count, start.count(), after < 0 ? "" : fmt::format(", after: m{}", after)));
  }
  return made;
}

TEST(Grants, AgreeWithTheReferenceModelOnSmallRandomTraffic) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomCase made = random_case(seed);
    const fabric::Network network = fabric::fabric_of(made.fabric, made.plain.devices);
    const workload::Workload workload = workload_of(made.plain.devices, made.operations);
    ASSERT_EQ(ends_of(workload, network), PlainOddl(made.plain).run()) << made.fabric;
  }
}

}  // namespace
}  // namespace loom::simulate
