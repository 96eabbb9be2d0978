#include "loom/workload/workload.h"

#include <gtest/gtest.h>

#include "loom/base/files.h"
#include "loom/base/random.h"

namespace loom::workload {
namespace {

constexpr const char* kExample = R"(devices: 64
groups:
  - {name: g0, size: 8, members: 0-63}
  - {name: g1, size: 1, members: 0-56/8}
operations:
  - {name: a, collective: all_reduce, algorithm: ring, size: 1 GB, groups: g0}
  - {name: b, message: "0 -> 1", size: 4194304 B, after: a}
  - {name: c, compute: 3 ms, groups: g1, after: a b}
  - {name: d, receive: "0 -> 1", after: c}
  - {collective: all_to_all, algorithm: hierarchical, size: 64 kB, chunks: 4, levels: 2x4, groups: g0, weight: 3, start: 5 us, after: d}
  - {compute: 1 us, groups: g1, after: "#4 a"}
)";

TEST(WorkloadText, AParsedWorkloadIsWrittenBackUnchanged) {
  EXPECT_EQ(to_text(parse_workload(kExample, "example.yaml")), kExample);
}

TEST(WorkloadText, EveryKeyIsRead) {
  const Workload workload = parse_workload(kExample, "example.yaml");
  EXPECT_EQ(workload.devices, 64);
  EXPECT_EQ(workload.groups.at(0).count(), 8);
  EXPECT_EQ(workload.groups.at(0).device(3, 2), 26);
  EXPECT_EQ(workload.groups.at(1).members, (std::vector<int>{0, 8, 16, 24, 32, 40, 48, 56}));
  const Collective hierarchical{
      CollectiveKind::all_to_all, Algorithm::hierarchical, 64_KB, 4, {2, 4}};
  EXPECT_EQ(workload.collectives.at(1), hierarchical);
  EXPECT_EQ(workload.operations.at(1), (Operation{.kind = OperationKind::message,
                                                  .source = 0,
                                                  .destination = 1,
                                                  .size = 4_MiB,
                                                  .first_after = 0,
                                                  .after_count = 1}));
  EXPECT_EQ(workload.operations.at(4).weight, 3);
  EXPECT_EQ(workload.operations.at(4).start, 5_us);
  EXPECT_EQ(workload.after, (std::vector<std::uint32_t>{0, 0, 1, 2, 3, 4, 0}));
  EXPECT_EQ(workload.name(3), "d");
  EXPECT_EQ(workload.name(4), "#4");
}

TEST(WorkloadText, DevicesAndRanksNeedNoEntryInGroups) {
  const Workload workload = parse_workload(R"(
devices: 8
operations:
  - {collective: all_gather, size: 8 B, ranks: 4-7}
  - {compute: 1 s, device: 3}
  - {collective: broadcast, algorithm: tree, size: 8 B, ranks: "4,5,6,7"}
)",
                                           "w.yaml");
  EXPECT_EQ(workload.groups, (std::vector<Groups>{{4, {4, 5, 6, 7}}, {1, {3}}}));
  EXPECT_EQ(workload.collectives.at(1).algorithm, Algorithm::double_binary_tree);
}

TEST(WorkloadText, TheDefaultAlgorithmIsUsedIfNoneIsGiven) {
  const Workload workload = parse_workload(
      "devices: 2\noperations:\n  - {collective: all_to_all, size: 8 B, ranks: 0 1}\n", "w.yaml");
  EXPECT_EQ(workload.collectives.at(0).algorithm, Algorithm::direct);
}

TEST(WorkloadText, UnequalSizesAreRowsAndTheBusiestRankDeterminesTheSize) {
  const std::string text =
      "devices: 2\n"
      "groups:\n"
      "  - {name: g0, size: 2, members: 0-1}\n"
      "operations:\n"
      "  - {collective: all_to_all, algorithm: direct, size: 9 B, sizes: 1 5 / 0 4, groups: g0}\n";
  const Workload workload = parse_workload(text, "w.yaml");
  EXPECT_EQ(workload.collectives.at(0).sizes, (std::vector<Bytes>{1_B, 5_B, 0_B, 4_B}));
  EXPECT_EQ(to_text(workload), text);
  std::string without = text;
  without.erase(without.find("size: 9 B, "), 11);
  EXPECT_EQ(parse_workload(without, "w.yaml"), workload);
}

