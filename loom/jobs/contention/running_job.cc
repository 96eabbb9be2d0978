#include "loom/jobs/contention/running_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::jobs {
namespace {

double picoseconds(Duration time) { return static_cast<double>(time.count()); }

void check_stage(const JobProfile& job, const ProfileStage& stage,
                 const std::vector<SharedLink>& links) {
  if (stage.length < Duration(0)) {
    throw InputError(
        {}, fmt::format("a stage of {} has a negative length; at least 0 is needed", job.name));
  }
  std::vector<int> seen;
  for (const LinkRate& it : stage.rates) {
    const bool known = it.link >= 0 && it.link < static_cast<int>(links.size());
    if (!known || it.rate < Bandwidth{0}) {
      throw InputError({},
                       fmt::format("a stage of {} sends {} over link {}; a rate of at least 0 and "
                                   "a link below {} are needed",
                                   job.name, readable(it.rate), it.link, links.size()));
    }
    if (std::count(seen.begin(), seen.end(), it.link) > 0) {
      throw InputError(
          {}, fmt::format("a stage of {} lists the link {} twice; one rate per link is needed",
                          job.name, links[static_cast<std::size_t>(it.link)].name));
    }
    seen.push_back(it.link);
  }
}

}  // namespace

void check_job(const PeriodicJob& job, const std::vector<SharedLink>& links) {
  for (const ProfileStage& it : job.profile.stages) check_stage(job.profile, it, links);
  if (job.profile.period() <= Duration(0)) {
    throw InputError({}, fmt::format("an iteration of {} takes no time; a period above 0 is needed",
                                     job.profile.name));
  }
  if (!(job.weight > 0) || !std::isfinite(job.weight)) {
    throw InputError({}, fmt::format("the weight of {} is {}; more than 0 is needed",
                                     job.profile.name, job.weight));
  }
}

RunningJob::RunningJob(PeriodicJob job, int id, Duration now) : job_(std::move(job)), id_(id) {
  for (const ProfileStage& from : job_.profile.stages) {
    Stage stage{.length = from.length, .rates = {}};
    for (const LinkRate& it : from.rates) {
      if (it.rate.bits_per_second == 0) continue;
      stage.rates.push_back(it);
      stage.rate = std::max(stage.rate, static_cast<double>(it.rate.bits_per_second));
    }
    stages_.push_back(std::move(stage));
  }
  for (std::size_t s = stages_.size(); s > 0; --s) {
    Stage& stage = stages_[s - 1];
    stage.bits_left = bits_;
    bits_ += stage.rate * picoseconds(stage.length) / 1e12;
  }
  job_.profile.stages.clear();
  origin_ = std::max(job_.start, now);
  delay_ = origin_ - now;
  begin_or_wait(now);
}

bool RunningJob::next(Duration now) {
  if (waiting_) {
    begin_iteration(now);
    return false;
  }
  for (std::size_t i = at_ + 1; i < stages_.size(); ++i) {
    if (enter(i)) return false;
  }
  ended_ = {id_, iteration_++, iteration_start_, now};
  if (!done()) begin_or_wait(now);
  return true;
}

void RunningJob::begin_or_wait(Duration now) {
  Duration wait = delay_;
  delay_ = Duration(0);
  if (const Duration off = misaligned(now + wait); off > Duration(0)) {
    wait += off;
    ++realignments_;
  }
  if (wait == Duration(0)) return begin_iteration(now);
  waiting_ = true;
  left = picoseconds(wait);
}

// Time until the next scheduled start; 0 if the job is on schedule within the tolerance.
Duration RunningJob::misaligned(Duration now) const {
  if (!job_.align || now < origin_) return Duration(0);
  const Duration period = job_.align->period;
  const Duration late = (now - origin_) % period;
  const Duration off = std::min(late, period - late);
  if (picoseconds(off) <= job_.align->tolerance * picoseconds(period)) return Duration(0);
  return period - late;
}

void RunningJob::begin_iteration(Duration now) {
  waiting_ = false;
  iteration_start_ = now;
  std::size_t first = 0;
  while (!enter(first)) ++first;
}

bool RunningJob::enter(std::size_t stage) {
  if (stages_[stage].length == Duration(0)) return false;
  at_ = stage;
  left = picoseconds(stages_[stage].rates.empty() ? jittered(stage) : stages_[stage].length);
  return true;
}

// The same jitter as the engine's operations (simulate/jitter.cc).
Duration RunningJob::jittered(std::size_t stage) const {
  const Duration length = stages_[stage].length;
  if (job_.jitter == 0) return length;
  const auto stream = mix(static_cast<std::uint64_t>(iteration_), stage);
  Random random = random_stream(mix(job_.seed, stream), stream);
  constexpr int kSummed = 12;
  constexpr std::uint32_t kSteps = 1U << 30;
  double z = -kSummed / 2.0;
  for (int i = 0; i < kSummed; ++i) z += static_cast<double>(random(kSteps)) / kSteps;
  const double longer = picoseconds(length) * std::exp(job_.jitter * z);
  return Duration(static_cast<std::int64_t>(std::clamp(longer, 1.0, 1e18)));
}

void RunningJob::delay(Duration by) {
  origin_ += by;
  if (waiting_) {
    left += picoseconds(by);
  } else {
    delay_ += by;
  }
}

void RunningJob::align(Duration from, const Alignment& alignment) {
  origin_ = from;
  job_.align = alignment;
}

}  // namespace loom::jobs
