#include "loom/jobs/traced_profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "loom/base/error.h"
#include "loom/base/parallel.h"
#include "loom/jobs/merge_jobs.h"

namespace loom {
namespace {

struct LoadChange {
  Duration at{0};
  Bandwidth load;
};

class LoadRecorder : public Observer {
 public:
  void link_load(int link, Duration at, Bandwidth load) override {
    loads_[link].push_back({at, load});
  }
  const std::map<int, std::vector<LoadChange>>& loads() const { return loads_; }

 private:
  std::map<int, std::vector<LoadChange>> loads_;
};

struct Window {
  Duration begin{0};
  Duration end{0};
};

// From the end of the iteration before the last to the end of the last.
Window last_iteration(const LoweredJob& job, const std::vector<Duration>& operation_end) {
  Window window;
  for (std::size_t o = 0; o < operation_end.size(); ++o) {
    window.end = std::max(window.end, operation_end[o]);
    if (job.tags[o].iteration + 1 < job.iterations) {
      window.begin = std::max(window.begin, operation_end[o]);
    }
  }
  return window;
}

Duration slot_begin(const Window& window, int slot) {
  const Int128 length = (window.end - window.begin).count();
  return Duration(static_cast<std::int64_t>(length * slot / kTraceSlots));
}

// Bits that a link carries in each slot.
std::vector<double> bits_in_slots(const std::vector<LoadChange>& changes, const Window& window) {
  std::vector<double> bits(kTraceSlots, 0);
  const auto slot = static_cast<double>((window.end - window.begin).count()) / kTraceSlots;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const Duration until = c + 1 < changes.size() ? changes[c + 1].at : window.end;
    const auto begin =
        static_cast<double>((std::max(changes[c].at, window.begin) - window.begin).count());
    const auto end = static_cast<double>((std::min(until, window.end) - window.begin).count());
    const auto rate = static_cast<double>(changes[c].load.bits_per_second);
    if (end <= begin || rate <= 0) continue;
    for (auto s = static_cast<std::size_t>(begin / slot); s < kTraceSlots; ++s) {
      const double from = std::max(begin, static_cast<double>(s) * slot);
      const double to = std::min(end, static_cast<double>(s + 1) * slot);
      if (to <= from) {
        if (static_cast<double>(s) * slot >= end) break;
        continue;
      }
      bits[s] += rate * (to - from) * 1e-12;
    }
  }
  return bits;
}

struct TracedJob {
  Window window;
  std::map<int, std::vector<double>> bits;  // by link and slot; of links that carry some
};

TracedJob traced(const PlannedJob& job, const Network& network, const EngineOptions& engine) {
  const LoweredJob& lowered = job.plan->grounded.lowered;
  const std::vector<JobAt> at = {{&lowered, job.devices, Duration(0)}};
  const MergedJobs alone = merge_jobs(at, network.devices);
  LoadRecorder recorder;
  EngineOptions options = engine;
  options.observer = &recorder;
  options.control = nullptr;
  options.progress = nullptr;
  options.folding = false;  // every link is to be heard of
  const Outcome outcome = simulate_fluid(alone.workload, network, {}, options);
  TracedJob traced{last_iteration(lowered, outcome.operation_end), {}};
  if (traced.window.end <= traced.window.begin) return traced;
  for (const auto& it : recorder.loads()) {
    std::vector<double> bits = bits_in_slots(it.second, traced.window);
    if (std::any_of(bits.begin(), bits.end(), [](double b) { return b > 0; })) {
      traced.bits[it.first] = std::move(bits);
    }
  }
  return traced;
}

JobProfile profile_of(const std::string& name, const TracedJob& job,
                      const std::map<int, int>& number, const std::vector<SharedLink>& links) {
  std::vector<ProfileStage> stages;
  for (int s = 0; s < kTraceSlots; ++s) {
    const Duration length = slot_begin(job.window, s + 1) - slot_begin(job.window, s);
    if (length.count() == 0) continue;
    ProfileStage stage{length, {}};
    for (const auto& it : job.bits) {
      const auto found = number.find(it.first);
      if (found == number.end()) continue;
      const double rate =
          it.second[static_cast<std::size_t>(s)] / (static_cast<double>(length.count()) * 1e-12);
      const Bandwidth capacity = links[static_cast<std::size_t>(found->second)].capacity;
      const Bandwidth whole{static_cast<std::int64_t>(std::llround(rate))};
      if (whole.bits_per_second > 0) {
        stage.rates.push_back({found->second, std::min(whole, capacity)});
      }
    }
    stages.push_back(std::move(stage));
  }
  return {name, joined_stages(std::move(stages), kStageError, kMostTracedStages)};
}

// By link, of either stage.
std::map<int, std::pair<double, double>> rates_of(const ProfileStage& a, const ProfileStage& b) {
  std::map<int, std::pair<double, double>> rates;
  for (const LinkRate& it : a.rates) {
    rates[it.link].first = static_cast<double>(it.rate.bits_per_second);
  }
  for (const LinkRate& it : b.rates) {
    rates[it.link].second = static_cast<double>(it.rate.bits_per_second);
  }
  return rates;
}

// Bits that lie elsewhere when two stages are one.
double moved(const ProfileStage& a, const ProfileStage& b) {
  const auto first = static_cast<double>(a.length.count());
  const auto second = static_cast<double>(b.length.count());
  double bits = 0;
  for (const auto& it : rates_of(a, b)) {
    bits += std::abs(it.second.first - it.second.second) * first * second / (first + second);
  }
  return bits;
}

ProfileStage joined(const ProfileStage& a, const ProfileStage& b) {
  const auto first = static_cast<double>(a.length.count());
  const auto second = static_cast<double>(b.length.count());
  ProfileStage one{a.length + b.length, {}};
  for (const auto& it : rates_of(a, b)) {
    const double rate = (it.second.first * first + it.second.second * second) / (first + second);
    one.rates.push_back({it.first, Bandwidth{static_cast<std::int64_t>(std::llround(rate))}});
  }
  return one;
}

}  // namespace

