// Plans on circuits: equal limits get equal plans, more circuits are no slower, and on the smallest
// fabrics the circuits are compared with the best of all.
#include "tests/circuit_plans.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/run/run.h"
#include "loom/run/testing.h"
#include "loom/simulate/engine.h"

namespace loom {
namespace {

run::Report report_of(const std::string& workload, int gpus, const std::string& accelerator,
                      const std::string& fabric) {
  const std::string text =
      fmt::format("workload: {{{}}}\ngpus: {}\naccelerator: {}\nfabric: {{{}}}\n", workload, gpus,
                  accelerator, fabric);
  return run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

Duration time_of(const std::string& workload, int gpus, const std::string& fabric) {
  const run::Report report = report_of(workload, gpus, "a100", fabric);
  EXPECT_FALSE(report.infeasible) << report.infeasible->why;
  return report.time();
}

std::string random_job(Random& random) {
  const int batch = 8 << random(3);
  switch (random(3)) {
    case 0:
      return fmt::format(
          "model: recommender, tables: 16, rows: 1000000, dimension: 64, lookups: 8, "
          "dense_features: 64, bottom: 512x64, top: 512x256, batch: {}",
          64 * batch);
    case 1:
      return fmt::format("model: bert-large, batch: {}", batch);
    default:
      return fmt::format(
          "model: transformer, layers: {}, hidden: 1024, heads: 8, vocabulary: 32000, sequence: "
          "512, batch: {}",
          4 + 4 * random(2), batch);
  }
}

TEST(CircuitPlans, SwitchesAndPlanesOfEqualNumberGetEqualPlans) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random = random_stream(seed, 1);
    const std::string job = random_job(random);
    const int gpus = 8 << random(2);
    const int ports = 2 << random(2);
    const int gbps = 100 << (2 * random(3));
    SCOPED_TRACE(
        fmt::format("seed {}: {}, {} GPUs, {} ports, {} Gbps", seed, job, gpus, ports, gbps));
    const auto time = [&](const std::string& kind) {
      return time_of(job, gpus,
                     fmt::format("{}: {}, bandwidth: {} Gbps, latency: 1 us", kind, ports, gbps));
    };
    EXPECT_EQ(time("kind: sip_ocs, switches"), time("kind: topoopt, degree"));
  }
}

TEST(CircuitPlans, TheBestProvisionerIsNoSlowerThanEachOfThem) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random = random_stream(seed, 2);
    const std::string job = random_job(random) + ", tensor: 2, pipeline: 2";
    const std::string rest = fmt::format("bandwidth: {} Gbps, latency: 1 us", 100 << random(4));
    SCOPED_TRACE(fmt::format("seed {}: {}, {}", seed, job, rest));
    const double best = seconds(time_of(job, 16, "kind: topoopt, degree: 4, " + rest));
    for (const std::string other :
         {"kind: topoopt, degree: 4, split: rule, ", "kind: topoopt, degree: 4, split: sweep, ",
          "kind: sip_ocs, switches: 4, provisioner: max_min, "}) {
      EXPECT_LE(best, 1.01 * seconds(time_of(job, 16, other + rest))) << other;
    }
  }
}

// A circuit for every pair, however little it sends, would starve the pairs that send much.
TEST(CircuitPlans, MoreWavelengthsOrSwitchesAreNoSlower) {
  const std::string llama =
      "model: llama3-70b, batch: 16, tensor: 8, pipeline: 4, micro_batch: 1, interleave: 1";
  Duration before = kForever;
  for (const int gbps : {800, 1000, 1200, 1600}) {
    const std::string ring = fmt::format("kind: sip_ring, bandwidth: {} Gbps, latency: 1 us", gbps);
    const run::Report report = report_of(llama, 64, "h100", ring);
    ASSERT_FALSE(report.infeasible) << report.infeasible->why;
    EXPECT_LE(seconds(report.time()), 1.01 * seconds(before)) << gbps;
    before = report.time();
  }
  before = kForever;
  for (const int switches : {2, 3, 4, 6}) {
    const std::string ocs = fmt::format(
        "kind: sip_ocs, switches: {}, circuit_bandwidth: 100 Gbps, bandwidth: {} Gbps, latency: "
        "1 us",
        switches, 100 * switches);
    const run::Report report = report_of(llama, 64, "h100", ocs);
    ASSERT_FALSE(report.infeasible) << report.infeasible->why;
    EXPECT_LE(seconds(report.time()), 1.01 * seconds(before)) << switches;
    before = report.time();
  }
}

