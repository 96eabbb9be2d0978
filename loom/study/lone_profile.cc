#include "loom/study/lone_profile.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "loom/base/error.h"
#include "loom/jobs/traced_profile.h"
#include "loom/simulate/engine.h"
#include "loom/study/prepare.h"

namespace loom {
namespace {

// The loads of all links, as they change.
class LoadLog : public Observer {
 public:
  void link_load(int link, Duration at, Bandwidth load) override {
    loads_[link].emplace_back(at, load);
  }
  const std::vector<std::pair<Duration, Bandwidth>>& of(int link) { return loads_[link]; }

 private:
  std::map<int, std::vector<std::pair<Duration, Bandwidth>>> loads_;
};

int busiest(const Outcome& outcome) {
  const auto& bytes = outcome.link_bytes;
  return static_cast<int>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

Duration end_of_iteration(const LoweredJob& job, const Outcome& outcome, int iteration) {
  Duration end{0};
  for (std::size_t i = 0; i < job.tags.size(); ++i) {
    if (job.tags[i].iteration == iteration) end = std::max(end, outcome.operation_end[i]);
  }
  return end;
}

// What was carried from `from` to `to`, as stages.
std::vector<ProfileStage> stages_between(const std::vector<std::pair<Duration, Bandwidth>>& loads,
                                         Duration from, Duration to) {
  std::vector<ProfileStage> stages;
  const auto add = [&](Duration length, Bandwidth rate) {
    if (length <= Duration(0)) return;
    stages.push_back({length, {}});
    if (rate > Bandwidth{0}) stages.back().rates.push_back({0, rate});
  };
  Duration at = from;
  Bandwidth rate;
  for (const auto& change : loads) {
    if (change.first >= to) break;
    if (change.first > at) {
      add(change.first - at, rate);
      at = change.first;
    }
    rate = change.second;
  }
  add(to - at, rate);
  return stages;
}

double rate_of(const ProfileStage& stage) {
  return stage.rates.empty() ? 0 : static_cast<double>(stage.rates.front().rate.bits_per_second);
}

}  // namespace

LoneProfile lone_profile(const Scenario& scenario, const std::string& name, int threads) {
  if (!scenario.trains()) {
    throw InputError(scenario.place(), "a profile is of a training job; a model is needed");
  }
  const Prepared prepared = prepare(scenario, {}, {threads, nullptr});
  if (!prepared.infeasible.empty()) throw InputError(scenario.place(), prepared.infeasible);
  LoadLog log;
  EngineOptions engine;
  engine.sharing = scenario.sharing();
  engine.observer = &log;
  const Outcome outcome =
      simulate_fluid(prepared.workload, prepared.network, prepared.changes, engine);
  LOOM_CHECK(!outcome.deadlock, "a job alone comes to its end");
  const LoweredJob& job = prepared.job->lowered;
  const int last = job.iterations - 1;
  const Duration from = last > 0 ? end_of_iteration(job, outcome, last - 1) : Duration(0);
  const Duration to = end_of_iteration(job, outcome, last);
  LoneProfile lone;
  const std::vector<ProfileStage> stages = stages_between(log.of(busiest(outcome)), from, to);
  double bits = 0;
  Duration busy{0};
  for (const ProfileStage& it : stages) {
    bits += rate_of(it) * static_cast<double>(it.length.count()) / 1e12;
    if (!it.rates.empty()) busy += it.length;
  }
  lone.bytes = {std::llround(bits / 8)};
  lone.busy = static_cast<double>(busy.count()) / static_cast<double>((to - from).count());
  lone.profile = {name, joined_stages(stages, kStageError, kMostTracedStages)};
  lone.strategy = to_text(prepared.job->strategy);
  return lone;
}

}  // namespace loom
