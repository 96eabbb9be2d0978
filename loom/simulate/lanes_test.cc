// Messages whose ends are known in advance end as if every message were a transfer: random
// workloads with and without an observer of every message, for which no lane is reserved.
#include <gtest/gtest.h>

#include <array>

#include "loom/base/random.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

constexpr int kDevices = 16;

std::string random_fabric(Random& random) {
  constexpr std::array kKinds = {
      "kind: switch, bandwidth: 10 Gbps", "kind: torus, shape: 4x4, bandwidth: 7 Gbps",
      "kind: fat_tree, radix: 4, bandwidth: 10 Gbps, oversubscription: 2, routing: ecmp",
      "kind: cluster, gpus_per_server: 4, bandwidth: 10 Gbps, inside_bandwidth: 30 Gbps"};
  constexpr std::array kLatencies = {"0 us", "1 us", "30 us"};
  return fmt::format("{}, latency: {}", kKinds[random(kKinds.size())],
                     kLatencies[random(kLatencies.size())]);
}

std::string random_collective(Random& random) {
  constexpr std::array kCollectives = {"all_reduce, algorithm: ring",
                                       "all_reduce, algorithm: double_binary_tree",
                                       "all_reduce, algorithm: halving_doubling",
                                       "all_gather, algorithm: ring",
                                       "all_to_all, algorithm: pairwise",
                                       "all_to_all, algorithm: direct",
                                       "broadcast, algorithm: ring",
                                       "all_reduce, algorithm: bidirectional_ring"};
  constexpr std::array kGroups = {"all", "rows", "columns"};
  const std::uint32_t unit = random(2) == 0 ? 16 : 16 * 3;  // with 16, some sizes are divisible
  const std::uint32_t size = random(8) == 0 ? random(40) : (1 + random(4000)) * unit;
  return fmt::format("collective: {}, size: {} B, chunks: {}, groups: {}",
                     kCollectives[random(kCollectives.size())], size, 1 + random(3),
                     kGroups[random(kGroups.size())]);
}

std::string random_operation(Random& random, int index) {
  std::string text = fmt::format("name: n{}, ", index);
  if (random(5) == 0) {
    const std::uint32_t from = random(kDevices);
    text += fmt::format("message: {} -> {}, size: {} B", from,
                        (from + 1 + random(kDevices - 1)) % kDevices, 1 + random(100'000));
  } else {
    text += random_collective(random);
  }
  if (random(2) == 0) text += fmt::format(", start: {} ns", random(200'000));
  if (index > 0 && random(3) == 0) {
    text += fmt::format(", after: n{}", random(static_cast<std::uint32_t>(index)));
  }
  return text;
}

workload::Workload random_workload(Random& random) {
  std::vector<std::string> operations;
  const int count = 1 + static_cast<int>(random(6));
  for (int i = 0; i < count; ++i) operations.push_back(random_operation(random, i));
  return workload_of(kDevices, operations,
                     "groups: [{name: all, members: 0-15}, {name: rows, size: 4, members: 0-15}, "
                     "{name: columns, size: 4, members: "
                     "\"0,4,8,12,1,5,9,13,2,6,10,14,3,7,11,15\"}]\n");
}

void expect_same(const Outcome& known, const Outcome& followed) {
  EXPECT_EQ(ends_of(known), ends_of(followed));
  EXPECT_EQ(known.completion_time, followed.completion_time);
  EXPECT_EQ(known.link_bytes, followed.link_bytes);
  EXPECT_EQ(known.messages, followed.messages);
  EXPECT_EQ(known.bytes, followed.bytes);
  EXPECT_FALSE(known.deadlock.has_value());
}

TEST(Lanes, KnownEndsAreThoseOfTransfers) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed);
    const fabric::Network network = fabric::fabric_of(random_fabric(random), kDevices, seed);
    const workload::Workload workload = random_workload(random);
    Recorder recorder;
    EngineOptions options;
    options.folding = false;
    const Outcome known = simulate_fluid(workload, network, {}, options);
    options.observer = &recorder;
    expect_same(known, simulate_fluid(workload, network, {}, options));
    if (HasFailure()) return;
  }
}

// The second message of the channel is on its way when another message takes half of the link.
TEST(Lanes, AKnownMessageSharesALinkThatIsTakenLater) {
  const auto network = fabric::fabric_of("kind: switch, bandwidth: 8 Gbps, latency: 0 s", 3);
  const std::vector<Duration> ends =
      ends_of(workload_of(3,
                          {"collective: all_gather, algorithm: ring, size: 3000 B, groups: all",
                           "message: 0 -> 2, size: 500 B, start: 1500 ns"},
                          "groups: [{name: all, members: 0-2}]\n"),
              network);
  EXPECT_EQ(ends, (Durations{2500_ns, 2500_ns}));
}

}  // namespace
}  // namespace loom::simulate
