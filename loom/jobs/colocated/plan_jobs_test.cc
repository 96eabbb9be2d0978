// Jobs planned in isolation and run together, on shared networks and on their own circuits.
#include "loom/jobs/colocated/plan_jobs.h"

#include <algorithm>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/jobs/colocated/place_jobs.h"
#include "loom/jobs/colocated/testing.h"

namespace loom::jobs {
namespace {

using Times = std::vector<std::vector<Duration>>;

std::vector<JobRequest> packed(const std::vector<int>& kinds, int each) {
  std::vector<JobRequest> requests;
  for (std::size_t j = 0; j < kinds.size(); ++j) {
    std::vector<int> devices(static_cast<std::size_t>(each));
    for (int d = 0; d < each; ++d) {
      devices[static_cast<std::size_t>(d)] = static_cast<int>(j) * each + d;
    }
    requests.push_back(request_of(kinds[j], std::move(devices)));
  }
  return requests;
}

TEST(PlanJobs, OnAnIdealSwitchNoJobAffectsAnother) {
  const SharedNetwork cluster(
      fabric::fabric_of("kind: switch, bandwidth: 10 Gbps, latency: 1 us", 12));
  const RunJobs run = run_jobs({request_of(0, {0, 3, 6, 9}), request_of(1, {1, 4, 7, 10}),
                                request_of(2, {2, 5, 8, 11}, Duration(777'777))},
                               cluster);
  EXPECT_EQ(run.times, run.isolated);
}

// Jobs over all leaves, which have half the uplink capacity they would need.
TEST(PlanJobs, SharedUplinksSlowJobsDownWithoutLosingBytes) {
  const SharedNetwork cluster(
      fabric::fabric_of("kind: leaf_spine, gpus_per_leaf: 4, spines: 2, oversubscription: 4, "
                        "bandwidth: 10 Gbps, latency: 1 us",
                        12));
  std::vector<JobRequest> requests;
  for (int j = 0; j < 4; ++j) {
    requests.push_back(request_of(j % 2 + 1, {j, j + 4, j + 8}));
    requests.back().spec.job.batch = 48;
  }
  const RunJobs run = run_jobs(requests, cluster);
  Bytes bytes;
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    const TimeSpread shared = spread_of(run.times[j]);
    EXPECT_GT(shared.mean, spread_of(run.isolated[j]).mean) << "job " << j;
    const plan::MappedJob& plan = run.jobs[j].plan->mapped;
    bytes += simulate::simulate_fluid(plan.lowered.workload, *run.jobs[j].network, {}, {}).bytes;
  }
  EXPECT_EQ(run.outcome.bytes, bytes);
}

TEST(PlanJobs, TheOrderOfJobsChangesNoTime) {
  const SharedNetwork cluster(
      fabric::fabric_of("kind: leaf_spine, gpus_per_leaf: 2, spines: 2, oversubscription: 2, "
                        "bandwidth: 10 Gbps, latency: 1 us",
                        12));
  const auto sorted = [](Times times) {
    std::sort(times.begin(), times.end());
    return times;
  };
  const Times first = sorted(run_jobs(packed({0, 1, 2}, 4), cluster).times);
  for (const std::vector<int>& kinds : {std::vector{1, 2, 0}, std::vector{2, 1, 0}}) {
    EXPECT_EQ(sorted(run_jobs(packed(kinds, 4), cluster).times), first);
  }
}

TEST(PlanJobs, JobsOnEquivalentDevicesShareAPlan) {
  const SharedNetwork cluster(
      fabric::fabric_of("kind: leaf_spine, gpus_per_leaf: 4, spines: 2, bandwidth: 10 Gbps", 16));
  const RunJobs run = run_jobs({request_of(1, {0, 1, 2, 3}), request_of(1, {8, 9, 10, 11}),
                                request_of(0, {4, 5, 6, 7}), request_of(1, {12, 13})},
                               cluster);
  EXPECT_EQ(run.jobs[0].plan, run.jobs[1].plan);
  EXPECT_NE(run.jobs[0].plan, run.jobs[2].plan);
  EXPECT_NE(run.jobs[0].plan, run.jobs[3].plan);
  EXPECT_TRUE(cluster.equivalent(std::vector{0, 5}, std::vector{8, 13}));
  EXPECT_FALSE(cluster.equivalent(std::vector{0, 5}, std::vector{1, 6}));
  EXPECT_FALSE(cluster.equivalent(std::vector{0, 5}, std::vector{4, 8}));
}

// A shared plan takes the same time on the job's own subnetwork as a plan made there.
TEST(PlanJobs, ASharedPlanEqualsASeparatelyMadeOne) {
  const SharedNetwork cluster(fabric::fabric_of(
      "kind: cluster, gpus_per_server: 4, inside_bandwidth: 80 Gbps, bandwidth: 10 Gbps, "
      "latency: 1 us",
      16));
  const RunJobs both = run_jobs(packed({1, 1}, 8), cluster);
  const RunJobs one = run_jobs({request_of(1, {8, 9, 10, 11, 12, 13, 14, 15})}, cluster);
  EXPECT_EQ(both.isolated[1], one.isolated[0]);
  EXPECT_EQ(both.jobs[0].plan, both.jobs[1].plan);
  EXPECT_EQ(to_text(both.jobs[0].plan->strategy), to_text(one.jobs[0].plan->strategy));
}

TEST(PlanJobs, FoldingAndThreadsChangeNoTimePoint) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed);
    const SharedNetwork cluster(fabric::fabric_of(
        seed % 2 == 0 ? "kind: fat_tree, oversubscription: 2, bandwidth: 10 Gbps, latency: 1 us"
                      : "kind: leaf_spine, gpus_per_leaf: 4, spines: 1, oversubscription: 3, "
                        "bandwidth: 10 Gbps, latency: 1 us",
        16));
    const std::vector<int> sizes = {4, 8, 4};
    const auto placement = static_cast<JobPlacement>(random(3));
    const auto placed = place_jobs(sizes, 16, placement, seed);
    std::vector<JobRequest> requests;
    for (const std::vector<int>& devices : placed) {
      requests.push_back(request_of(static_cast<int>(random(3)), devices));
    }
    JobPlanOptions options;
    options.iterations = 3;
    options.threads = 1;
    const RunJobs plain = run_jobs(requests, cluster, options);
    options.threads = 3;
    simulate::EngineOptions engine;
    engine.folding = false;
    const RunJobs followed = run_jobs(requests, cluster, options, engine);
    EXPECT_EQ(plain.outcome.operation_end, followed.outcome.operation_end);
    EXPECT_EQ(plain.times, followed.times);
    EXPECT_EQ(plain.isolated, followed.isolated);
  }
}

TEST(PlanJobs, ShortJobsContinueUntilTheLongestIsDone) {
  EXPECT_EQ(iterations_until(Duration(100), Duration(0), Duration(10), 3), 10);
  EXPECT_EQ(iterations_until(Duration(101), Duration(0), Duration(10), 3), 11);
  EXPECT_EQ(iterations_until(Duration(100), Duration(85), Duration(10), 3), 3);
  EXPECT_EQ(iterations_until(Duration(100), Duration(0), Duration(0), 3), 3);
  EXPECT_EQ(iterations_until(Duration(1'000'000), Duration(0), Duration(1), 3), kMaxJobIterations);
  const SharedNetwork cluster(
      fabric::fabric_of("kind: switch, bandwidth: 10 Gbps, latency: 1 us", 8));
  JobPlanOptions options;
  options.iterations = 4;
  const RunJobs on = run_jobs(packed({1, 2}, 4), cluster, options);
  EXPECT_GT(on.times[0].size(), 4U);
  EXPECT_EQ(on.times[1].size(), 4U);
  options.keep_running = false;
  const RunJobs off = run_jobs(packed({1, 2}, 4), cluster, options);
  EXPECT_EQ(off.times[0].size(), 4U);
  EXPECT_EQ(off.times[1], on.times[1]);
}

fabric::CircuitFabric switches(int devices, const std::string& more = "") {
  const std::string text =
      "{kind: sip_ocs, switches: 4, bandwidth: 40 Gbps, latency: 1 us" + more + "}";
  return fabric::build_circuits(fabric::read_fabric(parse_yaml(text, "test.yaml")), {devices, 1});
}

TEST(PlanJobs, JobsWithTheirOwnCircuitsDoNotContend) {
  const fabric::CircuitFabric fabric = switches(16);
  const SharedCircuits cluster(fabric);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::vector<int> sizes = {4, 6, 4};
    const auto placed = place_jobs(sizes, 16, JobPlacement::random, seed);
    const RunJobs run = run_jobs(
        {request_of(1, placed[0]), request_of(2, placed[1]), request_of(1, placed[2])}, cluster);
    EXPECT_EQ(run.times, run.isolated);
    EXPECT_EQ(run.jobs[0].plan, run.jobs[2].plan);
    const fabric::Provisioned provisioned = merge_provisioned(mapped_jobs(run.jobs));
    EXPECT_EQ(why(violation(fabric, provisioned.circuits)), "no objection");
    std::size_t circuits = 0;
    for (const PlannedJob& it : run.jobs) circuits += it.plan->mapped.provisioned->circuits.size();
    EXPECT_EQ(provisioned.circuits.size(), circuits);
  }
}

