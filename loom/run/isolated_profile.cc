#include "loom/run/isolated_profile.h"

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"
#include "loom/jobs/profile/recorded_run.h"
#include "loom/run/plan.h"

namespace loom {
namespace {

// On one link many stages cost little, and a DLRM has more than a dozen.
constexpr StageOptions kStages{.max_stages = 48};

int busiest(const Outcome& outcome) {
  const auto& bytes = outcome.link_bytes;
  return static_cast<int>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

// While it fills the link, the time, and the bits of all of it.
struct Carried {
  Duration busy{0};
  double bits = 0;
};

Carried carried(const std::vector<LoadChange>& changes, const TimeWindow& window) {
  Carried sum;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const Duration until = c + 1 < changes.size() ? changes[c + 1].at : window.end;
    const Duration length = std::min(until, window.end) - std::max(changes[c].at, window.begin);
    if (length.count() <= 0 || changes[c].load.bits_per_second == 0) continue;
    sum.busy += length;
    sum.bits += static_cast<double>(changes[c].load.bits_per_second) * seconds(length);
  }
  return sum;
}

}  // namespace

IsolatedProfile isolated_profile(const Scenario& scenario, const std::string& name, int threads) {
  if (!scenario.trains()) {
    throw InputError(scenario.location(), "a profile is of a training job; a model is needed");
  }
  const Prepared prepared = prepare(scenario, {}, {threads, nullptr});
  if (!prepared.infeasible.empty()) throw InputError(scenario.location(), prepared.infeasible);
  RunRecorder recorder(prepared.network.links.size());
  EngineOptions engine;
  engine.sharing = scenario.sharing();
  engine.observer = &recorder;
  const Outcome outcome =
      simulate_fluid(prepared.workload, prepared.network, prepared.changes, engine);
  LOOM_CHECK(!outcome.deadlock, "a job alone comes to its end");
  const int link = busiest(outcome);
  std::erase_if(recorder.changes, [&](const LoadChange& it) { return it.link != link; });
  for (LoadChange& it : recorder.changes) it.link = 0;
  const TimeWindow window = last_iteration(prepared.job->lowered, outcome.operation_end);
  const Carried sum = carried(recorder.changes, window);
  IsolatedProfile isolated;
  isolated.bytes = {std::llround(sum.bits / 8)};
  isolated.busy = static_cast<double>(sum.busy.count()) /
                  static_cast<double>((window.end - window.begin).count());
  isolated.profile = {name, profile_stages(recorder.changes, window.begin, window.end, kStages)};
  isolated.strategy = to_text(prepared.job->strategy);
  return isolated;
}

}  // namespace loom
