// Mapping of ranks to devices: groups tile a stage, and the innermost dimension is contiguous.
#include "loom/place/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace loom::place {
namespace {

constexpr std::array kSpans = {parallelize::Span::tensor, parallelize::Span::context,
                               parallelize::Span::expert, parallelize::Span::data,
                               parallelize::Span::expert_data};

std::vector<parallelize::Strategy> in_all_orders(parallelize::Strategy strategy) {
  std::vector<parallelize::Strategy> all;
  do {
    all.push_back(strategy);
  } while (std::next_permutation(strategy.order.begin(), strategy.order.end()));
  return all;
}

const parallelize::Strategy kMixed{
    .tensor = 2, .context = 3, .expert = 2, .data = 4, .pipeline = 2};

int size_of(parallelize::Span span) {
  constexpr std::array kSizes = {2, 3, 2, 12, 6};
  return kSizes[static_cast<std::size_t>(span)];
}

TEST(Grid, ThereAreAsManyOrdersAsPermutations) { EXPECT_EQ(in_all_orders(kMixed).size(), 120U); }

TEST(Grid, StagesTileTheDevices) {
  for (const parallelize::Strategy& it : in_all_orders(kMixed)) {
    const Grid grid(it);
    EXPECT_EQ(grid.devices(), it.devices());
    std::set<int> seen;
    for (int stage = 0; stage < it.pipeline; ++stage) {
      const workload::Groups groups = grid.stage(stage);
      EXPECT_EQ(groups.size, 1);
      for (const int device : groups.members) {
        EXPECT_EQ(grid.coordinate(device, parallelize::Dimension::pipeline), stage);
        EXPECT_TRUE(seen.insert(device).second);
      }
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(it.devices()));
    EXPECT_EQ(*seen.rbegin(), it.devices() - 1);
  }
}

TEST(Grid, GroupsTileTheDevicesOfAStage) {
  for (const parallelize::Strategy& it : in_all_orders(kMixed)) {
    const Grid grid(it);
    for (const parallelize::Span span : kSpans) {
      for (int stage = 0; stage < it.pipeline; ++stage) {
        const workload::Groups groups = grid.groups(span, stage);
        EXPECT_EQ(groups.size, size_of(span));
        std::vector<int> members = groups.members;
        std::sort(members.begin(), members.end());
        EXPECT_EQ(members, grid.stage(stage).members);
      }
    }
  }
}

bool spans(parallelize::Span span, parallelize::Dimension dimension) {
  switch (dimension) {
    case parallelize::Dimension::tensor:
      return span == parallelize::Span::tensor;
    case parallelize::Dimension::context:
      return span == parallelize::Span::context || span == parallelize::Span::data ||
             span == parallelize::Span::expert_data;
    case parallelize::Dimension::expert:
      return span == parallelize::Span::expert || span == parallelize::Span::data;
    case parallelize::Dimension::data:
      return span == parallelize::Span::data || span == parallelize::Span::expert_data;
    case parallelize::Dimension::pipeline:
      break;
  }
  return false;
}

TEST(Grid, RanksOfAGroupDifferOnlyInItsDimensions) {
  for (const parallelize::Strategy& it : in_all_orders(kMixed)) {
    const Grid grid(it);
    for (const parallelize::Span span : kSpans) {
      const workload::Groups groups = grid.groups(span, 1);
      for (int group = 0; group < groups.count(); ++group) {
        for (int rank = 1; rank < groups.size; ++rank) {
          for (const parallelize::Dimension d : it.order) {
            if (spans(span, d)) continue;
            EXPECT_EQ(grid.coordinate(groups.device(group, rank), d),
                      grid.coordinate(groups.device(group, 0), d));
          }
          EXPECT_GT(groups.device(group, rank), groups.device(group, rank - 1));
        }
      }
    }
  }
}

TEST(Grid, TheInnermostDimensionIsContiguous) {
  constexpr std::array kOwnSpan = {parallelize::Span::tensor, parallelize::Span::context,
                                   parallelize::Span::expert};
  for (const parallelize::Strategy& it : in_all_orders(kMixed)) {
    const auto innermost = static_cast<std::size_t>(it.order.front());
    if (innermost >= kOwnSpan.size()) continue;
    const workload::Groups groups = Grid(it).groups(kOwnSpan[innermost], 0);
    for (int group = 0; group < groups.count(); ++group) {
      for (int rank = 1; rank < groups.size; ++rank) {
        EXPECT_EQ(groups.device(group, rank), groups.device(group, 0) + rank);
      }
    }
  }
}

TEST(Grid, AsInMegatronTensorIsInnermostAndPipelineOutermost) {
  const Grid grid({.tensor = 2, .data = 2, .pipeline = 2});
  EXPECT_EQ(grid.groups(parallelize::Span::tensor, 0), (workload::Groups{2, {0, 1, 2, 3}}));
  EXPECT_EQ(grid.groups(parallelize::Span::data, 0), (workload::Groups{2, {0, 2, 1, 3}}));
  EXPECT_EQ(grid.groups(parallelize::Span::tensor, 1), (workload::Groups{2, {4, 5, 6, 7}}));
  EXPECT_EQ(grid.pairs(0, 1), (workload::Groups{2, {0, 4, 1, 5, 2, 6, 3, 7}}));
  EXPECT_EQ(grid.pairs(1, 0), (workload::Groups{2, {4, 0, 5, 1, 6, 2, 7, 3}}));
}

TEST(Grid, PairsJoinDevicesThatDifferOnlyInTheirStage) {
  for (const parallelize::Strategy& it : in_all_orders(kMixed)) {
    const Grid grid(it);
    const workload::Groups pairs = grid.pairs(0, 1);
    EXPECT_EQ(pairs.count() * it.pipeline, it.devices());
    for (int pair = 0; pair < pairs.count(); ++pair) {
      for (const parallelize::Dimension d : it.order) {
        const int from = grid.coordinate(pairs.device(pair, 0), d);
        const int to = grid.coordinate(pairs.device(pair, 1), d);
        EXPECT_EQ(to - from, d == parallelize::Dimension::pipeline ? 1 : 0);
      }
    }
  }
}

}  // namespace
}  // namespace loom::place
