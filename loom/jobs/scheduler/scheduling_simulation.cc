#include "loom/jobs/scheduler/scheduling_simulation.h"

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/jobs/cassini/align_jobs.h"
#include "loom/jobs/scheduler/free_devices.h"
#include "loom/jobs/scheduler/scheduling_state.h"

namespace loom::jobs {
namespace {

// New devices for some jobs; all other jobs keep their devices.
struct Choice {
  std::vector<std::size_t> moved;
  Placed where;
};

class SchedulingSimulation {
 public:
  SchedulingSimulation(const ClusterTrace& trace, PlacedProfiles& profiles,
                       const SchedulingOptions& options)
      : profiles_(profiles),
        options_(options),
        state_(trace, profiles, options),
        aligner_(profiles.links(),
                 {.nodes = options.nodes, .padding = options.padding, .slack = options.jitter}) {}

  SchedulingResult run() {
    if (state_.infeasible()) return state_.finish();
    while (!state_.over()) step();
    return state_.finish();
  }

 private:
  bool ticks() const {
    return options_.policy == SharePolicy::fair || options_.policy == SharePolicy::goodput;
  }
  Duration tick_length() const {
    return options_.policy == SharePolicy::fair ? options_.lease : options_.interval;
  }

  // Advances to the next arrival, end of a job or tick (end of a lease or interval), and decides.
  void step() {
    state_.advance(std::min(state_.next_arrival(), next_tick_));
    const bool tick = state_.now() >= next_tick_;
    if (!state_.present().empty()) decide(tick);
    if (state_.present().empty()) {
      next_tick_ = kForever;
    } else if (ticks() && (tick || next_tick_ == kForever)) {
      next_tick_ = add(state_.now(), tick_length());
    }
    if (options_.progress) options_.progress(state_.finished_fraction());
  }

  std::vector<int> shares(const std::vector<std::size_t>& who, bool tick) {
    std::vector<ActiveJob> seen;
    for (const std::size_t j : who) seen.push_back(state_.active(j));
    const int devices = profiles_.devices();
    switch (options_.policy) {
      case SharePolicy::random:
      case SharePolicy::locality:
        return shares_in_order(seen, devices);
      case SharePolicy::fair:
        return shares_fairly(seen, devices, state_.now(), !tick);
      case SharePolicy::goodput:
        return shares_for_goodput(seen, devices, state_.now(), options_.restart);
    }
    return {};
  }

  // Stops jobs whose number of devices changes and gives them new devices.
  void decide(bool tick) {
    const std::vector<std::size_t> who = state_.present();
    const std::vector<int> wanted = shares(who, tick);
    std::vector<std::size_t> moved;
    std::vector<int> sizes;
    for (std::size_t i = 0; i < who.size(); ++i) {
      const JobState& job = state_.job(who[i]);
      if (static_cast<int>(job.devices.size()) == wanted[i]) continue;
      if (job.id >= 0) state_.stop(who[i]);
      const bool ended = std::find(state_.present().begin(), state_.present().end(), who[i]) ==
                         state_.present().end();
      if (ended || wanted[i] == 0) continue;
      moved.push_back(who[i]);
      sizes.push_back(wanted[i]);
    }
    ++decision_;
    const bool anew = tick && options_.cassini;
    if (moved.empty() && !anew) return release_uncontended();
    choose(choices(moved, sizes, anew));
  }

  Nearness nearness() const {
    return options_.policy == SharePolicy::random ? Nearness::any : Nearness::racks;
  }

  // Candidate placements, the default of the policy first. If `anew`, some candidates also move
  // running jobs.
  std::vector<Choice> choices(const std::vector<std::size_t>& moved, const std::vector<int>& sizes,
                              bool anew) {
    const int max = options_.cassini ? options_.candidates : 1;
    const std::uint64_t seed = mix(options_.seed, decision_);
    std::vector<Choice> all;
    for (Placed& it : candidates(state_.free(), sizes, options_.rack, nearness(),
                                 anew ? (max + 1) / 2 : max, seed)) {
      all.push_back({moved, std::move(it)});
    }
    if (!anew) return all;
    std::vector<std::size_t> everyone = moved;
    std::vector<int> every_size = sizes;
    for (const std::size_t j : state_.present()) {
      if (state_.job(j).devices.empty()) continue;
      everyone.push_back(j);
      every_size.push_back(static_cast<int>(state_.job(j).devices.size()));
    }
    const std::vector<bool> free(static_cast<std::size_t>(profiles_.devices()), true);
    for (Placed& it :
         candidates(free, every_size, options_.rack, nearness(), max / 2, mix(seed, decision_))) {
      all.push_back({everyone, std::move(it)});
    }
    return all;
  }

