#include "loom/scenario/job_entries.h"

#include <fmt/format.h>

#include <array>

#include "loom/jobs/colocated/place_jobs.h"
#include "loom/scenario/job_settings.h"
#include "loom/workload/workload.h"

namespace loom {
namespace {

constexpr std::array<Parameter, 3> kCluster = {{
    {.name = "placement",
     .type = ValueType::choice,
     .summary = "which devices a job gets: the next ones, any, or evenly over the cluster",
     .fallback = "packed",
     .choices = kJobPlacementNames},
    {.name = "iterations",
     .type = ValueType::integer,
     .summary = "of each job; the first is left out of what is shown",
     .fallback = "5",
     .min = 1,
     .max = 100},
    {.name = "keep_running",
     .type = ValueType::boolean,
     .summary = "whether short jobs go on until the longest has done its iterations",
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
     .summary = "so many jobs like this",
     .fallback = "1",
     .min = 1,
     .max = 1 << 20},
    {.name = "start",
     .type = ValueType::duration,
     .summary = "not before this moment",
     .fallback = "0 s"},
    {.name = "name", .type = ValueType::text, .summary = "label in tables; the model if not given"},
    {.name = "weight",
     .type = ValueType::integer,
     .summary = "its part of a link where sharing is weighted",
     .fallback = "1",
     .min = 1,
     .max = kMaxWeight},
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
    throw InputError(found->location, fmt::format("job.{} is given; of several jobs each trains a "
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
    entry.workload.refuse("iterations", "it stands beside jobs, the same for all of them");
  }
  return entry;
}

}  // namespace

std::span<const Parameter> cluster_parameters() { return kCluster; }
std::span<const Parameter> job_entry_parameters() { return kJobEntry; }

void read_training(const Tree& map, const std::string& title, std::span<const Parameter> more,
                   ModelSpec& model, Settings& workload) {
  std::vector<std::string_view> others = names_of(more);
  std::vector<std::string_view> job_keys = names_of(job_parameters());
  job_keys.insert(job_keys.end(), others.begin(), others.end());
  model = read_model(map, job_keys, title);
  const std::vector<std::string_view> model_keys = names_of(model.family->parameters);
  others.insert(others.end(), model_keys.begin(), model_keys.end());
  workload = Settings(map, job_parameters(), title, others);
}

void refuse_transport(const Tree& scenario) {
  const Tree* transport = scenario.find("transport");
  if (transport == nullptr) return;
  throw InputError(transport->location,
                   fmt::format("transport is {}; a scenario shares links by messages, for which "
                               "sharing: fair or weighted is needed ('lightloom share' runs "
                               "profiles of jobs under mltcp and srpt)",
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

}  // namespace loom