// A job on all devices of a fabric sees the full fabric.
TEST(PlanJobs, AJobOnAllDevicesIsPlannedAsASingleJob) {
  std::vector<int> all(8);
  for (int d = 0; d < 8; ++d) all[static_cast<std::size_t>(d)] = d;
  for (const int kind : {0, 1, 2}) {
    const plan::JobSpec spec = small_job(kind);
    const SharedCircuits circuits(switches(8));
    plan::CircuitProvider optical(switches(8), std::nullopt);
    const fabric::Network network = fabric::fabric_of(
        "kind: cluster, gpus_per_server: 4, inside_bandwidth: 80 Gbps, bandwidth: 10 Gbps", 8);
    plan::FixedNetworkProvider wired(std::make_shared<fabric::Network>(network), std::nullopt);
    const SharedNetwork shared(network);
    const std::vector<std::pair<const Cluster*, plan::NetworkProvider*>> both = {
        {&circuits, &optical}, {&shared, &wired}};
    for (const auto& [cluster, provider] : both) {
      const plan::StrategySearch search = search_strategies(spec, *provider);
      const auto jobs = plan_jobs({request_of(kind, all)}, *cluster, {});
      const plan::RankedStrategy& found = jobs.front().plan->search.ranking.front();
      EXPECT_EQ(to_text(found.strategy), to_text(search.ranking.front().strategy));
      EXPECT_EQ(found.predicted, search.ranking.front().predicted);
    }
  }
}

TEST(PlanJobs, AJobThatDoesNotFitIsReported) {
  const SharedNetwork cluster(fabric::fabric_of("kind: switch, bandwidth: 10 Gbps", 8));
  std::vector<JobRequest> requests = packed({1, 2}, 4);
  requests[1].spec.accelerator.memory = 1_MB;
  const std::vector<PlannedJob> jobs = plan_jobs(requests, cluster, {});
  EXPECT_FALSE(jobs[1].plan->feasible());
  EXPECT_TRUE(jobs[1].plan->search.ranking.empty());
}

}  // namespace
}  // namespace loom::jobs
