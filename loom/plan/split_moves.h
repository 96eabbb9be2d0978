// The starting points and local changes of the search for splits of operators.
#pragma once

#include <string>
#include <vector>

#include "loom/model/model.h"
#include "loom/plan/job_spec.h"

namespace loom::plan {

// Operators that cost the same and have the same name but for their layer: they are split the same
// way.
using OperatorKinds = std::vector<std::vector<std::size_t>>;

// In the order of their first operators.
OperatorKinds operator_kinds(const model::Model& model);

// The kinds with this split, runs of them as "first … last"; layers are not named.
std::string kinds_text(const model::Model& model, const parallelize::Strategy& strategy,
                       parallelize::OperatorSplit split);

// Strategies with the pipeline and the micro-batches of `base` on other numbers of tensor ranks,
// with some splits to start from.
std::vector<parallelize::Strategy> split_starts(const JobSpec& spec,
                                                const parallelize::Strategy& base);

// All possible local changes of a strategy with splits.
std::vector<parallelize::Strategy> split_moves(const JobSpec& spec, const OperatorKinds& kinds,
                                               const parallelize::Strategy& from);

}  // namespace loom::plan
