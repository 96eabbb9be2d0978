#include "loom/run/plan_colocated.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "loom/fabric/network/subnetwork.h"
#include "loom/jobs/colocated/place_jobs.h"
#include "loom/run/plan_training.h"
#include "loom/scenario/job_settings.h"

namespace loom::run {
namespace {

void refuse_what_jobs_cannot_have(const scenario::Scenario& scenario,
                                  const fabric::CircuitFabric* circuits) {
  if (scenario.engine() == scenario::Engine::coarse) {
    scenario.settings.refuse("engine", "fluid is needed; jobs contend for links");
  }
  if (circuits == nullptr) return;
  const Settings& fabric = scenario.fabric.settings;
  if (!has_subnetworks(*circuits)) {
    throw InputError(fabric.location(), fmt::format("the fibers of {} pass through all devices; "
                                                    "several jobs need circuit switches",
                                                    scenario.fabric.kind->name));
  }
  if (circuits->reconfigure != fabric::Reconfigure::one_shot) {
    fabric.refuse("reconfigure",
                  "circuits of several jobs are provisioned once; one_shot is "
                  "needed");
  }
}

int devices_of(const scenario::JobEntry& entry) {
  return static_cast<int>(entry.own.integer("gpus"));
}

// Number of devices per job.
std::vector<int> sizes_of(const scenario::ColocatedWork& work, const Settings& settings,
                          int devices) {
  std::vector<int> sizes;
  std::int64_t all = 0;
  for (const scenario::JobEntry& entry : work.jobs) {
    const std::int64_t count = entry.own.integer("count");
    all += count * devices_of(entry);
    if (all > devices) continue;
    sizes.insert(sizes.end(), static_cast<std::size_t>(count), devices_of(entry));
  }
  if (all > devices) {
    settings.refuse("gpus", fmt::format("the jobs need {} in total", all));
  }
  return sizes;
}

std::string label_of(const scenario::JobEntry& entry) {
  return entry.own.given("name") ? entry.own.text("name") : entry.model.name;
}

// The names of the jobs: "vgg-16" if one job has this label, else "vgg-16/1", "vgg-16/2" and so on.
std::vector<std::string> names_of(const scenario::ColocatedWork& work) {
  std::map<std::string, std::int64_t> all;
  for (const scenario::JobEntry& it : work.jobs) all[label_of(it)] += it.own.integer("count");
  std::map<std::string, std::int64_t> seen;
  std::vector<std::string> names;
  for (const scenario::JobEntry& entry : work.jobs) {
    const std::string label = label_of(entry);
    for (std::int64_t i = 0; i < entry.own.integer("count"); ++i) {
      const std::int64_t number = ++seen[label];
      names.push_back(all[label] == 1 ? label : fmt::format("{}/{}", label, number));
    }
  }
  return names;
}

jobs::JobPlacement placement_of(const scenario::ColocatedWork& work) {
  const std::string name = work.cluster.text("placement");
  const auto* found =
      std::find(jobs::kJobPlacementNames.begin(), jobs::kJobPlacementNames.end(), name);
  return static_cast<jobs::JobPlacement>(found - jobs::kJobPlacementNames.begin());
}

std::vector<jobs::JobRequest> requests_of(const scenario::ColocatedWork& work,
                                          const scenario::Scenario& scenario, int devices) {
  const std::vector<std::vector<int>> placed = place_jobs(
      sizes_of(work, scenario.settings, devices), devices, placement_of(work), scenario.seed());
  const std::vector<std::string> names = names_of(work);
  std::vector<jobs::JobRequest> requests;
  for (std::size_t e = 0; e < work.jobs.size(); ++e) {
    const scenario::JobEntry& entry = work.jobs[e];
    plan::JobSpec spec =
        scenario::read_job(entry.workload, entry.model, work.accelerator, devices_of(entry));
    spec.sharing = scenario.sharing();
    for (std::int64_t i = 0; i < entry.own.integer("count"); ++i) {
      const std::size_t job = requests.size();
      requests.push_back({names[job], spec, static_cast<int>(e), placed[job],
                          entry.own.duration("start"),
                          static_cast<int>(entry.own.integer("weight"))});
    }
  }
  return requests;
}

// The reason why the first infeasible job cannot run, if there is one.
std::optional<Infeasible> first_infeasible(const std::vector<jobs::PlannedJob>& jobs) {
  for (const jobs::PlannedJob& it : jobs) {
    if (!it.plan->search.ranking.empty()) continue;
    return Infeasible{fmt::format(
        "job {}: {}", it.name,
        why_infeasible(it.plan->spec, it.plan->search, static_cast<int>(it.devices.size())).why)};
  }
  for (const jobs::PlannedJob& it : jobs) {
    if (it.plan->feasible()) continue;
    return Infeasible{fmt::format("job {}: {}", it.name, it.plan->mapped.infeasible->why)};
  }
  return std::nullopt;
}

std::unique_ptr<jobs::Cluster> cluster_of(const Fabric& fabric) {
  if (fabric.circuits() != nullptr)
    return std::make_unique<jobs::SharedCircuits>(*fabric.circuits());
  return std::make_unique<jobs::SharedNetwork>(*fabric.network());
}

jobs::JobPlanOptions plan_options(const scenario::ColocatedWork& work,
                                  const scenario::Scenario& scenario, int threads) {
  jobs::JobPlanOptions options;
  options.iterations = static_cast<int>(work.cluster.integer("iterations"));
  options.keep_running = work.cluster.boolean("keep_running");
  options.simulated_messages = scenario.settings.integer("max_messages");
  options.folding = scenario.settings.boolean("folding");
  options.threads = threads;
  return options;
}

}  // namespace

PlannedOrNot plan_colocated(const scenario::ColocatedWork& work, const scenario::Scenario& scenario,
                            const Fabric& fabric, const plan::SearchOptions& options) {
  refuse_what_jobs_cannot_have(scenario, fabric.circuits());
  const std::unique_ptr<jobs::Cluster> cluster = cluster_of(fabric);
  std::vector<jobs::PlannedJob> jobs =
      plan_jobs(requests_of(work, scenario, cluster->devices()), *cluster,
                plan_options(work, scenario, options.threads));
  if (auto no = first_infeasible(jobs))
    return Unplanned{*no, ColocatedPlan{std::move(jobs), {}, {}}};
  PlannedWork planned;
  if (fabric.circuits() != nullptr) {
    const std::vector<jobs::Cluster::Job> mapped = mapped_jobs(jobs);
    planned.circuits = PlannedCircuits{*fabric.circuits(), merge_provisioned(mapped), {}};
    planned.network = *cluster->together(mapped);
  } else {
    planned.network = *fabric.network();
  }
  jobs::MergedJobs merged = loom::jobs::merged(jobs, cluster->devices());
  planned.workload = std::move(merged.workload);
  planned.work =
      ColocatedPlan{std::move(jobs), std::move(merged.first), work.cluster.text("placement")};
  return planned;
}

std::vector<std::string> operation_names(const ColocatedPlan& jobs) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < jobs.jobs.size(); ++j) {
    const place::LoweredJob& lowered = jobs.jobs[j].plan->mapped.lowered;
    for (std::size_t o = 0; o < lowered.tags.size(); ++o) {
      names.push_back(fmt::format("j{}.{}", j, operation_name(lowered, o)));
    }
  }
  return names;
}

}  // namespace loom::run
