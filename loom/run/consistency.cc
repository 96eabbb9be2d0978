#include "loom/run/consistency.h"

#include <fmt/format.h>

#include "loom/base/error.h"

namespace loom::run {
namespace {

constexpr double kRounding = 1e-6;

void check_links(const Plan& plan, const simulate::Outcome& outcome) {
  const double time = seconds(outcome.completion_time);
  for (std::size_t l = 0; l < outcome.link_bytes.size(); ++l) {
    const double bits = 8.0 * static_cast<double>(outcome.link_bytes[l].count);
    const double room = static_cast<double>(plan.network.links[l].bandwidth.bits_per_second) * time;
    LOOM_CHECK(bits <= room * (1 + kRounding) + 8,
               "no link carries more than its bandwidth allows");
  }
}

void check_devices(const workload::Workload& workload, const simulate::Outcome& outcome) {
  std::vector<Duration> of_groups(workload.groups.size(), Duration(0));
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::compute) continue;
    Duration& sum = of_groups[static_cast<std::size_t>(it.groups)];
    sum = add(sum, it.time);
  }
  std::vector<Duration> computing(static_cast<std::size_t>(workload.devices), Duration(0));
  for (std::size_t g = 0; g < of_groups.size(); ++g) {
    if (of_groups[g].count() == 0) continue;
    for (const int device : workload.groups[g].members) {
      Duration& sum = computing[static_cast<std::size_t>(device)];
      sum = add(sum, of_groups[g]);
    }
  }
  for (const Duration it : computing) {
    LOOM_CHECK(it <= outcome.completion_time, "no device computes longer than the run takes");
  }
}

// A run may begin on an idle network and overlap its iterations, so only all of them together take
// at least as long as their bounds.
void check_bound(Duration bound, int iterations, const simulate::Outcome& outcome) {
  LOOM_CHECK(
      seconds(bound) * iterations <= seconds(outcome.completion_time) * (1 + kRounding) + 1e-9,
      "no run is faster than its lower bound");
}

// No strategy beats the bound that its search found.
void check_bound(const TrainingPlan& plan, const simulate::Outcome& outcome) {
  if (plan.search.ranking.empty() || plan.search_report) return;
  check_bound(plan.search.ranking.front().bound, plan.lowered.iterations, outcome);
}

}  // namespace

void check_consistency(const scenario::Scenario& scenario, const Plan& plan,
                       const simulate::Outcome& outcome, const std::optional<PlanBound>& bound) {
  if (outcome.deadlock) return;
  if (bound) check_bound(bound->time(), plan.iterations(), outcome);
  const bool jitter = scenario.settings.real("jitter") > 0;
  if (plan.changes.empty() && !plan.circuits_change()) check_links(plan, outcome);
  if (!jitter) check_devices(plan.workload, outcome);
  const auto* training = plan.as<TrainingPlan>();
  if (training != nullptr && !jitter && plan.changes.empty()) check_bound(*training, outcome);
}

void check_utilization(const scenario::Scenario& scenario, const TrainingReport& report) {
  // Jitter makes some computations faster; an iteration that varies may lack what another did.
  const bool comparable = scenario.settings.real("jitter") == 0 && report.iteration_variation == 0;
  if (!comparable || report.model_flops_share <= 1 + kRounding) return;
  const auto* work = scenario.as<scenario::TrainingWork>();
  LOOM_CHECK(work != nullptr && work->settings.given("kernel_times"),
             "no device computes faster than its peak");
  work->settings.refuse(
      "kernel_times",
      fmt::format("with its times a device computes {:.3g} times as fast as its peak; the times of "
                  "one micro-batch on one device are needed",
                  report.model_flops_share));
}

}  // namespace loom::run
