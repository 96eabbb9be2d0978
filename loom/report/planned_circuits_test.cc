// Circuits that move, from a scenario to what is lit first and what is said of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/report/circuit_tables.h"
#include "loom/run/plan.h"

namespace loom {
namespace {

Plan plan(const std::string& workload, const std::string& fabric) {
  const std::string text = "workload: {" + workload +
                           "}\ngpus: 8\naccelerator: a100\n"
                           "fabric: {kind: sip_ocs, bandwidth: 400 Gbps, switch_time: 5 us, " +
                           fabric + "}\n";
  return prepare(read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

const std::string kJob =
    "model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: 1024, sequence: 64, "
    "batch: 16, tensor: 4, pipeline: 2, micro_batch: 4, zero: 0";

TEST(PlannedCircuits, OfPhasesAreThoseOfTheFirst) {
  const Plan it = plan(kJob, "switches: 1, reconfigure: phases");
  ASSERT_EQ(it.infeasible, "");
  ASSERT_TRUE(it.circuits && it.circuits->phases);
  ASSERT_GT(it.circuits->phases->sets.size(), 1U);
  EXPECT_EQ(it.circuits->provisioned.circuits, it.circuits->phases->sets.front());
}

// What of it is called by that name.
std::string pairs_without_circuits(const Plan& it) {
  for (const auto& fact : circuit_facts(circuit_report(*it.circuits))) {
    if (fact.first.ends_with("_pairs") && fact.first != "pairs_with_circuits") return fact.first;
  }
  return "";
}

TEST(PlannedCircuits, ThatTakeTurnsHaveNobodyForwardUnlessAskedTo) {
  const std::string all = "collective: all_to_all, size: 10 MB";
  const std::string periodic = "switches: 2, reconfigure: periodic";
  EXPECT_EQ(pairs_without_circuits(plan(all, periodic)), "waiting_pairs");
  EXPECT_EQ(pairs_without_circuits(plan(all, periodic + ", forwarding: false")), "waiting_pairs");
  EXPECT_EQ(pairs_without_circuits(plan(all, periodic + ", unserved: forward")), "forwarded_pairs");
  EXPECT_EQ(pairs_without_circuits(plan(all, "switches: 2")), "forwarded_pairs");
}

TEST(PlannedCircuits, ThatTakeTurnsServeAJobByEitherObjective) {
  for (const std::string objective : {"max_min", "max_weight"}) {
    const Plan it = plan(kJob, "switches: 1, reconfigure: periodic, objective: " + objective);
    EXPECT_EQ(it.infeasible, "") << objective;
  }
}

}  // namespace
}  // namespace loom
