#include "loom/scheduling/scheduling_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "loom/base/renamed.h"
#include "loom/scenario/job_entries.h"
#include "loom/scenario/job_parameters.h"
#include "loom/scenario/job_settings.h"

namespace loom::scheduling {
namespace {

constexpr std::size_t kMaxStages = 64;

constexpr std::array kStage = {
    Parameter{.name = "length",
              .type = ValueType::duration,
              .summary = "length of the stage in isolation",
              .required = true,
              .min = 1},
    Parameter{.name = "rate",
              .type = ValueType::bandwidth,
              .summary = "rate at which each device sends to the next device of a ring",
              .fallback = "0 bps"},
};

std::vector<jobs::RingStage> read_stages(const Tree& list) {
  if (list.kind != Tree::Kind::list || list.items.empty() || list.items.size() > kMaxStages) {
    throw InputError(list.location,
                     fmt::format("stages is not a list of 1 to {} entries; a list of {{length: …, "
                                 "rate: …}} is needed",
                                 kMaxStages));
  }
  std::vector<jobs::RingStage> stages;
  for (const Tree& it : list.items) {
    if (it.kind != Tree::Kind::map) {
      throw InputError(it.location, "a stage is not a map; a map with length is needed");
    }
    const Settings stage(it, kStage, "stage");
    stages.push_back({stage.duration("length"), stage.bandwidth("rate")});
  }
  return stages;
}

// The parameters in `own` that a training job in a scenario lacks, for error messages that list the
// known keys.
std::vector<Parameter> only_of_trace_jobs(std::span<const Parameter> own) {
  const auto jobs = scenario::job_parameters();
  std::vector<Parameter> only;
  for (const Parameter& it : own) {
    const auto same = [&](const Parameter& other) { return other.name == it.name; };
    if (std::none_of(jobs.begin(), jobs.end(), same)) only.push_back(it);
  }
  return only;
}

}  // namespace

int JobKinds::kind(const Tree& map, std::span<const Parameter> own, const Settings& read,
                   int devices, const std::string& name) {
  Tree rest = map;
  std::erase_if(rest.entries, [&](const TreeEntry& entry) {
    return std::any_of(own.begin(), own.end(),
                       [&](const Parameter& it) { return it.name == entry.key; });
  });
  std::string text = to_yaml(rest);
  if (read.given("critical_batch")) text += fmt::format("critical {}", read.real("critical_batch"));
  if (!name.empty()) text += "name " + name;
  const auto found = known_.find(text);
  if (found != known_.end()) return found->second;
  const int number = static_cast<int>(file_.kinds.size());
  file_.kinds.push_back(made(rest, own, read, devices));
  if (!name.empty()) file_.kinds.back().name = name;
  known_.emplace(std::move(text), number);
  return number;
}

jobs::JobKind JobKinds::made(const Tree& rest, std::span<const Parameter> own, const Settings& read,
                             int devices) const {
  jobs::JobKind kind;
  if (read.given("critical_batch")) kind.critical_batch = read.real("critical_batch");
  const Tree* stages = rest.find("stages");
  if (stages != nullptr) {
    if (rest.entries.size() > 1) {
      throw InputError(rest.location,
                       "a job has stages and other keys of a model; one of the two "
                       "is needed");
    }
    kind.name = "measured";
    kind.stages = read_stages(*stages);
    return kind;
  }
  model::ModelSpec model;
  Settings workload;
  scenario::read_training(rest, "job", only_of_trace_jobs(own), model, workload);
  if (workload.given("iterations"))
    workload.refuse("iterations", "it is not allowed in arrivals.models");
  kind.name = model.name;
  const model::Accelerator accelerator = accelerator_;
  kind.spec = [=](int count) { return scenario::read_job(workload, model, accelerator, count); };
  const plan::JobSpec spec = kind.spec(devices);
  if (spec.any_batch) workload.refuse("batch", "a number is needed in a scheduling file");
  const bool fixed = workload.given("batch");
  const std::int64_t each = fixed ? 0 : workload.integer("batch_per_device");
  const std::int64_t all = fixed ? workload.integer("batch") : 0;
  kind.batch = [=](int count) { return fixed ? all : each * count; };
  if (!kind.critical_batch && spec.law) {
    const auto* law = std::get_if<model::CriticalBatch>(&spec.law->iterations);
    if (law != nullptr) kind.critical_batch = static_cast<double>(law->critical_batch);
  }
  return kind;
}

std::vector<std::string_view> others_of(const Tree& map, std::span<const Parameter> own) {
  std::vector<std::string_view> names;
  for (const Parameter& it : own) names.push_back(it.name);
  std::vector<std::string_view> others;
  for (const TreeEntry& entry : map.entries) {
    const bool mine = std::find(names.begin(), names.end(), entry.key) != names.end();
    // Settings refuses old names of own parameters.
    if (!mine && !renamed(entry.key, names)) others.push_back(entry.key);
  }
  return others;
}

void check_kind(const Tree& map, std::string_view what) {
  if (map.kind == Tree::Kind::map &&
      (map.find("model") != nullptr) != (map.find("stages") != nullptr))
    return;
  throw InputError(map.location,
                   fmt::format("{} is not a map with either a model or stages; one of the two "
                               "is needed",
                               what));
}

}  // namespace loom::scheduling
