#include "loom/scenario/profiled_job.h"

#include <fmt/format.h>

#include <filesystem>

#include "loom/foreign/rostam.h"
#include "loom/scenario/paths.h"

namespace loom::scenario {
namespace {

void check_group(const Settings& settings, int group, int devices) {
  if (group <= devices && devices % group == 0) return;
  settings.refuse("group", fmt::format("a divisor of the {} gpus, or auto, is needed", devices));
}

// Refuses a batch that replicas of several devices cannot share equally, in entire samples, and a
// share that the profiles do not cover.
void check_batch(const Settings& settings, const plan::JobSpec& spec, int devices) {
  const int replicas = devices / spec.choice.group.value_or(1);
  if (replicas < devices && spec.job.batch % replicas != 0) {
    settings.refuse("batch", fmt::format("a multiple of the {} replicas is needed", replicas));
  }
  const double share = static_cast<double>(spec.job.batch) / replicas;
  if (const auto no = spec.profile->objection(share)) {
    throw InputError(location_of(spec.profile->source), no->why);
  }
}

}  // namespace

plan::JobSpec read_profiled_job(const Scenario& scenario, int devices) {
  const Settings& settings = scenario.workload();
  plan::JobSpec spec;
  if (!settings.automatic("group")) {
    spec.choice.group = static_cast<int>(settings.integer("group"));
    check_group(settings, *spec.choice.group, devices);
  }
  spec.choice.quantum = settings.duration("quantum");
  spec.algorithm = workload::Algorithm::ring;
  const std::string prefix = path_of(settings, "rostam");
  spec.profile = foreign::to_graph(foreign::read_rostam(prefix, settings.location("rostam")));
  spec.model.name = std::filesystem::path(prefix).filename().string();
  spec.model.sample = "sample";
  spec.law = spec.profile->accuracy;
  spec.iterations = 1;
  spec.any_batch = settings.given("batch") && settings.automatic("batch");
  if (spec.any_batch && !spec.law) {
    settings.refuse("batch", fmt::format("it needs the iterations to accuracy, and there is no {}",
                                         prefix + "_iter.prof"));
  }
  spec.job.batch = settings.given("batch") && !spec.any_batch ? settings.integer("batch") : devices;
  if (!spec.any_batch) check_batch(settings, spec, devices);
  return spec;
}

}  // namespace loom::scenario