  // All jobs that hold devices after the choice, sorted by index, with their devices.
  std::vector<std::pair<std::size_t, std::vector<int>>> after(const Choice& choice) const {
    std::vector<std::pair<std::size_t, std::vector<int>>> all;
    for (std::size_t m = 0; m < choice.moved.size(); ++m) {
      all.emplace_back(choice.moved[m], choice.where[m]);
    }
    for (const std::size_t j : state_.present()) {
      const bool moved =
          std::find(choice.moved.begin(), choice.moved.end(), j) != choice.moved.end();
      if (!moved && !state_.job(j).devices.empty()) all.emplace_back(j, state_.job(j).devices);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  Aligned aligned(const std::vector<std::pair<std::size_t, std::vector<int>>>& all) {
    std::vector<const PlacedProfile*> jobs;
    for (const auto& it : all) jobs.push_back(&state_.profile(it.first, it.second));
    return aligner_.align(jobs);
  }

  // The score minus two costs: the padding, and the restart of running jobs that would move, as a
  // fraction of a lease or interval.
  double value(const Choice& choice, const Aligned& found) const {
    double moving = 0;
    double all = 0;
    for (const std::size_t j : state_.present()) {
      all += static_cast<double>(state_.job(j).devices.size());
    }
    for (std::size_t m = 0; m < choice.moved.size(); ++m) {
      const std::vector<int>& before = state_.job(choice.moved[m]).devices;
      const auto count = static_cast<double>(choice.where[m].size());
      if (before.empty()) all += count;
      if (!before.empty() && before != choice.where[m]) moving += count;
    }
    const double lost =
        static_cast<double>(options_.restart.count()) / static_cast<double>(tick_length().count());
    return found.score - found.padding - (all > 0 ? lost * moving / all : 0);
  }

  void choose(const std::vector<Choice>& all) {
    std::size_t best = 0;
    Aligned shifts;
    double max = 0;
    for (std::size_t c = 0; options_.cassini && c < all.size(); ++c) {
      Aligned found = aligned(after(all[c]));
      const double worth = value(all[c], found);
      constexpr double kSame = 1e-9;
      if (c > 0 && worth <= max + kSame) continue;
      best = c;
      max = worth;
      shifts = std::move(found);
    }
    if (!all[best].moved.empty()) state_.note_score(shifts.score, shifts.contended);
    apply(all[best], shifts);
  }

  // Stops all jobs that move, then starts them on their new devices, each at its time shift.
  void apply(const Choice& choice, const Aligned& shifts) {
    const auto everyone = after(choice);
    std::vector<std::size_t> fresh;
    for (std::size_t m = 0; m < choice.moved.size(); ++m) {
      const std::size_t j = choice.moved[m];
      if (state_.job(j).devices == choice.where[m]) continue;
      if (state_.job(j).id >= 0) state_.stop(j);
      fresh.push_back(j);
    }
    std::erase_if(fresh, [&](std::size_t j) {  // jobs that had finished when they were stopped
      const auto& present = state_.present();
      return std::find(present.begin(), present.end(), j) == present.end();
    });
    std::sort(fresh.begin(), fresh.end());
    TimeShifts planned(everyone.size());
    for (const AlignedGroup& group : shifts.groups) plan_shifts(group, everyone, fresh, planned);
    for (std::size_t i = 0; i < everyone.size(); ++i) {
      const std::size_t j = everyone[i].first;
      if (!std::binary_search(fresh.begin(), fresh.end(), j)) continue;
      const TimeShift& shift = planned[i];
      state_.start(j, everyone[i].second, shift.planned ? shift.at : earliest(j), shift.period);
    }
    for (std::size_t i = 0; i < everyone.size(); ++i) {
      const std::size_t j = everyone[i].first;
      if (state_.job(j).id < 0 || std::binary_search(fresh.begin(), fresh.end(), j)) continue;
      follow(j, planned[i]);
    }
  }

  struct TimeShift {
    bool planned = false;
    bool keeps = false;  // the shifts of the job's group do not change
    Duration at{0};
    Duration period{0};  // alignment period; 0: the job is shifted once and not realigned
  };
  using TimeShifts = std::vector<TimeShift>;

  // Earliest start of a job; a job that has run before needs time to restart.
  Duration earliest(std::size_t j) const {
    const bool again = state_.placements(j) > 0;
    return again ? add(state_.now(), options_.restart) : state_.now();
  }

  // Plans the shifts of a group relative to its running job with the most devices, which continues
  // without a delay.
  void plan_shifts(const AlignedGroup& group,
                   const std::vector<std::pair<std::size_t, std::vector<int>>>& everyone,
                   const std::vector<std::size_t>& fresh, TimeShifts& shifts) const {
    const auto who = [&](std::size_t k) {
      return everyone[static_cast<std::size_t>(group.jobs[k])].first;
    };
    const auto is_fresh = [&](std::size_t k) {
      return std::binary_search(fresh.begin(), fresh.end(), who(k));
    };
    std::size_t root = group.jobs.size();
    std::size_t any_fresh = 0;
    for (std::size_t k = 0; k < group.jobs.size(); ++k) {
      if (is_fresh(k)) {
        ++any_fresh;
      } else if (state_.job(who(k)).id >= 0 &&
                 (root == group.jobs.size() ||
                  state_.job(who(k)).devices.size() > state_.job(who(root)).devices.size())) {
        root = k;
      }
    }
    const bool none_running = root == group.jobs.size();
    const Duration origin =
        none_running ? state_.now() : state_.next_begin(who(root)) - group.shifts[root];
    for (std::size_t k = 0; k < group.jobs.size(); ++k) {
      TimeShift& shift = shifts[static_cast<std::size_t>(group.jobs[k])];
      shift.keeps = any_fresh == 0;
      shift.planned = any_fresh > 0;
      const Duration from = is_fresh(k) ? earliest(who(k)) : state_.next_begin(who(k));
      shift.at = first_at(origin + group.shifts[k], group.periods[k], from);
      if (group.apart) shift.period = group.periods[k];
    }
  }

  // The earliest of the times a, a ± period, … that is not before `from`.
  static Duration first_at(Duration a, Duration period, Duration from) {
    const std::int64_t gap = (from - a).count();
    std::int64_t times = gap / period.count();
    if (times * period.count() < gap) ++times;
    return a + Duration(times * period.count());
  }

  // Applies the shift to a running job that keeps its devices.
  void follow(std::size_t j, const TimeShift& shift) {
    if (shift.keeps) return;
    if (shift.planned && shift.period.count() > 0) return state_.align(j, shift.at, shift.period);
    state_.forget_alignment(j);
    if (shift.planned) state_.delay(j, shift.at - state_.next_begin(j));
  }

  // Ends the alignment of jobs that no longer contend with any other job.
  void release_uncontended() {
    if (!options_.cassini) return;
    const auto everyone = after({});
    std::vector<bool> uncontended(everyone.size(), true);
    for (const AlignedGroup& group : aligned(everyone).groups) {
      for (const int it : group.jobs) uncontended[static_cast<std::size_t>(it)] = false;
    }
    for (std::size_t i = 0; i < everyone.size(); ++i) {
      if (uncontended[i]) state_.forget_alignment(everyone[i].first);
    }
  }

  PlacedProfiles& profiles_;
  const SchedulingOptions& options_;
  SchedulingState state_;
  JobAligner aligner_;
  Duration next_tick_ = kForever;
  std::uint64_t decision_ = 0;
};

}  // namespace

SchedulingResult simulate_scheduling(const ClusterTrace& trace, PlacedProfiles& profiles,
                                     const SchedulingOptions& options) {
  return SchedulingSimulation(trace, profiles, options).run();
}

}  // namespace loom::jobs
