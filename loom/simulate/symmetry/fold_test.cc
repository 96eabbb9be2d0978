// Equivalent devices are simulated once, with the same times as when simulated one by one.
#include "loom/simulate/symmetry/fold.h"

#include <gtest/gtest.h>

#include <set>

#include "loom/base/random.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

std::vector<int> range(int count, int first = 0) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(first + i);
  return all;
}

// Two stages of rows × columns devices. Groups per stage: single devices, rows, columns, all
// devices; then messages from the first stage to the second, and back.
enum GroupKind : std::uint8_t { kEach, kRows, kColumns, kAll, kOfStage, kThere = 8, kBack = 9 };

std::vector<workload::Groups> grid_groups(int rows, int columns) {
  const int half = rows * columns;
  std::vector<workload::Groups> groups;
  for (const int first : {0, half}) {
    groups.push_back({1, range(half, first)});
    groups.push_back({columns, range(half, first)});
    workload::Groups by_column{rows, {}};
    for (int c = 0; c < columns; ++c) {
      for (int r = 0; r < rows; ++r) by_column.members.push_back(first + r * columns + c);
    }
    groups.push_back(by_column);
    groups.push_back({half, range(half, first)});
  }
  for (const bool there : {true, false}) {
    workload::Groups pairs{2, {}};
    for (int d = 0; d < half; ++d) {
      pairs.members.push_back(there ? d : d + half);
      pairs.members.push_back(there ? d + half : d);
    }
    groups.push_back(pairs);
  }
  return groups;
}

void add_random_operation(workload::Workload& it, Random& random) {
  workload::Operation op;
  const bool computes = random(2) == 0;
  op.kind = computes ? workload::OperationKind::compute : workload::OperationKind::collective;
  if (computes) {
    op.groups = static_cast<int>(random(2)) * kOfStage + kEach;
    op.time = Duration(random(5) * 1'000'000);
  } else {
    const bool message = random(3) == 0;
    op.groups = message
                    ? (random(2) == 0 ? kThere : kBack)
                    : static_cast<int>(random(2)) * kOfStage + kRows + static_cast<int>(random(3));
    workload::Collective collective;
    constexpr std::array kDone = {workload::CollectiveKind::all_reduce,
                                  workload::CollectiveKind::all_gather,
                                  workload::CollectiveKind::reduce_scatter};
    collective.kind = message ? workload::CollectiveKind::point_to_point : kDone[random(3)];
    collective.algorithm = message ? workload::Algorithm::direct : workload::Algorithm::ring;
    collective.size = {std::int64_t{1'000} * (1 + random(1000))};
    op.collective = static_cast<int>(it.collectives.size());
    it.collectives.push_back(collective);
  }
  op.first_after = static_cast<std::uint32_t>(it.after.size());
  const auto before = static_cast<std::uint32_t>(it.operations.size());
  if (before > 0) {
    std::set<std::uint32_t> after = {before - 1 - random(std::min(before, 3U)), random(before)};
    it.after.insert(it.after.end(), after.begin(), after.end());
    op.after_count = static_cast<std::uint32_t>(after.size());
  }
  it.operations.push_back(op);
}

workload::Workload random_workload(Random& random) {
  const int rows = 1 + static_cast<int>(random(3));
  const int columns = 2 + static_cast<int>(random(3));
  workload::Workload it;
  it.devices = 2 * rows * columns;
  it.groups = grid_groups(rows, columns);
  for (int o = 0; o < 25; ++o) add_random_operation(it, random);
  return it;
}

// The same workload with one more message that nothing waits for, so every device is simulated.
workload::Workload unfoldable(workload::Workload it) {
  workload::Operation message;
  message.kind = workload::OperationKind::message;
  message.source = 0;
  message.destination = 1;
  message.size = 1_B;
  message.first_after = static_cast<std::uint32_t>(it.after.size());
  it.operations.push_back(message);
  return it;
}

TEST(Fold, GivesTheSameTimesAsSimulatingEveryDevice) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 3);
    const workload::Workload workload = random_workload(random);
    const fabric::Network network =
        fabric::fabric_of("kind: switch, bandwidth: 100 Gbps, latency: 1 us", workload.devices);
    const auto folded = fold(workload);
    ASSERT_TRUE(folded.has_value());
    EXPECT_LT(folded->workload.devices, workload.devices);
    EXPECT_FALSE(fold(unfoldable(workload)).has_value());
    const Outcome by_class = simulate_coarse(workload, network, {});
    Outcome by_device = simulate_coarse(unfoldable(workload), network, {});
    by_device.operation_end.pop_back();
    // Flows of one group each are rounded differently from one flow for all groups.
    for (std::size_t o = 0; o < by_class.operation_end.size(); ++o) {
      const double time = seconds(elapsed(by_device.operation_end[o]));
      EXPECT_NEAR(seconds(elapsed(by_class.operation_end[o])), time, 1e-4 * time) << o;
    }
    EXPECT_EQ(by_class.messages, by_device.messages - 1);
    EXPECT_EQ(by_class.bytes, by_device.bytes - 1_B);
  }
}