std::vector<ProfileStage> joined_stages(std::vector<ProfileStage> stages, double error,
                                        std::size_t most) {
  double all = 0;
  for (const ProfileStage& stage : stages) {
    for (const LinkRate& it : stage.rates) {
      all +=
          static_cast<double>(it.rate.bits_per_second) * static_cast<double>(stage.length.count());
    }
  }
  std::vector<double> cost;
  for (std::size_t s = 0; s + 1 < stages.size(); ++s)
    cost.push_back(moved(stages[s], stages[s + 1]));
  double spent = 0;
  while (stages.size() > 1) {
    const auto least = std::min_element(cost.begin(), cost.end());
    if (stages.size() <= most && spent + *least > error * all) break;
    spent += *least;
    const auto at = static_cast<std::size_t>(least - cost.begin());
    stages[at] = joined(stages[at], stages[at + 1]);
    stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    cost.erase(least);
    if (at > 0) cost[at - 1] = moved(stages[at - 1], stages[at]);
    if (at + 1 < stages.size()) cost[at] = moved(stages[at], stages[at + 1]);
  }
  return stages;
}

SharedProfiles traced_profiles(const std::vector<PlannedJob>& jobs, const Network& network,
                               const EngineOptions& engine, int threads) {
  std::vector<TracedJob> all(jobs.size());
  for_each_index(jobs.size(), threads,
                 [&](std::size_t j) { all[j] = traced(jobs[j], network, engine); });
  std::map<int, int> users;
  for (const TracedJob& job : all) {
    for (const auto& it : job.bits) ++users[it.first];
  }
  SharedProfiles profiles;
  std::map<int, int> number;
  for (const auto& it : users) {
    if (it.second < 2) continue;
    number[it.first] = static_cast<int>(profiles.links.size());
    profiles.links.push_back(
        {network.link_name(it.first), network.links[static_cast<std::size_t>(it.first)].bandwidth});
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    profiles.jobs.push_back(profile_of(jobs[j].name, all[j], number, profiles.links));
  }
  return profiles;
}

}  // namespace loom
