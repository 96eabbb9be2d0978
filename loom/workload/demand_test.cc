#include "loom/workload/demand.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::workload {
namespace {

TEST(Demand, InARingIsBetweenNeighborsOnly) {
  const Workload ring = collective_workload(
      {.kind = CollectiveKind::all_reduce, .algorithm = Algorithm::ring, .size = {12'000}},
      {0, 2, 1}, 4);
  const Bytes each{16'000};
  EXPECT_EQ(demand_of(ring), (Demand{{0, 2, each}, {1, 0, each}, {2, 1, each}}));
}

TEST(Demand, CountsOnlyTheSelectedOperations) {
  Workload workload;
  workload.devices = 3;
  for (int i = 0; i < 4; ++i) {
    Operation message;
    message.source = i % 2;
    message.destination = 2;
    message.size = {1 + i};
    workload.operations.push_back(message);
  }
  EXPECT_EQ(demand_of(workload), (Demand{{0, 2, {4}}, {1, 2, {6}}}));
  EXPECT_EQ(demand_of(workload, [](std::size_t o) { return o > 1; }),
            (Demand{{0, 2, {3}}, {1, 2, {4}}}));
}

TEST(Demand, EqualsTheSumOfTheExpandedMessages) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 3);
    const int ranks = 2 + static_cast<int>(random(7));
    Collective collective;
    collective.kind = static_cast<CollectiveKind>(random(5));
    const auto algorithms = algorithms_for(collective.kind);
    collective.algorithm = algorithms[random(static_cast<std::uint32_t>(algorithms.size()))];
    collective.size = {random(100'000)};
    collective.chunks = 1 + static_cast<int>(random(3));
    if (collective.algorithm == Algorithm::rings) collective.steps = {1, ranks - 1, 1};
    if (objection(collective, ranks)) continue;
    std::vector<int> devices;
    for (int rank = 0; rank < ranks; ++rank) devices.push_back(ranks - 1 - rank);
    const Workload whole = collective_workload(collective, devices, ranks);
    EXPECT_EQ(demand_of(whole), demand_of(expand(whole)));
  }
}

}  // namespace
}  // namespace loom::workload
