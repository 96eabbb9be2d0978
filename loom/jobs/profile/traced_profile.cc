#include "loom/jobs/profile/traced_profile.h"

#include <algorithm>
#include <map>
#include <set>

#include "loom/base/error.h"
#include "loom/base/parallel.h"
#include "loom/jobs/colocated/merge_jobs.h"
#include "loom/jobs/profile/recorded_run.h"

namespace loom::jobs {
namespace {

struct TracedJob {
  TimeWindow window;
  std::vector<LoadChange> changes;
};

TracedJob traced(const PlannedJob& job, const fabric::Network& network,
                 const simulate::EngineOptions& engine) {
  const place::LoweredJob& lowered = job.plan->mapped.lowered;
  const std::vector<JobAt> at = {{&lowered, job.devices, Duration(0)}};
  const MergedJobs isolated = merge_jobs(at, network.devices);
  RunRecorder recorder(network.links.size());
  simulate::EngineOptions options = engine;
  options.observer = &recorder;
  options.control = nullptr;
  options.progress = nullptr;
  options.folding = false;  // the loads of all links are needed
  const simulate::Outcome outcome = simulate_fluid(isolated.workload, network, {}, options);
  LOOM_CHECK(!outcome.deadlock, "an isolated job runs to its end");
  return {last_iteration(lowered, outcome.operation_end), std::move(recorder.changes)};
}

// The links that several jobs use, numbered from 0 in ascending order.
std::map<int, int> shared_links(const std::vector<TracedJob>& jobs) {
  std::map<int, int> users;
  for (const TracedJob& job : jobs) {
    std::set<int> own;
    for (const LoadChange& it : job.changes) own.insert(it.link);
    for (const int link : own) ++users[link];
  }
  std::map<int, int> number;
  for (const auto& it : users) {
    if (it.second > 1) number.emplace(it.first, static_cast<int>(number.size()));
  }
  return number;
}

std::vector<ProfileStage> stages_on(const std::map<int, int>& links, const TracedJob& job) {
  std::vector<LoadChange> changes;
  for (const LoadChange& it : job.changes) {
    const auto found = links.find(it.link);
    if (found != links.end()) changes.push_back({it.at, found->second, it.load});
  }
  return profile_stages(changes, job.window.begin, job.window.end);
}

}  // namespace

SharedProfiles traced_profiles(const std::vector<PlannedJob>& jobs, const fabric::Network& network,
                               const simulate::EngineOptions& engine, int threads) {
  std::vector<TracedJob> all(jobs.size());
  for_each_index(jobs.size(), threads,
                 [&](std::size_t j) { all[j] = traced(jobs[j], network, engine); });
  const std::map<int, int> number = shared_links(all);
  SharedProfiles profiles;
  for (const auto& it : number) {
    profiles.links.push_back({network.link_name(LinkId(it.first)),
                              network.links[static_cast<std::size_t>(it.first)].bandwidth});
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    profiles.jobs.push_back({jobs[j].name, stages_on(number, all[j])});
  }
  return profiles;
}

}  // namespace loom::jobs