TEST(CircuitPlans, AJobWithMorePeersThanCircuitsIsForwarded) {
  const std::string ring = "kind: sip_ring, reach: 16, bandwidth: 400 Gbps, latency: 1 us";
  EXPECT_FALSE(report_of("model: dlrm, batch: 4096", 64, "a100", ring).infeasible);
  EXPECT_TRUE(
      report_of("model: dlrm, batch: 4096", 64, "a100", ring + ", forwarding: false").infeasible);
}

// The fluid time of messages over the best of all circuits of two switches.
double best_of_all(const fabric::CircuitFabric& fabric, const workload::Workload& workload) {
  const int devices = fabric.devices();
  std::vector<std::vector<int>> permutations;
  std::vector<int> to(static_cast<std::size_t>(devices));
  std::iota(to.begin(), to.end(), 0);
  do permutations.push_back(to);
  while (std::next_permutation(to.begin(), to.end()));
  double best = seconds(kForever);
  for (std::size_t a = 0; a < permutations.size(); ++a) {
    for (std::size_t b = a; b < permutations.size(); ++b) {
      fabric::Circuits circuits;
      for (int plane = 0; plane < 2; ++plane) {
        const std::vector<int>& one = permutations[plane == 0 ? a : b];
        for (int from = 0; from < devices; ++from) {
          if (one[static_cast<std::size_t>(from)] == from) continue;
          circuits.push_back(
              {.from = from, .to = one[static_cast<std::size_t>(from)], .plane = plane});
        }
      }
      const fabric::Network network = circuit_network(fabric, by_pair(circuits));
      bool carried = true;
      for (const workload::Operation& it : workload.operations) {
        fabric::Route route;
        carried = carried &&
                  network.router->find(DeviceId(it.source), DeviceId(it.destination), 0, {}, route);
      }
      if (!carried) continue;
      best = std::min(best,
                      seconds(simulate::simulate_fluid(workload, network, {}, {}).completion_time));
    }
  }
  return best;
}

TEST(CircuitPlans, OnTheSmallestFabricCircuitsAreNearTheBestOfAll) {
  constexpr int kCases = 40;
  const fabric::CircuitFabric fabric = fabric::build_circuits(
      fabric::read_fabric(
          parse_yaml("{kind: sip_ocs, switches: 2, bandwidth: 200 Gbps, latency: 1 us}", "s.yaml")),
      {4, 1});
  double sum = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 3);
    workload::Workload workload;
    workload.devices = 4;
    for (int from = 0; from < 4; ++from) {
      for (int to = 0; to < 4; ++to) {
        if (from == to || random(2) == 0) continue;
        workload.operations.push_back(
            {.source = from, .destination = to, .size = Bytes{1'000'000 * (1 + random(100))}});
      }
    }
    if (workload.operations.empty()) continue;
    const double best = best_of_all(fabric, workload);
    const fabric::CircuitSetup setup = plan::provision_workload(fabric, workload);
    ASSERT_FALSE(setup.infeasible);
    const double found =
        seconds(simulate::simulate_fluid(workload, setup.network, {}, {}).completion_time);
    sum += found / best;
    worst = std::max(worst, found / best);
  }
  RecordProperty("mean", fmt::format("{:.3f}", sum / kCases));
  RecordProperty("worst", fmt::format("{:.3f}", worst));
  EXPECT_LE(sum / kCases, 1.01);
  EXPECT_LE(worst, 1.1);
}

TEST(CircuitPlans, StrategiesAndCircuitsOfSmallJobsAreNearTheBestOfAll) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const SmallCase it = small_case(seed, 4, 2);
    EXPECT_LE(it.regret(), 0.05) << "seed " << seed << ": " << it.text;
  }
}

TEST(CircuitPlans, MoreHardwareIsNoSlowerForRandomJobs) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const GrowingCase it = growing_case(seed);
    const auto slowdown = slowdown_of_more(it);
    if (!slowdown) continue;
    EXPECT_LE(*slowdown, 0.01) << fmt::format("seed {}: more {} for {} on {} GPUs, {}", seed,
                                              it.what, it.job, it.gpus, it.less);
  }
}

}  // namespace
}  // namespace loom
