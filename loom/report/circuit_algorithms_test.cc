// The algorithms chosen for the collectives of a job on circuits that all of them share.
#include <gtest/gtest.h>

#include "loom/report/tables.h"
#include "loom/run/run.h"

namespace loom::report {
namespace {

run::Report run_with(const std::string& workload, const std::string& fabric, int gpus) {
  const std::string text = "workload: {" + workload + "}\ngpus: " + std::to_string(gpus) +
                           "\naccelerator: a100\nengine: coarse\nfabric: {" + fabric +
                           ", latency: 1 us}\n";
  return run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

TEST(CircuitAlgorithms, AJobThatRingsCanServeWithoutForwardingUsesRings) {
  const std::string job = "model: bert-large, batch: 256, tensor: 4, pipeline: 2, data: 4";
  const std::string ring = "kind: sip_ring, bandwidth: 800 Gbps";
  const run::Report chosen = run_with(job, ring + ", forwarding: false", 32);
  ASSERT_FALSE(chosen.infeasible);
  const run::Report by_rings =
      run_with(job + ", algorithm: ring", ring + ", forwarding: false", 32);
  EXPECT_LE(chosen.as<run::TrainingReport>()->iteration_time,
            by_rings.as<run::TrainingReport>()->iteration_time);
}

TEST(CircuitAlgorithms, TheFastestChoiceForAllCollectivesTogetherIsUsed) {
  const std::string job = "model: dlrm, batch: 65536, tensor: 1, pipeline: 1, optimizer: sgd";
  for (const std::string fabric :
       {"kind: sip_ocs, switches: 16, bandwidth: 400 Gbps", "kind: sip_ocs, bandwidth: 400 Gbps",
        "kind: sip_ring, bandwidth: 1600 Gbps"}) {
    const Duration chosen = run_with(job, fabric, 16).as<run::TrainingReport>()->iteration_time;
    for (const std::string algorithm : {"direct", "ring", "bidirectional_ring"}) {
      std::string with = job;
      with.append(", algorithm: ").append(algorithm);
      const run::Report asked = run_with(with, fabric, 16);
      EXPECT_LE(chosen.count(),
                1.01 * static_cast<double>(asked.as<run::TrainingReport>()->iteration_time.count()))
          << fabric << ", " << algorithm;
    }
  }
}

TEST(CircuitAlgorithms, AGivenAlgorithmIsUsedEvenIfItNeedsForwarding) {
  const run::Report result = run_with(
      "model: bert-large, batch: 256, algorithm: direct, tensor: 1, pipeline: 1, micro_batch: 8",
      "kind: sip_ring, bandwidth: 200 Gbps", 32);
  ASSERT_FALSE(result.infeasible);
  ASSERT_TRUE(result.circuits);
  EXPECT_GT(result.circuits->forwarded, 0);
}

}  // namespace
}  // namespace loom::report
