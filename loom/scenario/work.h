// The work of a scenario: one of six kinds.
//
// `Work` is the first type of the pipeline (docs/architecture.md). Every later stage has an
// overload for each alternative, so a new kind of work does not compile until every stage handles
// it.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "loom/base/settings.h"
#include "loom/model/accelerator.h"
#include "loom/model/catalog.h"

namespace loom::scenario {

// One collective: kind, size, algorithm.
struct CollectiveWork {
  Settings settings;
};

// A list of flows in a CSV file.
struct FlowsWork {
  Settings settings;
};

// Operations in a file, in the form that `dump --stage workload` writes.
struct WorkloadWork {
  Settings settings;
};

// A FlexFlow task graph: one training iteration whose tasks are already placed on devices.
struct ReplayWork {
  Settings settings;
};

// One training job.
struct TrainingWork {
  Settings settings;
  std::optional<model::ModelSpec> model;          // absent for a job given by Rostam profiles
  std::optional<model::Accelerator> accelerator;  // present exactly where the model is
};

// One entry of `jobs`: a training job, possibly several copies of it.
struct JobEntry {
  Settings own;       // gpus, count, start, name, weight
  Settings workload;  // the keys of a single training job
  model::ModelSpec model;
};

// Several training jobs on one cluster.
struct ColocatedWork {
  std::vector<JobEntry> jobs;
  Settings cluster;  // placement, iterations, keep_running
  model::Accelerator accelerator;
};

using Work =
    std::variant<CollectiveWork, FlowsWork, WorkloadWork, ReplayWork, TrainingWork, ColocatedWork>;

}  // namespace loom::scenario
