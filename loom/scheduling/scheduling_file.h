// A cluster's day as a file gives it: the cluster, its policy, and the jobs that arrive.
//
//   gpus: 24                      fabric: a map, as in a scenario; two tiers, 2:1, if not given
//   policy: [fair, goodput]       cassini: [false, true]      a list is an axis, as in a scenario
//   jobs:     [{model: vgg-16, gpus: 4, arrival: 20 s, iterations: 500, batch_per_device: 64}]
//   arrivals: {jobs: 1000, load: 0.9, models: [{model: vgg-16}], gpus: 1 to 12, iterations: 200 to
//   1000} trace:    jobs.csv            with arrival, model, gpus, and iterations or duration
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loom/base/tree.h"
#include "loom/fabric/fabric.h"
#include "loom/jobs/scheduler/arrivals.h"
#include "loom/jobs/scheduler/scheduling_simulation.h"
#include "loom/model/accelerator.h"

namespace loom {

// What a day is run on; points that agree in it share what was found out about its jobs.
struct SimulatedCluster {
  int devices = 0;
  FabricSpec fabric;
  std::uint64_t seed = 1;  // of a fabric that has chance in it
  std::string text;        // of all this: equal where it is
};

struct SchedulingScenario {
  SimulatedCluster cluster;
  SchedulingOptions options;
  std::vector<std::pair<std::string, std::string>> axes;
};

struct SchedulingFile {
  std::vector<JobKind> kinds;
  std::vector<TraceJob> jobs;        // by arrival; none where there are
  std::optional<Arrivals> arrivals;  // that are drawn
  bool seeded = false;               // arrivals have a seed of their own, not that of the point
  std::vector<SchedulingScenario> points;
};

// What may stand at the top, in a job, and in arrivals, beside what is read elsewhere.
std::span<const Parameter> scheduling_parameters();
std::span<const Parameter> trace_job_parameters();
std::span<const Parameter> arrival_parameters();

// InputError at the first thing wrong.
SchedulingFile read_scheduling_file(Tree tree, std::span<const std::string> overrides);

// The file at this path: YAML, or jobs as CSV (.csv) on the cluster that is there if not said.
Tree read_scheduling_tree(const std::string& path);

}  // namespace loom
