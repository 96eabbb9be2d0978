// Circuits that are reconfigured while messages are in flight.
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"
#include "loom/fabric/circuits/control/periodic.h"
#include "loom/fabric/circuits/control/phased.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/simulate/engine.h"

namespace loom::simulate {
namespace {

fabric::CircuitFabric two_circuits(int devices, Duration switch_time, bool forwarding = false) {
  fabric::CircuitFabric fabric;
  fabric.limits = fabric::OcsLimits{.devices = devices, .switches = 1, .ports = devices};
  fabric.egress = fabric.circuit = {8'000'000'000};  // one byte per nanosecond
  fabric.switch_time = switch_time;
  fabric.forwarding = forwarding;
  return fabric;
}

workload::Operation message(int from, int to, Bytes size) {
  workload::Operation it;
  it.source = from;
  it.destination = to;
  it.size = size;
  return it;
}

workload::Workload three_messages() {
  workload::Workload workload;
  workload.devices = 3;
  workload.operations = {message(0, 1, 1_MB), message(0, 2, 1_MB), message(0, 1, 1_MB)};
  return workload;
}

struct Phased {
  Outcome outcome;
  int changes = 0;
};

Phased run_phased(const workload::Workload& workload, Duration switch_time) {
  const fabric::CircuitFabric fabric = two_circuits(3, switch_time);
  const fabric::Network network = circuit_network(fabric, {{0, 1, 1}, {0, 2, 0}});
  fabric::PhasedControl control(fabric, network, {{{0, 1, 0, 0}}, {{0, 2, 0, 0}}}, {0, 1, 0});
  EngineOptions options;
  options.control = &control;
  options.verify = true;
  Phased run{simulate_fluid(workload, network, {}, options), 0};
  run.changes = control.changes();
  return run;
}

TEST(Circuits, AMessageIsHeldUntilItsCircuitSetIsUp) {
  const Phased run = run_phased(three_messages(), 10_us);
  ASSERT_FALSE(run.outcome.deadlock.has_value());
  // The two messages of the first set share its circuit for 2 ms; 10 us of switching; then 1 ms for
  // the other message.
  EXPECT_EQ(run.outcome.operation_end[0], TimePoint(2000_us));
  EXPECT_EQ(run.outcome.operation_end[2], TimePoint(2000_us));
  EXPECT_EQ(run.outcome.operation_end[1], TimePoint(3010_us));
  EXPECT_EQ(run.changes, 1);
  EXPECT_EQ(run.outcome.bytes, 3_MB);
}

TEST(Circuits, ReconfigurationIsInstantIfTheSwitchTimeIsZero) {
  EXPECT_EQ(run_phased(three_messages(), 0_us).outcome.completion_time, 3000_us);
}

TEST(Circuits, ASetComesBackForLaterWork) {
  workload::Workload workload = three_messages();
  workload.operations[1].first_after = 0;  // 0, then 1, then 2
  workload.operations[1].after_count = 1;
  workload.operations[2].first_after = 1;
  workload.operations[2].after_count = 1;
  workload.after = {0, 1};
  const Phased run = run_phased(workload, 10_us);
  EXPECT_EQ(run.outcome.completion_time, 3020_us);
  EXPECT_EQ(run.changes, 2);
}

TEST(Circuits, AShorterSwitchTimeNeverLengthensAChainOfMessages) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 9);
    const int devices = 3 + static_cast<int>(random(4));
    workload::Workload workload;
    workload.devices = devices;
    std::vector<int> set_of;
    for (int o = 0; o < 12; ++o) {
      const int from = static_cast<int>(random(static_cast<std::uint32_t>(devices)));
      const int step = 1 + static_cast<int>(random(2));
      workload::Operation it = message(from, (from + step) % devices, {1 + random(100'000)});
      it.first_after = static_cast<std::uint32_t>(workload.after.size());
      if (o > 0) {
        workload.after.push_back(static_cast<std::uint32_t>(o - 1));
        it.after_count = 1;
      }
      workload.operations.push_back(it);
      set_of.push_back(step - 1);
    }
    std::vector<fabric::Circuits> sets(2);
    std::vector<fabric::PairCircuits> pairs;
    for (int from = 0; from < devices; ++from) {
      for (int step = 1; step <= 2; ++step) {
        sets[static_cast<std::size_t>(step - 1)].push_back({from, (from + step) % devices, 0, 0});
        pairs.push_back({from, (from + step) % devices, step == 1 ? 1 : 0});
      }
    }
    std::sort(pairs.begin(), pairs.end());
    Duration before = kForever;
    for (const Duration switch_time : {1000_us, 100_us, 10_us, 0_us}) {
      const fabric::CircuitFabric fabric = two_circuits(devices, switch_time);
      const fabric::Network network = circuit_network(fabric, pairs);
      fabric::PhasedControl control(fabric, network, sets, set_of);
      EngineOptions options;
      options.control = &control;
      const Outcome outcome = simulate_fluid(workload, network, {}, options);
      ASSERT_FALSE(outcome.deadlock.has_value());
      EXPECT_LE(outcome.completion_time, before);
      before = outcome.completion_time;
    }
  }
}

// One port per device: an all-to-all needs reconfiguration, or other devices that forward.
TEST(Circuits, PeriodicControlProvisionsThemForWaitingMessages) {
  constexpr int kDevices = 4;
  fabric::CircuitFabric fabric = two_circuits(kDevices, 10_us);
  fabric.period = 200_us;
  workload::Workload workload;
  workload.devices = kDevices;
  for (int from = 0; from < kDevices; ++from) {
    for (int to = 0; to < kDevices; ++to) {
      if (from != to) workload.operations.push_back(message(from, to, 100_KB));
    }
  }
  const workload::Demand demand = demand_of(workload);
  const fabric::CircuitSetup setup = provision_network(fabric, demand);
  EXPECT_FALSE(!setup.infeasible);  // no static circuits can carry it
  const fabric::Network network =
      circuit_network(fabric, pairs_of(fabric, demand, setup.provisioned.circuits));
  fabric::PeriodicControl control(fabric, network, setup.provisioned.circuits);
  EngineOptions options;
  options.control = &control;
  options.verify = true;
  const Outcome outcome = simulate_fluid(workload, network, {}, options);
  ASSERT_FALSE(outcome.deadlock.has_value()) << outcome.deadlock->waiting.front();
  EXPECT_EQ(outcome.bytes, Bytes{1'200'000});
  EXPECT_GE(control.changes(), 2);
}

// Circuits that stay up keep carrying traffic while others are reconfigured.
TEST(Circuits, OnlyThoseThatChangeGoDown) {
  const fabric::CircuitFabric fabric = two_circuits(3, 10_us);
  const fabric::Network network = circuit_network(fabric, {{0, 1, 1}, {0, 2, 1}, {1, 2, 0}});
  const fabric::CircuitChange change =
      change_between(fabric, network, {{0, 1, 0, 0}, {0, 2, 1, 0}}, {{0, 1, 0, 0}, {1, 2, 1, 0}});
  ASSERT_EQ(change.switching.size(), 1U);
  EXPECT_EQ(change.switching[0].link, 1);
  EXPECT_EQ(change.switching[0].bandwidth, Bandwidth{});
  ASSERT_EQ(change.switched.size(), 1U);
  EXPECT_EQ(change.switched[0].link, 2);
  EXPECT_EQ(change.switched[0].bandwidth, fabric.circuit);
}

// Rings over the rows of a grid under one circuit set, over its columns under another.
struct Grid {
  workload::Workload workload;
  std::vector<int> set_of;
  std::vector<fabric::Circuits> sets = std::vector<fabric::Circuits>(2);
  std::vector<fabric::PairCircuits> pairs;
};

void add_ring(Grid& grid, int set, const std::vector<int>& ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const int from = ranks[r];
    const int to = ranks[(r + 1) % ranks.size()];
    grid.sets[static_cast<std::size_t>(set)].push_back({from, to, 0, 0});
    grid.pairs.push_back({from, to, set == 0 ? 1 : 0});
  }
  workload::Groups& groups = grid.workload.groups[static_cast<std::size_t>(set)];
  groups.size = static_cast<int>(ranks.size());
  groups.members.insert(groups.members.end(), ranks.begin(), ranks.end());
}

void add_operation(Grid& grid, Random& random) {
  workload::Operation it;
  it.kind = random(3) == 0 ? workload::OperationKind::compute : workload::OperationKind::collective;
  it.groups = it.kind == workload::OperationKind::compute ? 2 : static_cast<int>(random(2));
  it.time = Duration(random(3) * 100'000);
  if (it.kind == workload::OperationKind::collective) {
    it.collective = static_cast<int>(grid.workload.collectives.size());
    const std::int64_t ranks = grid.workload.groups[static_cast<std::size_t>(it.groups)].size;
    workload::Collective made;
    made.size = {ranks * (1 + random(1000)) + (random(4) == 0 ? 1 : 0)};
    grid.workload.collectives.push_back(made);
  }
  const auto before = static_cast<std::uint32_t>(grid.workload.operations.size());
  it.first_after = static_cast<std::uint32_t>(grid.workload.after.size());
  it.after_count = before > 0 ? 1 : 0;
  if (before > 0) grid.workload.after.push_back(random(before));
  grid.workload.operations.push_back(it);
  grid.set_of.push_back(it.groups % 2);
}

Grid random_grid(Random& random) {
  Grid grid;
  const int rows = 2 + static_cast<int>(random(3));
  const int columns = 2 + static_cast<int>(random(3));
  grid.workload.devices = rows * columns;
  grid.workload.groups.resize(3);
  for (int r = 0; r < rows; ++r) {
    std::vector<int> row;
    for (int c = 0; c < columns; ++c) row.push_back(r * columns + c);
    add_ring(grid, 0, row);
  }
  for (int c = 0; c < columns; ++c) {
    std::vector<int> column;
    for (int r = 0; r < rows; ++r) column.push_back(r * columns + c);
    add_ring(grid, 1, column);
  }
  grid.workload.groups[2] = {1, grid.workload.groups[0].members};
  if (random(3) == 0) grid.workload.groups[2].members.pop_back();
  for (fabric::Circuits& set : grid.sets) std::sort(set.begin(), set.end());
  std::sort(grid.pairs.begin(), grid.pairs.end());
  for (int o = 0; o < 8; ++o) add_operation(grid, random);
  return grid;
}

struct GridRun {
  Outcome outcome;
  int changes = 0;
  bool folded = false;
};

GridRun run_grid(const Grid& grid, Duration switch_time, bool folding) {
  class SymmetryObserver final : public Observer {
   public:
    bool wants_each() const override { return false; }
    bool wants_tasks() const override { return true; }
    void equivalent(std::span<const DeviceId> /*representatives*/) override { told = true; }
    bool told = false;
  };
  const fabric::CircuitFabric fabric = two_circuits(grid.workload.devices, switch_time);
  const fabric::Network network = circuit_network(fabric, grid.pairs);
  fabric::PhasedControl control(fabric, network, grid.sets, grid.set_of);
  SymmetryObserver equivalent;
  EngineOptions options;
  options.control = &control;
  options.folding = folding;
  options.observer = &equivalent;
  options.verify = true;
  Outcome outcome = simulate_fluid(grid.workload, network, {}, options);
  return {std::move(outcome), control.changes(), equivalent.told};
}

TEST(Circuits, ReconfiguredByAPlanAreFoldedWithTheSameOutcome) {
  int folded = 0;
  int changes = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 5);
    const Grid grid = random_grid(random);
    const Duration switch_time(random(3) * 500'000);
    const GridRun once = run_grid(grid, switch_time, true);
    const GridRun each = run_grid(grid, switch_time, false);
    folded += once.folded ? 1 : 0;
    changes += each.changes;
    EXPECT_EQ(once.outcome.operation_end, each.outcome.operation_end);
    EXPECT_EQ(once.outcome.link_bytes, each.outcome.link_bytes);
    EXPECT_EQ(once.outcome.messages, each.outcome.messages);
    EXPECT_EQ(once.outcome.bytes, each.outcome.bytes);
    EXPECT_EQ(once.changes, each.changes);
    EXPECT_EQ(once.outcome.deadlock.has_value(), each.outcome.deadlock.has_value());
    EXPECT_FALSE(each.folded);
    if (HasFailure()) break;
  }
  EXPECT_GT(folded, 100);
  EXPECT_GT(changes, 300);
}

}  // namespace
}  // namespace loom::simulate
