// Circuits that change: the ones provisioned first, and how they are reported.
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/report/circuit_tables.h"
#include "loom/run/plan.h"

namespace loom::report {
namespace {

run::Plan plan(const std::string& workload, const std::string& fabric) {
  const std::string text = "workload: {" + workload +
                           "}\ngpus: 8\naccelerator: a100\n"
                           "fabric: {kind: sip_ocs, bandwidth: 400 Gbps, switch_time: 5 us, " +
                           fabric + "}\n";
  return run::plan_or_refuse(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front(), {},
                             {});
}

const std::string kJob =
    "model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: 1024, sequence: 64, "
    "batch: 16, tensor: 4, pipeline: 2, micro_batch: 4, zero: 0";

TEST(PlannedCircuits, StartWithThoseOfTheFirstPhase) {
  const run::Plan it = plan(kJob, "switches: 1, reconfigure: phases");
  ASSERT_TRUE(it.circuits && it.circuits->phases);
  ASSERT_GT(it.circuits->phases->sets.size(), 1U);
  EXPECT_EQ(it.circuits->provisioned.circuits, it.circuits->phases->sets.front());
}

// The name under which pairs without circuits are reported; "" if none.
std::string pairs_without_circuits(const run::Plan& it) {
  for (const auto& fact : circuit_facts(circuit_report(*it.circuits))) {
    if (fact.first.ends_with("_pairs") && fact.first != "pairs_with_circuits") return fact.first;
  }
  return "";
}

TEST(PlannedCircuits, PeriodicCircuitsForwardOnlyOnRequest) {
  const std::string all = "collective: all_to_all, size: 10 MB";
  const std::string periodic = "switches: 2, reconfigure: periodic";
  EXPECT_EQ(pairs_without_circuits(plan(all, periodic)), "waiting_pairs");
  EXPECT_EQ(pairs_without_circuits(plan(all, periodic + ", forwarding: false")), "waiting_pairs");
  EXPECT_EQ(pairs_without_circuits(plan(all, periodic + ", unserved: forward")), "forwarded_pairs");
  EXPECT_EQ(pairs_without_circuits(plan(all, "switches: 2")), "forwarded_pairs");
}

TEST(PlannedCircuits, PeriodicCircuitsServeAJobWithEitherObjective) {
  for (const std::string objective : {"max_min", "max_weight"}) {
    const run::Plan it =
        plan(kJob, "switches: 1, reconfigure: periodic, provisioner: " + objective);
  }
}

}  // namespace
}  // namespace loom::report
