// Lower bounds on the iteration time of a training job: of one strategy, over all circuits, routes
// and algorithms, and of all strategies that a search considered.
#pragma once

#include <memory>
#include <optional>

#include "loom/plan/bounds/capacity.h"
#include "loom/plan/planner.h"

namespace loom::plan {

// What is known of the network, on which the bounds hold.
struct BoundLimits {
  Capacity capacity;
  // Set on a network whose links do not change: the bounds of the search then hold, which know its
  // routes. On circuits they hold only for the algorithms that the search considered.
  std::shared_ptr<const fabric::Network> fixed = nullptr;
};

// Of a strategy that shards all layers the same way.
Duration bound_of_strategy(const JobSpec& spec, const parallelize::Strategy& strategy,
                           const BoundLimits& limits);

// The bound of the chosen strategy that follows from the order of its work, and that of all
// strategies in the ranking, also those that were not estimated; nothing where none is known.
struct ChoiceBounds {
  Duration chain{0};
  std::optional<Duration> of_all;
};

ChoiceBounds bounds_of(const TrainingChoice& choice, const BoundLimits& limits);

}  // namespace loom::plan
