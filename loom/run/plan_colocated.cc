#include "loom/run/plan_colocated.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "loom/fabric/network/subnetwork.h"
#include "loom/jobs/colocated/place_jobs.h"
#include "loom/run/plan_training.h"
#include "loom/scenario/job_settings.h"

namespace loom {
namespace {

void refuse_what_jobs_cannot_have(const Scenario& scenario, const Prepared& prepared) {
  if (scenario.engine() == Engine::analytic) {
    scenario.settings.refuse("engine", "jobs meet on links, which only fluid sees");
  }
  if (!prepared.circuits) return;
  const Settings& fabric = scenario.fabric.settings;
  if (!has_subnetworks(prepared.circuits->fabric)) {
    throw InputError(fabric.location(), fmt::format("{} leads its fibres through all devices; for "
                                                    "several jobs circuit switches are needed",
                                                    scenario.fabric.kind->name));
  }
  if (prepared.circuits->fabric.reconfigure != Reconfigure::one_shot) {
    fabric.refuse("reconfigure",
                  "circuits are set once for each of several jobs; one_shot is "
                  "needed");
  }
}

int devices_of(const JobEntry& entry) { return static_cast<int>(entry.own.integer("gpus")); }

// How many devices each job has, job by job.
std::vector<int> sizes_of(const Scenario& scenario, int devices) {
  std::vector<int> sizes;
  std::int64_t all = 0;
  for (const JobEntry& entry : scenario.jobs) {
    const std::int64_t count = entry.own.integer("count");
    all += count * devices_of(entry);
    if (all > devices) continue;
    sizes.insert(sizes.end(), static_cast<std::size_t>(count), devices_of(entry));
  }
  if (all > devices) {
    scenario.settings.refuse("gpus", fmt::format("the jobs need {} together", all));
  }
  return sizes;
}

std::string label_of(const JobEntry& entry) {
  return entry.own.given("name") ? entry.own.text("name") : entry.model.name;
}

// "vgg-16" where there is one of that label, else "vgg-16/1", "vgg-16/2" and so on.
std::vector<std::string> names_of(const Scenario& scenario) {
  std::map<std::string, std::int64_t> all;
  for (const JobEntry& it : scenario.jobs) all[label_of(it)] += it.own.integer("count");
  std::map<std::string, std::int64_t> seen;
  std::vector<std::string> names;
  for (const JobEntry& entry : scenario.jobs) {
    const std::string label = label_of(entry);
    for (std::int64_t i = 0; i < entry.own.integer("count"); ++i) {
      const std::int64_t number = ++seen[label];
      names.push_back(all[label] == 1 ? label : fmt::format("{}/{}", label, number));
    }
  }
  return names;
}

JobPlacement placement_of(const Scenario& scenario) {
  const std::string name = scenario.cluster.text("placement");
  const auto* found = std::find(kJobPlacementNames.begin(), kJobPlacementNames.end(), name);
  return static_cast<JobPlacement>(found - kJobPlacementNames.begin());
}

std::vector<JobRequest> requests_of(const Scenario& scenario, int devices) {
  const std::vector<std::vector<int>> placed =
      place_jobs(sizes_of(scenario, devices), devices, placement_of(scenario), scenario.seed());
  const std::vector<std::string> names = names_of(scenario);
  std::vector<JobRequest> requests;
  for (std::size_t e = 0; e < scenario.jobs.size(); ++e) {
    const JobEntry& entry = scenario.jobs[e];
    const JobSpec spec =
        read_job(entry.workload, entry.model, *scenario.accelerator, devices_of(entry));
    for (std::int64_t i = 0; i < entry.own.integer("count"); ++i) {
      const std::size_t job = requests.size();
      requests.push_back({names[job], spec, static_cast<int>(e), placed[job],
                          entry.own.duration("start"),
                          static_cast<int>(entry.own.integer("weight"))});
    }
  }
  return requests;
}

// The first job that cannot be done; "" if all can.
std::string why_infeasible(const std::vector<PlannedJob>& jobs) {
  for (const PlannedJob& it : jobs) {
    if (it.plan->search.ranking.empty()) {
      return fmt::format("job {}: {}", it.name,
                         loom::why_infeasible(it.plan->spec, it.plan->search,
                                              static_cast<int>(it.devices.size())));
    }
  }
  for (const PlannedJob& it : jobs) {
    if (!it.plan->feasible()) {
      return fmt::format("job {}: {}", it.name, it.plan->mapped.infeasible);
    }
  }
  return "";
}

std::unique_ptr<Cluster> cluster_of(const Prepared& prepared) {
  if (prepared.circuits) return std::make_unique<SharedCircuits>(prepared.circuits->fabric);
  return std::make_unique<SharedNetwork>(prepared.network);
}

}  // namespace

void prepare_jobs(const Scenario& scenario, Prepared& prepared, const SearchOptions& options) {
  refuse_what_jobs_cannot_have(scenario, prepared);
  const std::unique_ptr<Cluster> cluster = cluster_of(prepared);
  JobPlanOptions plan;
  plan.iterations = static_cast<int>(scenario.cluster.integer("iterations"));
  plan.keep_running = scenario.cluster.boolean("keep_running");
  plan.simulated_messages = kMaxFluidMessages;
  plan.folding = scenario.settings.boolean("folding");
  plan.threads = options.threads;
  PreparedJobs& jobs = prepared.jobs.emplace();
  jobs.jobs = plan_jobs(requests_of(scenario, cluster->devices()), *cluster, plan);
  prepared.infeasible = why_infeasible(jobs.jobs);
  if (!prepared.infeasible.empty()) return;
  const std::vector<Cluster::Job> mapped = mapped_jobs(jobs.jobs);
  if (prepared.circuits) {
    prepared.circuits->provisioned = merge_provisioned(mapped);
    prepared.network = *cluster->together(mapped);
  }
  MergedJobs merged = loom::merged(jobs.jobs, cluster->devices());
  prepared.workload = std::move(merged.workload);
  jobs.first = std::move(merged.first);
}

std::vector<std::string> operation_names(const PreparedJobs& jobs) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < jobs.jobs.size(); ++j) {
    const LoweredJob& lowered = jobs.jobs[j].plan->mapped.lowered;
    for (std::size_t o = 0; o < lowered.tags.size(); ++o) {
      names.push_back(fmt::format("j{}.{}", j, operation_name(lowered, o)));
    }
  }
  return names;
}

}  // namespace loom
