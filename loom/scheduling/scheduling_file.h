// A scheduling file: the input of `lightloom cluster`, with the cluster, the scheduling policy and
// the jobs that arrive.
//
//   gpus: 24                      fabric: a map, as in a scenario; by default a 2:1 leaf-spine
//   policy: [fair, goodput]       cassini: [false, true]      a list is an axis, as in a scenario
//   jobs:     [{model: vgg-16, gpus: 4, arrival: 20 s, iterations: 500, batch_per_device: 64}]
//   arrivals: {jobs: 1000, load: 0.9, models: [{model: vgg-16}], gpus: 1 to 12, iterations: 200}
//   trace:    jobs.csv            with arrival, model, gpus, and iterations or duration
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

namespace loom::scheduling {

// The simulated cluster; points with the same cluster share their job profiles.
struct SimulatedCluster {
  int devices = 0;
  fabric::FabricSpec fabric;
  std::uint64_t seed = 1;  // seed of a random fabric
  std::string text;        // canonical form of the other members, used for comparison
};

struct SchedulingScenario {
  SimulatedCluster cluster;
  jobs::SchedulingOptions options;
  std::vector<std::pair<std::string, std::string>> axes;
};

struct SchedulingFile {
  std::vector<jobs::JobKind> kinds;
  std::vector<jobs::TraceJob> jobs;        // sorted by arrival; empty if `arrivals` is set
  std::optional<jobs::Arrivals> arrivals;  // random arrivals
  bool seeded = false;  // the arrivals have their own seed; otherwise they use that of the point
  std::vector<SchedulingScenario> points;
};

// The parameters at the top level, in a job and in `arrivals`, except for keys that are read
// elsewhere.
std::span<const Parameter> scheduling_parameters();
std::span<const Parameter> trace_job_parameters();
std::span<const Parameter> arrival_parameters();

// Throws InputError at the first error.
SchedulingFile read_scheduling_file(Tree tree, std::span<const std::string> overrides);

// Reads the file at this path: YAML, or jobs as CSV (.csv) on the default cluster.
Tree read_scheduling_tree(const std::string& path);

}  // namespace loom::scheduling
