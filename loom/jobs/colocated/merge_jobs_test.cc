#include "loom/jobs/colocated/merge_jobs.h"

#include <map>

#include "loom/jobs/colocated/testing.h"
#include "loom/workload/demand.h"

namespace loom::jobs {
namespace {

// A job of one iteration with one collective.
place::LoweredJob single_collective(Bytes size, int ranks) {
  workload::Collective wanted;
  wanted.kind = workload::CollectiveKind::all_reduce;
  wanted.algorithm = workload::Algorithm::ring;
  wanted.size = size;
  std::vector<int> members(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) members[static_cast<std::size_t>(r)] = r;
  place::LoweredJob job;
  job.workload = collective_workload(wanted, members, ranks);
  job.tags.resize(1);
  return job;
}

// A pipelined job, so that messages depend on one another.
place::LoweredJob piped_job(int stages, int replicas) {
  parallelize::Job job;
  job.batch = std::int64_t{8} * replicas;
  parallelize::Strategy strategy;
  strategy.pipeline = stages;
  strategy.data = replicas;
  strategy.micro_batch = 2;
  return place::lower(sharded(parallelize::small_transformer(4), job, strategy), 2,
                      [](const workload::Collective& wanted, const workload::Groups&) {
                        workload::Collective chosen = wanted;
                        chosen.algorithm = algorithms_for(wanted.kind).front();
                        return chosen;
                      });
}

fabric::Network ideal(int devices) {
  return fabric::fabric_of("kind: switch, bandwidth: 8 Gbps, latency: 1 us", devices);
}

TEST(MergeJobs, AMergedJobSendsWhatItSendsInIsolation) {
  const place::LoweredJob a = piped_job(2, 2);
  const place::LoweredJob b = single_collective(1_MB, 3);
  const std::vector<int> of_a = {1, 3, 5, 6};
  const std::vector<int> of_b = {7, 0, 2};
  const std::vector<JobAt> jobs = {{&a, of_a, Duration(0)}, {&b, of_b, Duration(0)}};
  const MergedJobs merged = merge_jobs(jobs, 8);
  EXPECT_EQ(merged.first, (std::vector<std::size_t>{0, a.workload.operations.size(),
                                                    a.workload.operations.size() + 1}));
  EXPECT_EQ(message_count(merged.workload), message_count(a.workload) + message_count(b.workload));
  std::map<std::pair<int, int>, std::int64_t> expected;
  for (const JobAt& job : jobs) {
    for (const workload::PairDemand& it : demand_of(job.lowered->workload)) {
      expected[{job.devices[static_cast<std::size_t>(it.from)],
                job.devices[static_cast<std::size_t>(it.to)]}] += it.bytes.count;
    }
  }
  std::map<std::pair<int, int>, std::int64_t> found;
  for (const workload::PairDemand& it : demand_of(merged.workload))
    found[{it.from, it.to}] = it.bytes.count;
  EXPECT_EQ(found, expected);
}

TEST(MergeJobs, OnAnIdealSwitchJobsRunAsInIsolation) {
  const place::LoweredJob a = piped_job(2, 2);
  const place::LoweredJob b = piped_job(4, 1);
  const std::vector<int> of_a = {1, 3, 5, 6};
  const std::vector<int> of_b = {0, 2, 4, 7};
  const Duration late(123'456'789);
  const std::vector<JobAt> jobs = {{&a, of_a, Duration(0)}, {&b, of_b, late}};
  const MergedJobs merged = merge_jobs(jobs, 8);
  const simulate::Outcome together = simulate::simulate_fluid(merged.workload, ideal(8), {}, {});
  std::size_t o = 0;
  for (const JobAt& job : jobs) {
    const simulate::Outcome isolated =
        simulate::simulate_fluid(job.lowered->workload, ideal(4), {}, {});
    for (const TimePoint end : isolated.operation_end) {
      ASSERT_EQ(together.operation_end[o], end + job.start) << "operation " << o;
      ++o;
    }
  }
  EXPECT_EQ(o, together.operation_end.size());
}

// Two jobs of two devices each, one on either leaf, with uplinks as fast as one device's link: each
// all-reduce of S sends S up from each of its leaves, and the two share the uplink.
struct TwoLeaves {
  fabric::Network network = fabric::fabric_of(
      "kind: leaf_spine, gpus_per_leaf: 2, spines: 1, oversubscription: 2, bandwidth: 8 Gbps, "
      "latency: 0 us",
      4);
  place::LoweredJob job = single_collective(1_GB, 2);
  std::vector<int> first = {0, 2};
  std::vector<int> second = {1, 3};

  simulate::Outcome run(const std::vector<JobAt>& jobs,
                        const simulate::EngineOptions& options = {}) const {
    return simulate_fluid(merge_jobs(jobs, 4).workload, network, {}, options);
  }
};

TEST(MergeJobs, TwoEqualAllReducesShareAnUplinkEvenly) {
  const TwoLeaves leaves;
  const std::vector<JobAt> one = {{&leaves.job, leaves.first, Duration(0)}};
  const std::vector<JobAt> two = {{&leaves.job, leaves.first, Duration(0)},
                                  {&leaves.job, leaves.second, Duration(0)}};
  const Duration second_isolated(1'000'000'000'000);  // 1 GB at 8 Gbps
  EXPECT_EQ(leaves.run(one).completion_time, second_isolated);
  const simulate::Outcome shared = leaves.run(two);
  EXPECT_EQ(shared.operation_end, (std::vector(2, TimePoint(2 * second_isolated))));
  EXPECT_EQ(shared.bytes, 4_GB);
  const fabric::Network& network = leaves.network;
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    const bool uplink = network.links[l].from >= 4 && network.links[l].to >= 4;
    EXPECT_EQ(shared.link_bytes[l], uplink ? 2_GB : 1_GB) << network.link_name(LinkId(l));
  }
}

// The second job begins when the first is half done: the first runs 0.5 s uncontended and 1 s
// shared, the second 1 s shared and 0.5 s uncontended.
TEST(MergeJobs, ALaterJobSharesFromItsStartOn) {
  const TwoLeaves leaves;
  const Duration half(500'000'000'000);
  const std::vector<JobAt> two = {{&leaves.job, leaves.first, Duration(0)},
                                  {&leaves.job, leaves.second, half}};
  const simulate::Outcome shared = leaves.run(two);
  EXPECT_EQ(shared.operation_end, (std::vector{TimePoint(3 * half), TimePoint(4 * half)}));
}

// The first job gets three quarters until it is done.
TEST(MergeJobs, WeightedSharesAreProportionalToTheJobsWeights) {
  const TwoLeaves leaves;
  const std::vector<JobAt> two = {{&leaves.job, leaves.first, Duration(0), 3},
                                  {&leaves.job, leaves.second, Duration(0), 1}};
  const simulate::Outcome shared = leaves.run(two, {.sharing = transport::Sharing::weighted});
  EXPECT_NEAR(static_cast<double>(elapsed(shared.operation_end[0]).count()), 4e12 / 3, 10);
  EXPECT_NEAR(static_cast<double>(elapsed(shared.operation_end[1]).count()), 2e12, 10);
}

}  // namespace
}  // namespace loom::jobs
