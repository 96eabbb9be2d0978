// Lower bounds on the time of a plan, and how far it is from them.
//
// The bound of the plan holds for its work as it is (a training job with its strategy) over all
// circuits, routes and collective algorithms that the limits of the fabric allow. The bound of all
// strategies holds for every plan that the search may choose: it is the lowest bound of a strategy
// that fits in memory.
#pragma once

#include <optional>
#include <string_view>

#include "loom/plan/bounds/workload_bound.h"
#include "loom/run/plan.h"

namespace loom::run {

// Of one iteration of a training job, of the completion time of other work.
struct PlanBound : plan::WorkloadBound {
  std::optional<Duration> any_strategy;
  bool on_ring = false;  // hops are segments of a ring

  std::string_view set_by() const;  // the longest term, in words
};

// Nothing if computation times are random.
std::optional<PlanBound> plan_bound(const scenario::Scenario& scenario, const Plan& plan);

// `time` over the bound; 0 if there is no bound.
double gap(Duration time, Duration bound);

}  // namespace loom::run