TEST(Fold, EveryClassHasOneRepresentative) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 4);
    const workload::Workload workload = random_workload(random);
    const auto folded = fold(workload);
    ASSERT_TRUE(folded.has_value());
    const std::vector<DeviceId>& devices = folded->representatives;
    EXPECT_EQ(devices.size(), static_cast<std::size_t>(folded->workload.devices));
    EXPECT_EQ(std::set<DeviceId>(devices.begin(), devices.end()).size(), devices.size());
    for (const DeviceId device : devices) EXPECT_LT(device, workload.devices);
    EXPECT_EQ(folded->workload.operations, workload.operations);
  }
}

TEST(Fold, IsSkippedIfEveryDeviceDiffers) {
  workload::Workload workload;
  workload.devices = 2;
  workload.groups = {{1, {0}}, {1, {1}}};
  for (const int group : {0, 1}) {
    workload::Operation op;
    op.kind = workload::OperationKind::compute;
    op.groups = group;
    op.time = 1_us;
    workload.operations.push_back(op);
  }
  EXPECT_FALSE(fold(workload).has_value());
}

workload::Workload three_rounds(int devices) {
  workload::Workload it;
  it.devices = devices;
  it.groups = {{1, range(devices)}, {devices, range(devices)}};
  workload::Collective collective;
  collective.kind = workload::CollectiveKind::all_reduce;
  collective.algorithm = workload::Algorithm::ring;
  collective.size = 1_MB;
  it.collectives = {collective};
  for (int o = 0; o < 6; ++o) {
    workload::Operation op;
    op.kind = o % 2 == 0 ? workload::OperationKind::compute : workload::OperationKind::collective;
    op.groups = o % 2;
    op.time = o % 2 == 0 ? 1_ms : Duration(0);
    op.collective = o % 2 == 0 ? -1 : 0;
    op.first_after = static_cast<std::uint32_t>(it.after.size());
    if (o > 0) it.after.push_back(static_cast<std::uint32_t>(o - 1));
    op.after_count = o > 0 ? 1 : 0;
    it.operations.push_back(op);
  }
  return it;
}

TEST(Fold, OneClassIsEnoughIfAllDevicesDoTheSame) {
  const auto folded = fold(three_rounds(8));
  ASSERT_TRUE(folded.has_value());
  EXPECT_EQ(folded->workload.devices, 1);
  EXPECT_EQ(folded->representatives, std::vector{DeviceId(0)});
}

Duration jittered(double jitter, std::uint64_t seed, bool fluid) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 100 Gbps", 8);
  EngineOptions options;
  options.jitter = jitter;
  options.seed = seed;
  const workload::Workload workload = three_rounds(8);
  return fluid ? simulate_fluid(workload, network, {}, options).completion_time
               : simulate_coarse(workload, network, options).completion_time;
}

TEST(Jitter, DependsOnTheSeedOnly) {
  for (const bool fluid : {false, true}) {
    EXPECT_EQ(jittered(0.1, 1, fluid), jittered(0.1, 1, fluid));
    EXPECT_NE(jittered(0.1, 1, fluid), jittered(0.1, 2, fluid));
    EXPECT_EQ(jittered(0, 1, fluid), jittered(0, 2, fluid));
  }
}

// All devices wait for the slowest: among eight it is above the mean, and more so with more jitter.
TEST(Jitter, SlowsDownOperationsThatSynchronize) {
  for (const bool fluid : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      EXPECT_GT(jittered(0.1, seed, fluid), jittered(0, seed, fluid)) << "seed " << seed;
      EXPECT_GT(jittered(0.3, seed, fluid), jittered(0.1, seed, fluid)) << "seed " << seed;
    }
  }
}

TEST(Jitter, BothEnginesSampleTheSameTimes) {
  const workload::Workload workload = three_rounds(8);
  EngineOptions options;
  options.jitter = 0.25;
  options.seed = 9;
  std::set<std::int64_t> times;
  for (DeviceId device(0); device < 8; ++device) {
    const Duration time = compute_time(workload, OperationId(0), device, options);
    EXPECT_EQ(time, compute_time(workload, OperationId(0), device, options));
    EXPECT_GT(time.count(), 0);
    times.insert(time.count());
  }
  EXPECT_EQ(times.size(), 8U);
  EXPECT_EQ(jittered(0.25, 9, false), jittered(0.25, 9, true));
}

// One device has extra work: all devices end later by exactly that time.
TEST(Jitter, AStragglerDelaysAllDevicesThatWaitForIt) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 100 Gbps", 8);
  workload::Workload slow = three_rounds(8);
  slow.groups.push_back({1, {5}});
  workload::Operation more;
  more.kind = workload::OperationKind::compute;
  more.groups = 2;
  more.time = 7_ms;
  more.first_after = static_cast<std::uint32_t>(slow.after.size());
  slow.operations.push_back(more);
  slow.operations[1].first_after = static_cast<std::uint32_t>(slow.after.size());
  slow.operations[1].after_count = 2;
  slow.after.push_back(0);
  slow.after.push_back(6);
  for (const bool fluid : {false, true}) {
    const auto run = [&](const workload::Workload& it) {
      return fluid ? simulate_fluid(it, network, {}, {}).completion_time
                   : simulate_coarse(it, network, {}).completion_time;
    };
    EXPECT_EQ(run(slow), run(three_rounds(8)) + 7_ms);
  }
}

}  // namespace
}  // namespace loom::simulate
