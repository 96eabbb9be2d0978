#include "loom/jobs/contention/periodic_run.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::jobs {
namespace {

// A run is abandoned when one iteration takes as long as this many iterations of every job, run one
// after another.
constexpr std::int64_t kPatience = 100;

std::vector<PeriodicJob> jobs_of(const SharedProfiles& profiles, const PeriodicOptions& options) {
  std::vector<PeriodicJob> jobs;
  for (std::size_t i = 0; i < profiles.jobs.size(); ++i) {
    PeriodicJob job{.profile = profiles.jobs[i]};
    if (!options.starts.empty()) job.start = options.starts[i];
    if (!options.weights.empty()) job.weight = options.weights[i];
    if (!options.stay) job.iterations = options.iterations;
    job.jitter = options.jitter;
    job.seed = mix(options.seed, i);
    if (options.realign) {
      const Duration own = profiles.jobs[i].period();
      job.align = {options.periods.empty() ? own : options.periods[i], options.tolerance};
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

bool fits(std::size_t given, const SharedProfiles& profiles) {
  return given == 0 || given == profiles.jobs.size();
}

// Records iterations until all jobs have finished, or until a job makes no progress.
class Tally {
 public:
  Tally(const SharedProfiles& profiles, const PeriodicOptions& options)
      : jobs_(profiles.jobs.size()), wanted_(options.iterations), moved_(options.starts) {
    moved_.resize(jobs_.size(), Duration(0));
    for (const JobProfile& it : profiles.jobs) patience_ += it.period() * kPatience;
    look_again_ = *std::min_element(moved_.begin(), moved_.end()) + patience_;
  }

  void add(const IterationEnd& it) {
    PeriodicJobRun& run = jobs_[static_cast<std::size_t>(it.job)];
    run.start.push_back(it.start);
    run.end.push_back(it.end);
    const bool done = wanted_ > 0 && it.iteration + 1 >= wanted_;
    moved_[static_cast<std::size_t>(it.job)] = done ? kForever - patience_ : it.end;
    if (it.iteration + 1 == wanted_) ++done_;
  }
  bool all_done() const { return wanted_ > 0 && done_ == jobs_.size(); }
  bool gave_up(Duration now) {
    if (wanted_ == 0 || now <= look_again_) return false;
    look_again_ = *std::min_element(moved_.begin(), moved_.end()) + patience_;
    return now > look_again_;
  }
  std::vector<PeriodicJobRun> take() { return std::move(jobs_); }

 private:
  std::vector<PeriodicJobRun> jobs_;
  std::int64_t wanted_;
  std::size_t done_ = 0;
  std::vector<Duration> moved_;  // per job: end of its last iteration, or start of its first
  Duration patience_{0};
  Duration look_again_{0};  // no job can have exceeded patience_ before this time point
};

}  // namespace

std::vector<Duration> PeriodicJobRun::iteration_times() const {
  std::vector<Duration> times;
  for (std::size_t i = 0; i < end.size(); ++i) {
    times.push_back(end[i] - (i == 0 ? start[0] : end[i - 1]));
  }
  return times;
}

PeriodicRun run_periodic(const SharedProfiles& profiles, const PeriodicOptions& options) {
  LOOM_CHECK(options.iterations > 0 || options.horizon != kForever, "a run has an end");
  LOOM_CHECK(fits(options.starts.size(), profiles) && fits(options.weights.size(), profiles) &&
                 fits(options.periods.size(), profiles),
             "per-job options are given for all jobs or for none");
  PeriodicJobs running(profiles.links, options.transport);
  for (PeriodicJob& job : jobs_of(profiles, options)) running.start(std::move(job));
  Tally tally(profiles, options);
  const bool counted = options.iterations > 0;
  bool gave_up = false;
  while (!tally.all_done() && !gave_up && running.next_event() <= options.horizon &&
         running.next_event() != kForever) {
    running.advance(running.next_event());
    for (const IterationEnd& it : running.take_iterations()) tally.add(it);
    gave_up = tally.gave_up(running.now());
  }
  const bool complete = tally.all_done() || !counted;
  if (!tally.all_done() && !gave_up && options.horizon != kForever) {
    running.advance(options.horizon);
  }
  PeriodicRun run{.jobs = tally.take(), .links = {}, .end = running.now(), .complete = complete};
  for (std::size_t i = 0; i < run.jobs.size(); ++i) {
    run.jobs[i].realignments = running.realignments(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < profiles.links.size(); ++i) {
    run.links.push_back(running.use(static_cast<int>(i)));
  }
  return run;
}

}  // namespace loom::jobs
