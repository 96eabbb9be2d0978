#include "loom/fabric/kinds/optical/oddl.h"

#include <algorithm>
#include <numeric>

#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

bool share_a_line(const OddlGrid& grid, int a, int b) { return grid.between(a, b) < 0; }

// Every grid shape without an empty row for this many devices.
std::vector<OddlGrid> all_grids(int devices) {
  std::vector<OddlGrid> grids;
  for (int columns = 1; columns <= devices; ++columns) {
    grids.push_back({devices, (devices + columns - 1) / columns, columns});
  }
  return grids;
}

bool closes(const OddlGrid& grid, const std::vector<int>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!share_a_line(grid, order[i], order[(i + 1) % order.size()])) return false;
  }
  return true;
}

TEST(Oddl, HasAsManySwitchesAsThePaper) {
  const OddlGrid small = square_grid(1024);
  EXPECT_EQ(small.rows + small.columns, 64);
  EXPECT_EQ(small.columns, 32);
  const OddlGrid large = square_grid(4096);
  EXPECT_EQ(large.rows + large.columns, 128);
  EXPECT_EQ(large.columns, 64);
}

TEST(Oddl, PartnersOfHalvingDoublingShareARowOrColumnForEveryPowerOfTwo) {
  for (int devices = 2; devices <= 1 << 14; devices *= 2) {
    const OddlGrid grid = square_grid(devices);
    for (int device = 0; device < devices; ++device) {
      for (int apart = 1; apart < devices; apart *= 2) {
        ASSERT_TRUE(share_a_line(grid, device, device ^ apart)) << device << " " << apart;
      }
    }
  }
}

TEST(Oddl, AtMostOneRelayConnectsAnyTwo) {
  for (int devices = 1; devices <= 30; ++devices) {
    for (const OddlGrid& grid : all_grids(devices)) {
      for (int a = 0; a < devices; ++a) {
        for (int b = 0; b < devices; ++b) {
          const int between = grid.between(a, b);
          ASSERT_LT(between, devices);
          if (between < 0) continue;
          ASSERT_TRUE(share_a_line(grid, a, between));
          ASSERT_TRUE(share_a_line(grid, between, b));
        }
      }
    }
  }
}

TEST(Oddl, ASnakeVisitsEveryDeviceOnce) {
  for (int devices = 1; devices <= 70; ++devices) {
    for (const OddlGrid& grid : all_grids(devices)) {
      std::vector<int> order = snake_order(grid);
      std::sort(order.begin(), order.end());
      std::vector<int> all(static_cast<std::size_t>(devices));
      std::iota(all.begin(), all.end(), 0);
      ASSERT_EQ(order, all);
    }
  }
}

TEST(Oddl, FullGridsAndSquareOnesHaveAClosedSnakeUnlessTheSecondRowHasOneDevice) {
  for (int devices = 4; devices <= 400; ++devices) {
    for (const OddlGrid& grid : all_grids(devices)) {
      if (grid.rows * grid.columns != devices) continue;
      ASSERT_TRUE(closes(grid, snake_order(grid))) << grid.rows << "x" << grid.columns;
    }
    const OddlGrid square = square_grid(devices);
    const bool one_below = devices == square.columns + 1;
    ASSERT_EQ(closes(square, snake_order(square)), !one_below) << devices;
  }
}

// Exhaustive: every order of the devices.
TEST(Oddl, IfNoSnakeClosesNoOrderDoes) {
  for (int devices = 3; devices <= 8; ++devices) {
    for (const OddlGrid& grid : all_grids(devices)) {
      std::vector<int> order(static_cast<std::size_t>(devices));
      std::iota(order.begin(), order.end(), 0);
      bool any = false;
      do any = closes(grid, order);
      while (!any && std::next_permutation(order.begin() + 1, order.end()));
      EXPECT_EQ(closes(grid, snake_order(grid)), any)
          << devices << " on " << grid.rows << "x" << grid.columns;
    }
  }
}

TEST(Oddl, BandwidthIsDividedOverTheExistingPorts) {
  const auto first = [](const std::string& rest, int devices) {
    return fabric_of("kind: oddl, bandwidth: 100 Gbps" + rest, devices).links.front().bandwidth;
  };
  EXPECT_EQ(first("", 16), 50_Gbps);
  EXPECT_EQ(first(", shape: 1x16", 16), 100_Gbps);
  EXPECT_EQ(first(", shape: 16x1", 16), 100_Gbps);
  EXPECT_EQ(first(", port: 100 Gbps", 16), 100_Gbps);
}

TEST(Oddl, APathGoesRowFirst) {
  const Network network =
      fabric_of("kind: oddl, bandwidth: 100 Gbps, latency: 100 ns, control_latency: 1 us", 16);
  const Route near = route_of(network, 0, 3);
  EXPECT_EQ(names_of(network, near), (std::vector<std::string>{"0->row0", "row0->3"}));
  EXPECT_EQ(near.latency, Duration(2'110'500));
  const Route far = route_of(network, 1, 14);
  EXPECT_EQ(names_of(network, far),
            (std::vector<std::string>{"1->row0", "row0->2", "2->column2", "column2->14"}));
  EXPECT_EQ(far.latency, Duration(2 * 2'110'500));
}

TEST(Oddl, APathAroundAnEmptyPositionGoesColumnFirst) {
  const Network network = fabric_of("kind: oddl, bandwidth: 100 Gbps, shape: 3x4", 10);
  EXPECT_EQ(names_of(network, route_of(network, 9, 3)),
            (std::vector<std::string>{"9->column1", "column1->1", "1->row0", "row0->3"}));
}

TEST(Oddl, ShapesThatDoNotFitAreRefused) {
  EXPECT_EQ(
      refusal_of("kind: oddl, bandwidth: 1 Gbps, shape: 3x4", 13),
      "test.yaml:1: fabric.shape is 3x4; a grid that 13 devices fill, except for the end of its "
      "last row, is needed");
  EXPECT_EQ(
      refusal_of("kind: oddl, bandwidth: 1 Gbps, shape: 4x4", 12),
      "test.yaml:1: fabric.shape is 4x4; a grid that 12 devices fill, except for the end of its "
      "last row, is needed");
  EXPECT_EQ(refusal_of("kind: oddl, bandwidth: 1 Gbps, shape: 2x2x4", 16),
            "test.yaml:1: fabric.shape is 2x2x4; rows and columns are needed, such as 4x8");
  EXPECT_EQ(refusal_of("kind: oddl, bandwidth: 1 bps", 16),
            "test.yaml:1: fabric.bandwidth is 1 bps; at least 1 bps per port is needed");
}

}  // namespace
}  // namespace loom::fabric
