#include "loom/fabric/circuits/shift_network.h"

#include <gtest/gtest.h>

#include <map>

#include "loom/fabric/circuits/provision/shifts/shift_finder.h"

namespace loom::fabric {
namespace {

ShiftKind ring(int stride, int members, double bytes) {
  ShiftKind kind{.ring_bytes = bytes};
  for (int step = 0; step < members; ++step) kind.shift_of.push_back(step * stride);
  return kind;
}

ShiftKind all_to_all(int stride, int members, double bytes) {
  ShiftKind kind;
  for (int i = 1; i < members; ++i) kind.fixed.push_back({i * stride, bytes / (members - 1)});
  return kind;
}

// Tensor parallelism of 8 ranks, and 32 ranks that sum gradients.
ShiftTraffic tensor_and_data() { return {DeviceGrid({8, 32}), {ring(1, 8, 5), ring(8, 32, 3)}}; }

ShiftTraffic three_kinds() {
  return {DeviceGrid({2, 8, 4}), {ring(1, 2, 500), all_to_all(2, 8, 300), ring(16, 4, 80)}};
}

CircuitFabric switches(const DeviceGrid& grid, int count) {
  CircuitFabric fabric;
  fabric.limits = OcsLimits{grid.devices(), count, grid.devices()};
  fabric.egress = Bandwidth{count * 1'000'000'000LL};
  fabric.circuit = Bandwidth{1'000'000'000};
  return fabric;
}

int ports_of(const ShiftPlan& plan) {
  int ports = 0;
  for (const ShiftCircuits& it : plan.circuits) ports += it.count;
  return ports;
}

TEST(DeviceGrid, TheShiftFromOneDeviceToAnotherLeadsThere) {
  const DeviceGrid grid({2, 3, 4});
  EXPECT_EQ(grid.devices(), 24);
  for (int from = 0; from < 24; ++from) {
    for (int to = 0; to < 24; ++to) EXPECT_EQ(grid.at(from, grid.shift(from, to)), to);
  }
  EXPECT_EQ(grid.at(1, 1), 0);  // the innermost dimension wraps around
}

TEST(ShiftRoutes, EveryRouteLeadsToItsShiftWithAllItsUnits) {
  const ShiftTraffic traffic = three_kinds();
  const ShiftPlan plan = find_shifts(traffic, 8, 1'000);
  ASSERT_TRUE(plan.routing.reaches_all);
  for (const ShiftRoute& route : plan.routing.routes) {
    int units = 0;
    for (const ShiftPath& path : route.paths) {
      int at = 0;
      for (const int shift : path.over) at = traffic.grid.at(at, shift);
      EXPECT_EQ(at, route.shift);
      units += path.units;
    }
    EXPECT_EQ(units, route.units);
  }
}

TEST(ShiftRoutes, AShiftWithoutAPathIsReported) {
  const ShiftTraffic traffic{DeviceGrid({2, 4}), {all_to_all(1, 2, 1), ring(2, 4, 1)}};
  EXPECT_FALSE(route_shifts(traffic, {{2, 3}}).reaches_all);
  EXPECT_TRUE(route_shifts(traffic, {{1, 1}, {2, 2}}).reaches_all);
}

TEST(ShiftRoutes, AKindMayUseCircuitsThatWaitForTheirOwnKind) {
  // Two kinds with two circuits each would take 1/2 + 1/2. With circuits 1 and 3 of a ring of four,
  // and 2 twice, the step over 2 can also go over 1 and 1, or over 3 and 3.
  const ShiftTraffic traffic{DeviceGrid({4}), {{.fixed = {{2, 1.0}}}, {.fixed = {{1, 1.0}}}}};
  const ShiftRouting routing = route_shifts(traffic, {{1, 1}, {2, 2}, {3, 1}});
  EXPECT_LT(routing.turns, 0.45 + 0.7);
}

TEST(ShiftFinder, TrialsNeverEndWithCircuitsThatAreWorseThanTheFirst) {
  for (const int ports : {1, 2, 4, 8, 20}) {
    const ShiftPlan plan = find_shifts(three_kinds(), ports, 2'000);
    EXPECT_LE(plan.last, plan.first);
    EXPECT_EQ(ports_of(plan), ports);
    EXPECT_NEAR(plan.routing.turns, plan.last, 1e-9 * plan.last);
  }
}

TEST(ShiftFinder, CircuitsForAllKindsTogetherBeatAnyDivisionOfThePorts) {
  double best_division = 1e9;
  for (int ports = 1; ports < 8; ++ports) {
    best_division = std::min(best_division, 5.0 / ports + 3.0 / (8 - ports));
  }
  EXPECT_LT(find_shifts(tensor_and_data(), 8, 20'000).last, 0.9 * best_division);
}

TEST(ShiftFinder, TheSameTrafficGetsTheSameCircuits) {
  const ShiftPlan a = find_shifts(three_kinds(), 8, 1'500);
  const ShiftPlan b = find_shifts(three_kinds(), 8, 1'500);
  EXPECT_EQ(circuits_at(three_kinds().grid, a.circuits),
            circuits_at(three_kinds().grid, b.circuits));
}

TEST(ShiftNetwork, LoadsOfEachKindAreThoseOfTheSearch) {
  const ShiftTraffic traffic = three_kinds();
  const CircuitFabric fabric = switches(traffic.grid, 8);
  const ShiftPlan plan = find_shifts(traffic, 8, 1'000);
  const Circuits circuits = circuits_at(traffic.grid, plan.circuits);
  EXPECT_FALSE(violation(fabric, circuits).has_value());
  const Network network = shift_network(fabric, traffic.grid, plan.circuits, plan.routing);
  double turns = 0;
  for (std::size_t k = 0; k < traffic.kinds.size(); ++k) {
    std::map<int, double> bytes;
    for (const ShiftBytes& it : traffic.kinds[k].fixed) bytes[it.shift] += it.bytes;
    for (const int step : plan.routing.steps[k]) {
      bytes[traffic.kinds[k].shift_of[static_cast<std::size_t>(step)]] +=
          traffic.kinds[k].ring_bytes / static_cast<double>(plan.routing.steps[k].size());
    }
    std::vector<double> load(network.links.size(), 0);
    for (int from = 0; from < 64; ++from) {
      for (const auto& [shift, sent] : bytes) {
        Route route;
        const DeviceId to(traffic.grid.at(from, shift));
        ASSERT_TRUE(network.router->find(DeviceId(from), to, 0, {}, route));
        for (const Hop& hop : route.hops) {
          const auto l = static_cast<std::size_t>(hop.link);
          load[l] += sent * static_cast<double>(hop.share) / kWhole / network.links[l].members;
        }
      }
    }
    turns += *std::max_element(load.begin(), load.end());
  }
  EXPECT_NEAR(turns, plan.last, 0.05 * plan.last);  // which also counts circuits crossed, a little
  EXPECT_LE(turns, plan.last);
}

TEST(ShiftNetwork, AMessageFindsAnotherPathWhileALinkIsDown) {
  const ShiftTraffic traffic = three_kinds();
  const CircuitFabric fabric = switches(traffic.grid, 8);
  const ShiftPlan plan = find_shifts(traffic, 8, 600);
  const Network network = shift_network(fabric, traffic.grid, plan.circuits, plan.routing);
  Route route;
  ASSERT_TRUE(network.router->find(DeviceId(0), DeviceId(1), 0, {}, route));
  std::vector<bool> down(network.links.size(), false);
  down[static_cast<std::size_t>(route.hops.front().link)] = true;
  Route other;
  ASSERT_TRUE(network.router->find(DeviceId(0), DeviceId(1), 0, down, other));
  for (const Hop& it : other.hops) EXPECT_FALSE(down[static_cast<std::size_t>(it.link)]);
}

}  // namespace
}  // namespace loom::fabric
