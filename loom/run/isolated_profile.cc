#include "loom/run/isolated_profile.h"

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"
#include "loom/jobs/profile/recorded_run.h"
#include "loom/run/plan.h"

namespace loom::run {
namespace {

// Allows more stages than the default: they are cheap on a single link, and a DLRM has more than a
// dozen.
constexpr jobs::StageOptions kStages{.max_stages = 48};

int busiest(const simulate::Outcome& outcome) {
  const auto& bytes = outcome.link_bytes;
  return static_cast<int>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

// Time during which the link carries data, and the bits that it carries.
struct Carried {
  Duration busy{0};
  double bits = 0;
};

Carried carried(const std::vector<jobs::LoadChange>& changes, const jobs::TimeWindow& window) {
  Carried sum;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const TimePoint until = c + 1 < changes.size() ? changes[c + 1].at : window.end;
    const Duration length = std::min(until, window.end) - std::max(changes[c].at, window.begin);
    if (length.count() <= 0 || changes[c].load.bits_per_second == 0) continue;
    sum.busy += length;
    sum.bits += static_cast<double>(changes[c].load.bits_per_second) * seconds(length);
  }
  return sum;
}

}  // namespace

IsolatedProfile isolated_profile(const scenario::Scenario& scenario, const std::string& name,
                                 int threads) {
  if (!scenario.as<scenario::TrainingWork>()) {
    throw InputError(scenario.location(),
                     "the workload is no training job; a model is needed for a profile");
  }
  const Plan plan = plan_or_refuse(scenario, {}, {threads, nullptr});
  const auto& training = *plan.as<TrainingPlan>();
  jobs::RunRecorder recorder(plan.network.links.size());
  simulate::EngineOptions engine;
  engine.sharing = scenario.sharing();
  engine.observer = &recorder;
  const simulate::Outcome outcome =
      simulate_fluid(plan.workload, plan.network, plan.changes, engine);
  LOOM_CHECK(!outcome.deadlock, "an isolated job ends");
  const int link = busiest(outcome);
  std::erase_if(recorder.changes, [&](const jobs::LoadChange& it) { return it.link != link; });
  for (jobs::LoadChange& it : recorder.changes) it.link = 0;
  const jobs::TimeWindow window = jobs::last_iteration(training.lowered, outcome.operation_end);
  const Carried sum = carried(recorder.changes, window);
  IsolatedProfile isolated;
  isolated.bytes = {std::llround(sum.bits / 8)};
  isolated.busy = static_cast<double>(sum.busy.count()) /
                  static_cast<double>((window.end - window.begin).count());
  isolated.profile = {name, profile_stages(recorder.changes, window.begin, window.end, kStages)};
  isolated.strategy = to_text(training.strategy);
  return isolated;
}

}  // namespace loom::run
