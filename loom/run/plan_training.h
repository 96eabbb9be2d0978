// Plans one training job: strategy, placement, circuits and collective algorithms.
#pragma once

#include <cstdint>
#include <string>

#include "loom/run/plan.h"

namespace loom::run {

// With more messages the fluid engine takes more than a few seconds.
inline constexpr std::int64_t kMaxFluidMessages = 2'000'000;

// Why the job is infeasible, and what it would need.
Infeasible why_infeasible(const plan::JobSpec& spec, const plan::StrategySearch& search,
                          int devices);

// Plans the job on the network or circuits found for it. Circuits that change between phases or
// periodically are planned here.
PlannedOrNot planned_training(TrainingPlan training, plan::MappedJob mapped, const Fabric& fabric,
                              bool folding);

PlannedOrNot plan_training(const scenario::TrainingWork& work, const scenario::Scenario& scenario,
                           const Fabric& fabric, const plan::SearchOptions& options);

}  // namespace loom::run
