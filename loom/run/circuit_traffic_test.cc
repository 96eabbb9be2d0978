// The kinds of traffic on circuits add up to the bytes that the engine counted on every link, and
// the sets of circuits to the time of the run.
#include "loom/run/circuit_traffic.h"

#include <gtest/gtest.h>

#include "loom/run/circuit_details.h"
#include "loom/run/simulate_plan.h"
#include "loom/scenario/points.h"

namespace loom::run {
namespace {

struct Ran {
  Plan plan;
  Simulated simulated;

  CircuitDetails details() const {
    return circuit_details(plan, simulated.outcome, simulated.history);
  }
};

Ran ran(const std::string& workload, const std::string& fabric) {
  const std::string text = "workload: {" + workload +
                           "}\ngpus: 8\naccelerator: a100\nfabric: {bandwidth: 400 Gbps, "
                           "latency: 1 us, " +
                           fabric + "}\n";
  const auto scenario = scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front();
  Ran run{plan_or_refuse(scenario, {}, {}), {}};
  SimulateOptions options;
  options.circuit_history = true;
  run.simulated = simulate(scenario, run.plan, {}, options);
  EXPECT_FALSE(run.simulated.outcome.deadlock);
  return run;
}

const std::string kJob =
    "model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: 1024, sequence: 64, "
    "batch: 16, tensor: 2, pipeline: 2, data: 2, micro_batch: 4, zero: 0";
const std::string kAll = "collective: all_to_all, size: 10 MB, algorithm: direct";

void expect_kinds_add_up(const Ran& run) {
  const auto& bytes = run.simulated.outcome.link_bytes;
  const CircuitTraffic traffic = circuit_traffic(run.plan, bytes);
  ASSERT_FALSE(traffic.estimated);
  std::map<std::pair<int, int>, double> sums;
  for (const auto& loads : traffic.loads) {
    for (const PairLoad& it : loads) {
      ASSERT_EQ(it.bytes.size(), traffic.kinds.size());
      sums[{it.from, it.to}] += it.total();
    }
  }
  for (std::size_t l = 0; l < bytes.size(); ++l) {
    const fabric::Link& link = run.plan.network.links[l];
    if (link.to >= run.plan.network.devices || link.from >= run.plan.network.devices) continue;
    if (link.from == link.to) continue;
    EXPECT_NEAR((sums[{link.from, link.to}]), static_cast<double>(bytes[l].count),
                2 + 1e-9 * static_cast<double>(bytes[l].count))
        << link.from << "->" << link.to;
  }
}

TEST(CircuitTraffic, KindsAddUpToTheBytesOfEveryLink) {
  for (const std::string fabric :
       {"kind: sip_ocs, switches: 2", "kind: sip_ocs, switches: 4", "kind: sip_ring",
        "kind: sip_ring, reach: 1", "kind: topoopt, degree: 2", "kind: topoopt, degree: 4",
        "kind: sip_ocs, switches: 1, reconfigure: phases, switch_time: 1 us",
        "kind: sip_ring, reconfigure: phases, switch_time: 1 us",
        "kind: sip_ocs, switches: 2, reconfigure: periodic, switch_time: 10 us"}) {
    SCOPED_TRACE(fabric);
    expect_kinds_add_up(ran(kJob, fabric));
    if (fabric.find("phases") == std::string::npos) expect_kinds_add_up(ran(kAll, fabric));
  }
}

TEST(CircuitTraffic, NamesTheParallelismsOfAJobInOrder) {
  const Ran run = ran(kJob, "kind: sip_ocs, switches: 4");
  std::vector<std::string> names;
  for (const TrafficKind& it : circuit_traffic(run.plan, run.simulated.outcome.link_bytes).kinds) {
    names.push_back(it.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"tensor forward", "tensor backward", "data",
                                             "pipeline forward", "pipeline backward"}));
}

TEST(CircuitTraffic, TensorTrafficStaysInItsGroups) {
  const Ran run = ran(kJob, "kind: sip_ocs, switches: 7");
  ASSERT_TRUE(run.plan.circuits->provisioned.unserved.empty());
  const CircuitTraffic traffic = circuit_traffic(run.plan, run.simulated.outcome.link_bytes);
  int pairs = 0;
  for (const PairLoad& it : traffic.loads.front()) {
    if (it.bytes[0] == 0) continue;
    ++pairs;
    EXPECT_EQ(it.from / 2, it.to / 2);
  }
  EXPECT_EQ(pairs, 8);
}

TEST(CircuitTraffic, ForwardedTrafficOfPeriodicCircuitsIsMarkedAsEstimated) {
  const Ran run = ran(kJob,
                      "kind: sip_ocs, switches: 2, reconfigure: periodic, switch_time: 10 us, "
                      "unserved: forward");
  EXPECT_TRUE(circuit_traffic(run.plan, run.simulated.outcome.link_bytes).estimated);
}

void expect_times_add_up(const Ran& run) {
  const CircuitDetails details = run.details();
  ASSERT_FALSE(details.switches.empty());
  Duration sum{0};
  for (const CircuitSet& it : details.sets) sum += it.active;
  const TimePoint end(run.simulated.outcome.completion_time);
  TimePoint before;
  for (const CircuitSwitch& it : details.switches) {
    EXPECT_LE(before, it.start);
    EXPECT_LE(it.start, it.end);
    ASSERT_LT(it.set, details.sets.size());
    before = it.end;
    sum += std::min(it.end, end) - std::min(it.start, end);
  }
  EXPECT_EQ(sum, elapsed(end));
}

TEST(CircuitDetails, ActiveAndSwitchTimesAddUpToTheRun) {
  expect_times_add_up(
      ran(kJob, "kind: sip_ocs, switches: 1, reconfigure: phases, switch_time: 1 us"));
  expect_times_add_up(
      ran(kAll,
          "kind: sip_ocs, switches: 1, reconfigure: periodic, period: 50 us, switch_time: "
          "5 us"));
}

TEST(CircuitDetails, CircuitsThatAreSetOnceAreOneSetForTheWholeRun) {
  const Ran run = ran(kJob, "kind: sip_ring");
  const CircuitDetails details = run.details();
  ASSERT_EQ(details.sets.size(), 1U);
  EXPECT_TRUE(details.switches.empty());
  EXPECT_EQ(details.sets[0].active, run.simulated.outcome.completion_time);
  EXPECT_EQ(details.sets[0].circuits, run.plan.circuits->provisioned.circuits);
}

TEST(CircuitDetails, NoDeviceSendsMoreCircuitsThanItHasPorts) {
  for (const std::string fabric : {"kind: sip_ocs, switches: 3", "kind: sip_ring", "kind: mordia",
                                   "kind: megaswitch", "kind: topoopt, degree: 3"}) {
    const CircuitDetails details = ran(kJob, fabric).details();
    std::vector<int> used(details.ports.size(), 0);
    for (const fabric::Circuit& it : details.sets[0].circuits) {
      ++used[static_cast<std::size_t>(it.from)];
    }
    for (std::size_t d = 0; d < used.size(); ++d) EXPECT_LE(used[d], details.ports[d]) << fabric;
  }
}

}  // namespace
}  // namespace loom::run
