#include "loom/run/consistency.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/run/steady_run.h"

namespace loom::run {
namespace {

// Rounding, and the difference of two iterations that count as equally long.
constexpr double kRounding = 1e-6;
constexpr double kIterations = 0.01;

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

// The bound of the search is that of the strategy that runs, on links that do not change.
void check_bound(const TrainingPlan& plan, const simulate::Outcome& outcome) {
  if (plan.search.ranking.empty()) return;
  const plan::RankedStrategy& first = plan.search.ranking.front();
  if (!(first.strategy == plan.strategy)) return;
  const Duration time = iteration_time(plan.lowered, outcome.operation_end).time;
  LOOM_CHECK(seconds(time) >= seconds(first.bound) * (1 - kIterations),
             "no iteration takes less time than its lower bound");
}

}  // namespace

void check_consistency(const scenario::Scenario& scenario, const Plan& plan,
                       const simulate::Outcome& outcome) {
  if (outcome.deadlock) return;
  const bool jitter = scenario.settings.real("jitter") > 0;
  const bool fixed_links = plan.changes.empty() && !plan.circuits_change();
  if (fixed_links) check_links(plan, outcome);
  if (!jitter) check_devices(plan.workload, outcome);
  const auto* training = plan.as<TrainingPlan>();
  if (training != nullptr && fixed_links && !jitter) check_bound(*training, outcome);
}

}  // namespace loom::run
