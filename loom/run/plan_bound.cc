#include "loom/run/plan_bound.h"

#include <algorithm>

#include "loom/plan/bounds/strategy_bound.h"

namespace loom::run {
namespace {

plan::Capacity capacity_of_plan(const Plan& plan) {
  return plan.circuits ? plan::capacity_of(plan.circuits->fabric)
                       : plan::capacity_of(plan.network, plan.changes);
}

bool fixed(const Plan& plan) { return !plan.circuits && plan.changes.empty(); }

}  // namespace

std::string_view PlanBound::set_by() const {
  if (time() == computation) return "computation";
  if (time() == chain) return "work and communication that wait for each other";
  if (time() == devices) return "bytes of one device";
  return on_ring ? "bytes on all segments of the ring" : "bytes on all links";
}

std::optional<PlanBound> plan_bound(const scenario::Scenario& scenario, const Plan& plan) {
  if (scenario.settings.real("jitter") > 0) return std::nullopt;
  const plan::Capacity capacity = capacity_of_plan(plan);
  const auto* training = plan.as<TrainingPlan>();
  std::function<int(std::size_t)> kind_of;
  if (training != nullptr) {
    kind_of = [&](std::size_t o) { return static_cast<int>(training->lowered.tags[o].purpose); };
  }
  PlanBound bound{workload_bound(plan.workload, capacity, kind_of), std::nullopt,
                  std::holds_alternative<plan::RingHops>(capacity.hops)};
  if (training == nullptr) return bound;
  for (Duration* it : {&bound.computation, &bound.devices, &bound.hops}) *it /= plan.iterations();
  // Iterations may overlap, so a chain counts only from one point of an iteration to the same point
  // of the next.
  plan::BoundLimits limits{capacity};
  if (fixed(plan)) {
    limits.fixed = std::make_shared<const fabric::Network>(plan.network);
  }
  const plan::ChoiceBounds known = bounds_of(*training, limits);
  bound.chain = known.chain;
  if (known.of_all) bound.any_strategy = std::min(*known.of_all, bound.time());
  return bound;
}

double gap(Duration time, Duration bound) {
  return bound.count() == 0 ? 0 : seconds(time) / seconds(bound);
}

}  // namespace loom::run
