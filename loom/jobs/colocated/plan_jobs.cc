#include "loom/jobs/colocated/plan_jobs.h"

#include <algorithm>

#include "loom/base/parallel.h"
#include "loom/jobs/contention/iteration_times.h"
#include "loom/place/more_iterations.h"
#include "loom/plan/choose_together.h"

namespace loom::jobs {
namespace {

// A plan in progress, and the network provider that it uses.
struct Draft {
  const JobRequest* request = nullptr;  // the first request for this plan
  Duration start{0};                    // earliest start of the requests for this plan
  std::unique_ptr<plan::NetworkProvider> provider;
  std::shared_ptr<JobPlan> plan = std::make_shared<JobPlan>();

  Duration estimate() const {
    const plan::RankedStrategy& first = plan->search.ranking.front();
    return first.simulated.count() > 0 ? first.simulated : first.predicted;
  }
};

void search(Draft& draft, const Cluster& cluster, const JobPlanOptions& options) {
  JobPlan& plan = *draft.plan;
  plan.spec = draft.request->spec;
  draft.provider = cluster.provider(draft.request->devices, plan.spec.algorithm);
  const plan::SearchOptions threads{options.threads};
  plan.search = plan.spec.any_batch ? search_batches(plan.spec, *draft.provider, threads)
                                    : search_strategies(plan.spec, *draft.provider, threads);
  if (plan.search.ranking.empty()) return;
  confirm_first(plan.spec, *draft.provider,
                {options.simulated_messages, options.folding, options.threads}, plan.search);
  plan.strategy = plan.search.ranking.front().strategy;
}

// Gives the job more iterations.
void repeat(int iterations, Draft& draft, plan::ShardedJob& sharded) {
  plan::JobSpec& spec = draft.plan->spec;
  spec.iterations = iterations;
  place::LoweredJob& job = sharded.mapped.lowered;
  if (auto more = more_iterations(job.workload, job.tags, iterations)) {
    job = std::move(*more);
  } else {
    sharded = shard_job(spec, draft.plan->strategy, *draft.provider);
  }
}

// Shards the job for as many iterations as it needs to run until `end`, with at most `messages`
// beyond its min number of iterations.
void shard(Draft& draft, Duration end, std::int64_t messages, const JobPlanOptions& options) {
  JobPlan& plan = *draft.plan;
  plan.spec.iterations = options.iterations;
  plan::ShardedJob sharded = shard_job(plan.spec, plan.strategy, *draft.provider);
  choose_together(*draft.provider, sharded);
  const std::int64_t of_iteration = std::max<std::int64_t>(
      1, message_count(sharded.mapped.lowered.workload) / options.iterations);
  const int max_iterations =
      static_cast<int>(std::min<std::int64_t>(kMaxJobIterations, messages / of_iteration));
  const int wanted =
      iterations_until(end, draft.start, draft.estimate(), options.iterations, max_iterations);
  if (wanted > options.iterations && sharded.mapped.network) {
    repeat(wanted, draft, sharded);
  }
  plan.memory = sharded.peak_memory();
  plan.mapped = std::move(sharded.mapped);
}

// Estimated time at which the last job finishes its iterations, without contention.
Duration last_end(const std::vector<Draft>& drafts, const std::vector<JobRequest>& requests,
                  const std::vector<std::size_t>& draft_of, int iterations) {
  Duration last{0};
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const Duration all = times(iterations, drafts[draft_of[r]].estimate());
    last = std::max(last, requests[r].start + all);
  }
  return last;
}

}  // namespace

int iterations_until(Duration end, Duration start, Duration each, int min_iterations,
                     int max_iterations) {
  if (each.count() <= 0 || end <= start) return min_iterations;
  const auto fit = ((end - start).count() + each.count() - 1) / each.count();
  return static_cast<int>(
      std::clamp<std::int64_t>(fit, min_iterations, std::max(min_iterations, max_iterations)));
}

std::vector<PlannedJob> plan_jobs(const std::vector<JobRequest>& requests, const Cluster& cluster,
                                  const JobPlanOptions& options) {
  std::vector<Draft> drafts;
  std::vector<std::size_t> draft_of;
  for (const JobRequest& it : requests) {
    const auto found = std::find_if(drafts.begin(), drafts.end(), [&](const Draft& draft) {
      return draft.request->kind == it.kind &&
             cluster.equivalent(draft.request->devices, it.devices);
    });
    draft_of.push_back(static_cast<std::size_t>(found - drafts.begin()));
    if (found == drafts.end()) {
      Draft& draft = drafts.emplace_back();
      draft.request = &it;
      draft.start = it.start;
    } else {
      found->start = std::min(found->start, it.start);
    }
  }
  for_each_index(drafts.size(), options.threads,
                 [&](std::size_t d) { search(drafts[d], cluster, options); });
  const bool possible = std::all_of(drafts.begin(), drafts.end(), [](const Draft& it) {
    return !it.plan->search.ranking.empty();
  });
  if (possible) {
    const Duration end = options.keep_running
                             ? last_end(drafts, requests, draft_of, options.iterations)
                             : Duration(0);
    const auto of_job = options.simulated_messages / static_cast<std::int64_t>(requests.size());
    for_each_index(drafts.size(), options.threads,
                   [&](std::size_t d) { shard(drafts[d], end, of_job, options); });
  }
  std::vector<PlannedJob> jobs;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const JobRequest& it = requests[r];
    const std::shared_ptr<const JobPlan> plan = drafts[draft_of[r]].plan;
    PlannedJob job{it.name, it.devices, it.start, plan, nullptr, it.weight};
    if (possible && plan->feasible())
      job.network = cluster.isolated_network(it.devices, plan->mapped);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

MergedJobs merged(const std::vector<PlannedJob>& jobs, int devices) {
  std::vector<JobAt> at;
  for (const PlannedJob& it : jobs) {
    at.push_back({&it.plan->mapped.lowered, it.devices, it.start, it.weight});
  }
  return merge_jobs(at, devices);
}

std::vector<Cluster::Job> mapped_jobs(const std::vector<PlannedJob>& jobs) {
  std::vector<Cluster::Job> all;
  for (const PlannedJob& it : jobs) all.push_back({it.devices, &it.plan->mapped});
  return all;
}

std::vector<std::vector<Duration>> isolated_times(const std::vector<PlannedJob>& jobs,
                                                  const simulate::EngineOptions& engine,
                                                  int threads) {
  simulate::EngineOptions options = engine;
  options.observer = nullptr;
  options.control = nullptr;
  options.progress = nullptr;
  std::vector<std::vector<Duration>> times(jobs.size());
  for_each_index(jobs.size(), threads, [&](std::size_t j) {
    const place::LoweredJob& lowered = jobs[j].plan->mapped.lowered;
    const simulate::Outcome outcome =
        simulate_fluid(lowered.workload, *jobs[j].network, {}, options);
    times[j] = iteration_times(lowered, outcome.operation_end, TimePoint());
  });
  return times;
}

}  // namespace loom::jobs
