#include "loom/jobs/scheduler/scheduling_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/jobs/scheduler/free_devices.h"

namespace loom::jobs {
namespace {

constexpr double kRounding = 1e-9;  // tolerance, as a fraction of an iteration
constexpr double kNeverOff = 1;     // tolerance of one period: never realigns

}  // namespace

SchedulingState::SchedulingState(const ClusterTrace& trace, PlacedProfiles& profiles,
                                 const SchedulingOptions& options)
    : trace_(trace),
      profiles_(profiles),
      options_(options),
      jobs_(trace.jobs.size()),
      simulated_(profiles.links(), options.transport) {
  result_.jobs.resize(jobs_.size());
  for (std::size_t j = 0; j < jobs_.size() && !result_.infeasible; ++j) prepare(j);
}

void SchedulingState::prepare(std::size_t j) {
  const TraceJob& it = trace_.jobs[j];
  const PlacedProfile& isolated = profiles_.packed(it.kind, it.devices);
  if (isolated.infeasible) {
    result_.infeasible = Infeasible{fmt::format("job {}: {}", it.name, isolated.infeasible->why)};
    return;
  }
  const std::int64_t fit =
      (it.duration.count() + isolated.period.count() - 1) / isolated.period.count();
  const std::int64_t iterations =
      it.iterations > 0 ? it.iterations : std::max<std::int64_t>(1, fit);
  jobs_[j].ideal_period = isolated.period;
  jobs_[j].work = static_cast<double>(iterations);
  ScheduledJobResult& out = result_.jobs[j];
  out.name = it.name;
  out.kind = kind_of(j).name;
  out.devices = it.devices;
  out.arrival = it.arrival;
  out.asked_iterations = iterations;
  out.ideal = times(iterations, isolated.period);
}

double SchedulingState::finished_fraction() const {
  return jobs_.empty() ? 1 : static_cast<double>(ended_) / static_cast<double>(jobs_.size());
}

Duration SchedulingState::next_arrival() const {
  return next_ < jobs_.size() ? trace_.jobs[next_].arrival : kForever;
}

std::vector<bool> SchedulingState::free() const {
  std::vector<bool> free(static_cast<std::size_t>(profiles_.devices()), true);
  for (const std::size_t j : present_) {
    for (const int it : jobs_[j].devices) free[static_cast<std::size_t>(it)] = false;
  }
  return free;
}

void SchedulingState::advance(Duration until) {
  LOOM_CHECK(until < kForever || simulated_.next_event() < kForever,
             "there is a next event while jobs are unfinished");
  now_ = simulated_.advance(until);
  harvest();
  arrive();
}

void SchedulingState::arrive() {
  for (; next_ < jobs_.size() && trace_.jobs[next_].arrival <= now_; ++next_) {
    present_.push_back(next_);
  }
}

void SchedulingState::harvest() {
  for (const IterationEnd& it : simulated_.take_iterations()) {
    const std::size_t j = job_of_[static_cast<std::size_t>(it.job)];
    result_.jobs[j].times.add(std::max(it.end - jobs_[j].begun, Duration(1)));
    jobs_[j].begun = it.end;
  }
  const std::vector<int> left(simulated_.left().begin(), simulated_.left().end());
  for (const int id : left) {
    const std::size_t j = job_of_[static_cast<std::size_t>(id)];
    if (jobs_[j].id == id) stop(j);
  }
}

void SchedulingState::start(std::size_t j, std::vector<int> devices, Duration first,
                            Duration period) {
  JobState& job = jobs_[j];
  ScheduledJobResult& out = result_.jobs[j];
  LOOM_CHECK(job.id < 0 && !devices.empty(), "a starting job holds no devices and gets some");
  job.profile = &profile(j, devices);
  LOOM_CHECK(!job.profile->infeasible, "a job that fits on some devices fits on any others");
  job.worth = worth(j, static_cast<int>(devices.size()));
  PeriodicJob simulated;
  simulated.profile = job.profile->profile;
  simulated.start = first;
  const double left = std::ceil((job.work - job.done) / job.worth - kRounding);
  simulated.iterations = std::max<std::int64_t>(1, static_cast<std::int64_t>(left));
  simulated.jitter = options_.jitter;
  simulated.seed = mix(mix(options_.seed, j), static_cast<std::uint64_t>(out.placements));
  if (period.count() > 0) simulated.align = Alignment{period, options_.tolerance};
  job.aligned = period.count() > 0;
  if (out.placements == 0) out.start = now_;
  ++out.placements;
  out.racks += racks_of(devices, options_.rack);
  job.devices = std::move(devices);
  job.since = now_;
  job.begun = first;
  job.id = simulated_.start(std::move(simulated));
  job_of_.resize(static_cast<std::size_t>(job.id) + 1);
  job_of_[static_cast<std::size_t>(job.id)] = j;
}

void SchedulingState::stop(std::size_t j) {
  JobState& job = jobs_[j];
  ScheduledJobResult& out = result_.jobs[j];
  const std::int64_t iterations = simulated_.iterations_done(job.id);
  const auto count = static_cast<double>(job.devices.size());
  job.done += static_cast<double>(iterations) * job.worth;
  out.iterations += iterations;
  out.realignments += simulated_.realignments(job.id);
  out.held += now_ - job.since;
  out.device_seconds += seconds(now_ - job.since) * count;
  result_.computing += static_cast<double>(iterations) * seconds(job.profile->period) *
                       job.profile->computing * count;
  simulated_.stop(job.id);
  job.id = -1;
  job.devices.clear();
  if (job.done + kRounding >= job.work) end(j);
}

void SchedulingState::end(std::size_t j) {
  std::erase(present_, j);
  result_.jobs[j].end = now_;
  ++ended_;
}

void SchedulingState::delay(std::size_t j, Duration by) {
  if (by.count() > 0) simulated_.delay(jobs_[j].id, by);
}

// Moves the start of the schedule into the past, because a job is realigned only after that start.
void SchedulingState::align(std::size_t j, Duration from, Duration period) {
  const std::int64_t periods = std::max<std::int64_t>(0, (from - now_) / period + 1);
  simulated_.align(jobs_[j].id, from - periods * period, {period, options_.tolerance});
  jobs_[j].aligned = true;
}

void SchedulingState::forget_alignment(std::size_t j) {
  if (!jobs_[j].aligned) return;
  simulated_.align(jobs_[j].id, now_, {jobs_[j].profile->period, kNeverOff});
  jobs_[j].aligned = false;
}

Duration SchedulingState::next_begin(std::size_t j) const {
  const JobState& job = jobs_[j];
  if (job.begun >= now_) return job.begun;
  return std::max(now_, job.begun + job.profile->period);
}

const JobKind& SchedulingState::kind_of(std::size_t j) const {
  return profiles_.kinds()[static_cast<std::size_t>(asked(j).kind)];
}

double SchedulingState::worth(std::size_t j, int devices) const {
  const TraceJob& it = trace_.jobs[j];
  const JobKind& kind = kind_of(j);
  if (devices == it.devices) return 1;
  LOOM_CHECK(kind.batch != nullptr, "a job of unknown batch has the devices it requested");
  const auto asked_for = static_cast<double>(kind.batch(it.devices));
  const auto has = static_cast<double>(kind.batch(devices));
  const double more = has / asked_for;
  if (!kind.critical_batch) return more;
  return more * (*kind.critical_batch + asked_for) / (*kind.critical_batch + has);
}

double SchedulingState::goodput(std::size_t j, int devices) {
  if (devices != asked(j).devices && !kind_of(j).batch) return 0;
  const PlacedProfile& isolated = profiles_.packed(asked(j).kind, devices);
  if (isolated.infeasible) return 0;
  return worth(j, devices) * seconds(jobs_[j].ideal_period) / seconds(isolated.period);
}

std::vector<double> SchedulingState::goodputs(std::size_t j) {
  const TraceJob& it = asked(j);
  const int max_devices =
      kind_of(j).batch ? std::min(it.max_devices, profiles_.devices()) : it.devices;
  std::vector<double> all;
  for (int n = 1; n <= max_devices; ++n) all.push_back(goodput(j, n));
  return all;
}

ActiveJob SchedulingState::active(std::size_t j) {
  const JobState& it = jobs_[j];
  ActiveJob seen;
  seen.arrival = asked(j).arrival;
  seen.wanted = asked(j).devices;
  seen.holds = static_cast<int>(it.devices.size());
  seen.ideal = it.work * seconds(it.ideal_period);
  const auto now_done =
      it.id < 0 ? 0.0 : static_cast<double>(simulated_.iterations_done(it.id)) * it.worth;
  seen.left = std::max(0.0, it.work - it.done - now_done) * seconds(it.ideal_period);
  seen.changes = std::max(0, result_.jobs[j].placements - 1);
  if (options_.policy == SharePolicy::goodput) seen.goodput = goodputs(j);
  return seen;
}

void SchedulingState::note_score(double score, int contended) {
  const auto before = static_cast<double>(result_.decisions++);
  result_.score = (result_.score * before + score) / (before + 1);
  result_.contended = (result_.contended * before + contended) / (before + 1);
}

SchedulingResult SchedulingState::finish() {
  if (jobs_.empty() || result_.infeasible) return std::move(result_);
  const Duration first = trace_.jobs.front().arrival;
  double held = 0;
  for (ScheduledJobResult& it : result_.jobs) {
    result_.times.add(it.times);
    held += it.device_seconds;
    it.queued = it.completion() - it.held;
    it.racks /= it.placements;
  }
  result_.length = now_ - first;
  const double all = seconds(result_.length) * profiles_.devices();
  result_.held = held / all;
  result_.computing /= all;
  int used = 0;
  for (std::size_t l = 0; l < profiles_.links().size(); ++l) {
    const auto use = simulated_.use(static_cast<int>(l));
    if (use.bytes <= 0) continue;
    ++used;
    result_.carried_bytes += use.bytes;
    result_.excess_bytes += use.excess_bytes;
    result_.congested += seconds(use.congested) / seconds(result_.length);
  }
  if (used > 0) result_.congested /= used;
  return std::move(result_);
}

}  // namespace loom::jobs
