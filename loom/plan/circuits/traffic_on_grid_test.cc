#include "loom/plan/circuits/traffic_on_grid.h"

#include <gtest/gtest.h>

namespace loom::plan {
namespace {

void add_collective(workload::Workload& workload, workload::Groups groups,
                    workload::Collective collective) {
  workload.operations.push_back({.kind = workload::OperationKind::collective,
                                 .groups = static_cast<int>(workload.groups.size()),
                                 .collective = static_cast<int>(workload.collectives.size())});
  workload.groups.push_back(std::move(groups));
  workload.collectives.push_back(std::move(collective));
}

workload::Collective all_reduce(std::int64_t bytes) {
  return {.kind = workload::CollectiveKind::all_reduce,
          .algorithm = workload::Algorithm::ring,
          .size = Bytes{bytes}};
}

// Four pairs of neighbors, and two groups of every other device.
workload::Workload pairs_and_fours() {
  workload::Workload workload;
  workload.devices = 8;
  add_collective(workload, {2, {0, 1, 2, 3, 4, 5, 6, 7}}, all_reduce(800));
  add_collective(workload, {4, {0, 2, 4, 6, 1, 3, 5, 7}}, all_reduce(400));
  return workload;
}

TEST(TrafficOnGrid, GroupsAtRegularDistancesFormAGrid) {
  const auto traffic = traffic_on_grid(pairs_and_fours(), 8);
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->shifts.grid.extents(), (std::vector{2, 4}));
  ASSERT_EQ(traffic->shifts.kinds.size(), 2U);
  EXPECT_EQ(traffic->shifts.kinds[0].shift_of, (std::vector{0, 1}));
  EXPECT_EQ(traffic->shifts.kinds[0].ring_bytes, 800);
  EXPECT_EQ(traffic->shifts.kinds[1].shift_of, (std::vector{0, 2, 4, 6}));
  EXPECT_EQ(traffic->shifts.kinds[1].ring_bytes, 600);
}

TEST(TrafficOnGrid, PairsAreShiftsOfTheDeviceThatSendsMost) {
  workload::Workload workload = pairs_and_fours();
  workload.operations.push_back({.source = 0, .destination = 2, .size = Bytes{10}});
  workload.operations.push_back({.source = 5, .destination = 7, .size = Bytes{30}});
  const auto traffic = traffic_on_grid(workload, 8);
  ASSERT_TRUE(traffic);
  ASSERT_EQ(traffic->shifts.kinds.size(), 3U);
  ASSERT_EQ(traffic->shifts.kinds[2].fixed.size(), 1U);
  EXPECT_EQ(traffic->shifts.kinds[2].fixed[0].shift, 2);
  EXPECT_EQ(traffic->shifts.kinds[2].fixed[0].bytes, 30);
}

TEST(TrafficOnGrid, AGroupThatSpansTwoDimensionsHasARingInTheOrderOfItsMembers) {
  workload::Workload workload = pairs_and_fours();
  add_collective(workload, {8, {0, 1, 2, 3, 4, 5, 6, 7}}, all_reduce(80));
  const auto traffic = traffic_on_grid(workload, 8);
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->kind_of_group.back(), -1);
  EXPECT_TRUE(traffic->shifts.kinds.back().shift_of.empty());
  EXPECT_FALSE(traffic->shifts.kinds.back().fixed.empty());
}

TEST(TrafficOnGrid, IrregularGroupsFormNoGrid) {
  workload::Workload workload = pairs_and_fours();
  add_collective(workload, {3, {0, 1, 5}}, all_reduce(80));
  EXPECT_FALSE(traffic_on_grid(workload, 8));
  workload::Workload crossing;  // groups of three and of two along one dimension
  crossing.devices = 6;
  add_collective(crossing, {3, {0, 1, 2, 3, 4, 5}}, all_reduce(80));
  add_collective(crossing, {2, {0, 1, 2, 3, 4, 5}}, all_reduce(80));
  EXPECT_FALSE(traffic_on_grid(crossing, 6));
}

}  // namespace
}  // namespace loom::plan