TEST(WorkloadText, TheExampleInTheDocumentationParses) {
  const std::string page = read_file(LOOM_SOURCE_DIR "/docs/collectives.md");
  const std::size_t begin = page.find("```yaml\n") + 8;
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  EXPECT_EQ(parse_workload(example, "collectives.md").operations.size(), 6U);
}

TEST(WorkloadText, EqualCollectivesOfEqualGroupsAreShared) {
  const Workload workload = parse_workload(R"(
devices: 8
operations:
  - {collective: all_reduce, size: 8 B, ranks: 0-3}
  - {collective: all_reduce, size: 8 B, ranks: 4-7}
  - {collective: all_reduce, size: 8 B, ranks: 0-7}
)",
                                           "w.yaml");
  EXPECT_EQ(workload.collectives.size(), 2U);
  EXPECT_EQ(workload.operations[1].collective, 0);
  EXPECT_EQ(workload.operations[2].collective, 1);
}

TEST(WorkloadText, ASingleCollectiveParsesBack) {
  for (std::size_t kind = 0; kind < kCollectiveNames.size(); ++kind) {
    for (const Algorithm algorithm : algorithms_for(static_cast<CollectiveKind>(kind))) {
      Collective collective{static_cast<CollectiveKind>(kind), algorithm, 12345_B, 7};
      if (algorithm == Algorithm::hierarchical) collective.levels = {2};
      if (algorithm == Algorithm::rings) collective.steps = {1, 1};
      const Workload workload = collective_workload(collective, {5, 3}, 6);
      EXPECT_EQ(parse_workload(to_text(workload), "w.yaml"), workload);
    }
  }
}

Operation random_operation(Random& random, Workload& workload) {
  Operation operation{.kind = static_cast<OperationKind>(random(4))};
  if (operation.kind == OperationKind::compute || operation.kind == OperationKind::collective) {
    operation.groups = static_cast<int>(random(static_cast<std::uint32_t>(workload.groups.size())));
  } else {
    operation.source = static_cast<int>(random(8));
    operation.destination = (operation.source + 1 + static_cast<int>(random(7))) % 8;
  }
  if (operation.kind == OperationKind::compute) operation.time = Duration(random());
  if (operation.kind == OperationKind::message) operation.size = {random()};
  if (operation.kind == OperationKind::collective) {
    operation.collective = static_cast<int>(workload.collectives.size());
    workload.collectives.push_back({.size = {1000 + operation.collective}, .chunks = 3});
  }
  const bool weighted = operation.groups < 0 || operation.collective >= 0;
  if (weighted && operation.kind != OperationKind::receive) operation.weight = 1 + random(9);
  operation.start = Duration(random(3) * 1000);
  return operation;
}

TEST(WorkloadText, AnyWorkloadParsesBack) {
  Random random = random_stream(5);
  for (int round = 0; round < 200; ++round) {
    Workload workload;
    workload.devices = 8;
    workload.groups = {{4, {0, 1, 2, 3, 4, 5, 6, 7}}, {1, {5}}, {3, {7, 2, 0}}};
    const std::uint32_t count = random(12);
    for (std::uint32_t i = 0; i < count; ++i) {
      Operation operation = random_operation(random, workload);
      operation.first_after = static_cast<std::uint32_t>(workload.after.size());
      operation.after_count = random(3);
      for (std::uint32_t k = 0; k < operation.after_count; ++k)
        workload.after.push_back(random(count));
      workload.operations.push_back(operation);
      if (round % 2 == 1) workload.names.push_back("operation" + std::to_string(i));
    }
    EXPECT_EQ(parse_workload(to_text(workload), "w.yaml"), workload) << to_text(workload);
  }
}

}  // namespace
}  // namespace loom::workload
