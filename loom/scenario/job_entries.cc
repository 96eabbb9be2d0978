#include "loom/scenario/job_entries.h"

#include <fmt/format.h>

#include <array>

#include "loom/jobs/colocated/place_jobs.h"
#include "loom/scenario/job_parameters.h"
#include "loom/workload/workload.h"

namespace loom::scenario {
namespace {

constexpr std::array<Parameter, 3> kCluster = {{
    {.name = "placement",
     .type = ValueType::choice,
     .summary =
         "devices given to each job: consecutive (packed), random, or spread evenly over the "
         "cluster (spread)",
     .fallback = "packed",
     .choices = jobs::kJobPlacementNames},
    {.name = "iterations",
     .type = ValueType::integer,
     .summary = "iterations per job; the report omits the first",
     .fallback = "5",
     .min = 1,
     .max = 100},
    {.name = "keep_running",
     .type = ValueType::boolean,
     .summary = "extra iterations for jobs that finish early, so that all jobs contend until the "
                "longest one ends",
     .fallback = "true"},
}};

constexpr std::array<Parameter, 5> kJobEntry = {{
    {.name = "gpus",
     .type = ValueType::integer,
     .summary = "devices of the job",
     .required = true,
     .min = 1,
     .max = 1 << 20},
    {.name = "count",
     .type = ValueType::integer,
     .summary = "number of identical jobs",
     .fallback = "1",
     .min = 1,
     .max = 1 << 20},
    {.name = "start",
     .type = ValueType::duration,
     .summary = "earliest start time",
     .fallback = "0 s"},
    {.name = "name", .type = ValueType::text, .summary = "label in tables; the model if not given"},
    {.name = "weight",
     .type = ValueType::integer,
     .summary = "weight of the job's messages on a link if sharing is weighted",
     .fallback = "1",
     .min = 1,
     .max = workload::kMaxWeight},
}};

std::vector<std::string_view> names_of(std::span<const Parameter> parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& it : parameters) names.push_back(it.name);
  return names;
}

JobEntry read_entry(const Tree& map) {
  if (map.kind != Tree::Kind::map) {
    throw InputError(map.location, "a job is not a map; a map with model and gpus is needed");
  }
  for (const std::string_view key : {"collective", "flows", "file", "rostam"}) {
    const Tree* found = map.find(key);
    if (found == nullptr) continue;
    throw InputError(found->location, fmt::format("job.{} is given; in a list of jobs each needs a "
                                                  "model",
                                                  key));
  }
  JobEntry entry;
  read_training(map, "job", kJobEntry, entry.model, entry.workload);
  std::vector<std::string_view> others = names_of(job_parameters());
  const std::vector<std::string_view> model_keys = names_of(entry.model.family->parameters);
  others.insert(others.end(), model_keys.begin(), model_keys.end());
  entry.own = Settings(map, kJobEntry, "job", others);
  if (entry.workload.given("iterations")) {
    entry.workload.refuse("iterations",
                          "iterations beside jobs is needed, the same for all of them");
  }
  return entry;
}

}  // namespace

std::span<const Parameter> cluster_parameters() { return kCluster; }
std::span<const Parameter> job_entry_parameters() { return kJobEntry; }

void read_training(const Tree& map, const std::string& title, std::span<const Parameter> more,
                   model::ModelSpec& model, Settings& workload) {
  std::vector<std::string_view> others = names_of(more);
  std::vector<std::string_view> job_keys = names_of(job_parameters());
  job_keys.insert(job_keys.end(), others.begin(), others.end());
  model = model::read_model(map, job_keys, title);
  const std::vector<std::string_view> model_keys = names_of(model.family->parameters);
  others.insert(others.end(), model_keys.begin(), model_keys.end());
  workload = Settings(map, job_parameters(), title, others);
}

void refuse_transport(const Tree& scenario) {
  const Tree* transport = scenario.find("transport");
  if (transport == nullptr) return;
  throw InputError(transport->location,
                   fmt::format("transport is {}; links of a scenario are shared by messages, and "
                               "sharing: fair or weighted is needed ('lightloom share' runs job "
                               "profiles under mltcp and srpt)",
                               transport->text));
}

std::vector<JobEntry> read_jobs(const Tree& scenario) {
  const Tree& list = *scenario.find("jobs");
  if (scenario.find("workload") != nullptr) {
    throw InputError(list.location, "both workload and jobs are given; one of them is needed");
  }
  if (list.kind != Tree::Kind::list) {
    throw InputError(list.location, "jobs is not a list; a list of {model: …, gpus: …} is needed");
  }
  std::vector<JobEntry> jobs;
  for (const Tree& item : list.items) jobs.push_back(read_entry(item));
  return jobs;
}

}  // namespace loom::scenario
