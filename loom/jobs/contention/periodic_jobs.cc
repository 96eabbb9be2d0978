#include "loom/jobs/contention/periodic_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "loom/base/error.h"
#include "loom/base/index.h"
#include "loom/jobs/contention/job_group.h"
#include "loom/jobs/contention/running_job.h"
#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {
namespace {

// A stage with at most this time left, in picoseconds, has ended: the remainder is rounding error.
constexpr double kStageEnd = 0.5;
constexpr double kPicosecondBits = 8e12;  // bit/s · picoseconds in a byte

void check_transport(const JobTransport& it) {
  const auto refuse = [](std::string_view name, double value, std::string_view needed) {
    throw InputError({}, fmt::format("{} is {}; {} is needed", name, value, needed));
  };
  if (!(it.contention_loss >= 0 && it.contention_loss < 1)) {
    refuse("contention_loss", it.contention_loss, "at least 0 and below 1");
  }
  if (!(it.intercept > 0) || !std::isfinite(it.intercept)) {
    refuse("intercept", it.intercept, "more than 0");
  }
  if (!(it.slope + it.intercept > 0) || !std::isfinite(it.slope)) {
    refuse("slope", it.slope, "F = slope * r + intercept above 0 for all r from 0 to 1");
  }
}

}  // namespace

class PeriodicJobs::State {
 public:
  State(const std::vector<SharedLink>& links, const JobTransport& transport);

  int start(PeriodicJob job);
  void stop(int id);
  void change(int id, const std::function<void(RunningJob&)>& how);
  Duration advance(Duration until);
  Duration next_event();
  SharedLinkUse use(int id);
  double bandwidth(int id);

  Duration now{0};
  std::vector<int> departed;  // jobs that left in the last advance()
  std::vector<RunningJob> jobs;
  std::vector<IterationEnd> iterations;

 private:
  struct LinkState {
    std::int64_t capacity = 0;
    std::int64_t demand = 0;
    std::vector<int> senders = {};
    double bytes = 0;  // bytes carried in completed stages
    Duration congested{0};
    double excess_bytes = 0;
    Duration since{0};  // time point up to which excess demand is counted
    int local = -1;     // index of the link in the group being built; -1: not in that group
  };
  struct Due {
    Duration time;
    int group;
    std::uint32_t version;
    bool operator>(const Due& other) const { return time > other.time; }
  };

  LinkState& link(const LinkRate& it) { return links_[to_index(it.link)]; }
  bool congested(const LinkState& it) const { return it.demand > it.capacity; }
  bool stale(const Due& it) const { return groups_[to_index(it.group)].version != it.version; }
  double capacity_of(const LinkState& it) const;
  void count_excess(LinkState& it) const;
  void join_links(int id);
  void leave_links(int id, double left);
  void dissolve(int group);
  void move_on(int id);
  void take_due();
  void regroup();
  void gather(int first, JobGroup& group);
  void describe(JobGroup& group);
  int free_group();

  GroupTools tools_;
  std::vector<LinkState> links_;
  std::vector<JobGroup> groups_;
  std::vector<int> free_groups_;
  std::vector<int> loose_;  // jobs currently without a group
  std::vector<int> local_links_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

PeriodicJobs::State::State(const std::vector<SharedLink>& links, const JobTransport& transport)
    : tools_{.transport = transport} {
  check_transport(transport);
  for (const SharedLink& it : links) {
    if (it.capacity <= Bandwidth{0}) {
      throw InputError({}, fmt::format("the link {} has a capacity of {}; more than 0 is needed",
                                       it.name, readable(it.capacity)));
    }
    links_.push_back(LinkState{.capacity = it.capacity.bits_per_second});
  }
}

double PeriodicJobs::State::capacity_of(const LinkState& it) const {
  const bool exclusive = tools_.transport.kind->strict_priority();
  const double lost = it.senders.size() > 1 && !exclusive ? tools_.transport.contention_loss : 0;
  return static_cast<double>(it.capacity) * (1 - lost);
}

void PeriodicJobs::State::count_excess(LinkState& it) const {
  if (congested(it)) {
    it.congested += now - it.since;
    it.excess_bytes += static_cast<double>(it.demand - it.capacity) *
                       static_cast<double>((now - it.since).count()) / kPicosecondBits;
  }
  it.since = now;
}

void PeriodicJobs::State::join_links(int id) {
  for (const LinkRate& it : jobs[to_index(id)].stage().rates) {
    count_excess(link(it));
    link(it).demand += it.rate.bits_per_second;
    link(it).senders.push_back(id);
  }
}

// Removes the job from the links of its stage; `left` is the remaining time of the stage at
// speed 1.
void PeriodicJobs::State::leave_links(int id, double left) {
  const RunningJob::Stage& stage = jobs[to_index(id)].stage();
  const double sent = static_cast<double>(stage.length.count()) - left;
  for (const LinkRate& it : stage.rates) {
    LinkState& from = link(it);
    count_excess(from);
    from.demand -= it.rate.bits_per_second;
    from.bytes += static_cast<double>(it.rate.bits_per_second) * sent / kPicosecondBits;
    *std::find(from.senders.begin(), from.senders.end(), id) = from.senders.back();
    from.senders.pop_back();
  }
}

// Advances the jobs of the group to now and releases them from the group.
void PeriodicJobs::State::dissolve(int group) {
  if (group < 0) return;
  JobGroup& it = groups_[to_index(group)];
  it.move_to(now, tools_);
  for (std::size_t i = 0; i < it.jobs.size(); ++i) {
    RunningJob& job = jobs[to_index(it.jobs[i])];
    job.left = it.contention.senders[i].left;
    job.group = -1;
    loose_.push_back(it.jobs[i]);
  }
  ++it.version;
  free_groups_.push_back(group);
}

// Moves a job whose stage has ended to its next stage, or lets it leave. The job is in no group.
void PeriodicJobs::State::move_on(int id) {
  RunningJob& job = jobs[to_index(id)];
  leave_links(id, 0);
  if (job.next(now)) iterations.push_back(job.ended());
  job.here = !job.done();
  if (!job.here) return departed.push_back(id);
  join_links(id);
}

void PeriodicJobs::State::take_due() {
  while (!due_.empty() && due_.top().time <= now) {
    const Due it = due_.top();
    due_.pop();
    if (!stale(it)) dissolve(it.group);
  }
  std::sort(loose_.begin(), loose_.end());
  for (const int id : std::vector<int>(loose_)) {
    if (jobs[to_index(id)].left <= kStageEnd) move_on(id);
  }
}

// Assigns all jobs without a group to groups. All senders of an overloaded link are in one group; a
// link that has just become overloaded therefore dissolves the previous groups of its senders.
void PeriodicJobs::State::regroup() {
  std::size_t next = 0;  // an index, because dissolving a group adds to loose_
  while (next < loose_.size()) {
    const RunningJob& job = jobs[to_index(loose_[next++])];
    if (!job.here) continue;
    for (const LinkRate& it : job.stage().rates) {
      if (!congested(link(it))) continue;
      for (const int other : link(it).senders) dissolve(jobs[to_index(other)].group);
    }
  }
  std::sort(loose_.begin(), loose_.end());
  for (const int id : loose_) {
    if (!jobs[to_index(id)].here || jobs[to_index(id)].group >= 0) continue;
    const int number = free_group();
    JobGroup& group = groups_[to_index(number)];
    jobs[to_index(id)].group = number;
    gather(id, group);
    group.since = now;
    group.set_off(tools_);
    due_.push({group.due, number, group.version});
  }
  loose_.clear();
}

int PeriodicJobs::State::free_group() {
  if (free_groups_.empty()) {
    groups_.emplace_back();
    return static_cast<int>(groups_.size()) - 1;
  }
  const int group = free_groups_.back();
  free_groups_.pop_back();
  return group;
}

void PeriodicJobs::State::gather(int first, JobGroup& group) {
  const int number = jobs[to_index(first)].group;
  group.jobs.assign(1, first);
  local_links_.clear();
  for (std::size_t i = 0; i < group.jobs.size(); ++i) {
    for (const LinkRate& it : jobs[to_index(group.jobs[i])].stage().rates) {
      if (!congested(link(it)) || link(it).local >= 0) continue;
      link(it).local = 0;
      local_links_.push_back(it.link);
      for (const int other : link(it).senders) {
        if (jobs[to_index(other)].group == number) continue;
        LOOM_CHECK(jobs[to_index(other)].group < 0,
                   "every sender over an overloaded link has been released from its group");
        jobs[to_index(other)].group = number;
        group.jobs.push_back(other);
      }
    }
  }
  std::sort(group.jobs.begin(), group.jobs.end());
  std::sort(local_links_.begin(), local_links_.end());
  describe(group);
  for (const int it : local_links_) links_[to_index(it)].local = -1;
}

void PeriodicJobs::State::describe(JobGroup& group) {
  Contention& all = group.contention;
  all.senders.clear();
  all.hops.clear();
  all.capacity.clear();
  for (const int it : local_links_) {
    links_[to_index(it)].local = static_cast<int>(all.capacity.size());
    all.capacity.push_back(capacity_of(links_[to_index(it)]));
  }
  for (const int id : group.jobs) {
    const RunningJob& job = jobs[to_index(id)];
    const RunningJob::Stage& stage = job.stage();
    Sender sender{.rate = stage.rate,
                  .weight = job.weight(),
                  .left = job.left,
                  .bits = job.bits(),
                  .bits_left = stage.bits_left,
                  .first_hop = all.hops.size()};
    for (const LinkRate& it : stage.rates) {
      if (link(it).local < 0) continue;
      const auto rate = static_cast<double>(it.rate.bits_per_second);
      all.hops.push_back({link(it).local, rate / stage.rate});
    }
    sender.hop_count = all.hops.size() - sender.first_hop;
    all.senders.push_back(sender);
  }
}

int PeriodicJobs::State::start(PeriodicJob job) {
  const int id = static_cast<int>(jobs.size());
  jobs.emplace_back(std::move(job), id, now);
  join_links(id);
  loose_.push_back(id);
  regroup();
  return id;
}

void PeriodicJobs::State::stop(int id) {
  RunningJob& job = jobs[to_index(id)];
  if (!job.here) return;
  dissolve(job.group);
  leave_links(id, job.left);
  job.here = false;
  regroup();
}

void PeriodicJobs::State::change(int id, const std::function<void(RunningJob&)>& how) {
  if (!jobs[to_index(id)].here) return;
  dissolve(jobs[to_index(id)].group);
  how(jobs[to_index(id)]);
  regroup();
}

Duration PeriodicJobs::State::next_event() {
  while (!due_.empty() && stale(due_.top())) due_.pop();
  return due_.empty() ? kForever : due_.top().time;
}

Duration PeriodicJobs::State::advance(Duration until) {
  departed.clear();
  while (departed.empty() && next_event() <= until && next_event() != kForever) {
    now = next_event();
    take_due();
    regroup();
  }
  if (departed.empty()) now = std::max(now, until);
  return now;
}

SharedLinkUse PeriodicJobs::State::use(int id) {
  LinkState it = links_[to_index(id)];
  count_excess(it);
  for (const int sender : it.senders) {
    JobGroup group = groups_[to_index(jobs[to_index(sender)].group)];
    group.move_to(now, tools_);
    const auto place = std::find(group.jobs.begin(), group.jobs.end(), sender);
    const auto index = static_cast<std::size_t>(place - group.jobs.begin());
    const RunningJob::Stage& stage = jobs[to_index(sender)].stage();
    const double sent =
        static_cast<double>(stage.length.count()) - group.contention.senders[index].left;
    for (const LinkRate& rate : stage.rates) {
      if (rate.link != id) continue;
      it.bytes += static_cast<double>(rate.rate.bits_per_second) * sent / kPicosecondBits;
    }
  }
  return {it.bytes, it.congested, it.excess_bytes};
}

double PeriodicJobs::State::bandwidth(int id) {
  if (!jobs[to_index(id)].here) return 0;
  JobGroup group = groups_[to_index(jobs[to_index(id)].group)];
  group.move_to(now, tools_);
  group.set_off(tools_);
  const auto place = std::find(group.jobs.begin(), group.jobs.end(), id);
  return group.speeds[static_cast<std::size_t>(place - group.jobs.begin())] *
         jobs[to_index(id)].stage().rate;
}

PeriodicJobs::PeriodicJobs(std::vector<SharedLink> links, const JobTransport& transport)
    : links_(std::move(links)), state_(std::make_unique<State>(links_, transport)) {}
PeriodicJobs::~PeriodicJobs() = default;
PeriodicJobs::PeriodicJobs(PeriodicJobs&&) noexcept = default;
PeriodicJobs& PeriodicJobs::operator=(PeriodicJobs&&) noexcept = default;

int PeriodicJobs::start(PeriodicJob job) {
  check_job(job, links_);
  return state_->start(std::move(job));
}

void PeriodicJobs::stop(int id) { state_->stop(id); }

void PeriodicJobs::delay(int id, Duration by) {
  state_->change(id, [&](RunningJob& job) { job.delay(by); });
}

void PeriodicJobs::align(int id, Duration from, const Alignment& alignment) {
  LOOM_CHECK(alignment.period > Duration(0), "an aligned job has a period");
  state_->change(id, [&](RunningJob& job) { job.align(from, alignment); });
}

Duration PeriodicJobs::advance(Duration until) { return state_->advance(until); }
Duration PeriodicJobs::now() const { return state_->now; }
Duration PeriodicJobs::next_event() const { return state_->next_event(); }
std::span<const int> PeriodicJobs::left() const { return state_->departed; }
bool PeriodicJobs::running(int id) const { return state_->jobs[to_index(id)].here; }
std::int64_t PeriodicJobs::iterations_done(int id) const {
  return state_->jobs[to_index(id)].iterations();
}
std::int64_t PeriodicJobs::realignments(int id) const {
  return state_->jobs[to_index(id)].realignments();
}
SharedLinkUse PeriodicJobs::use(int link) const { return state_->use(link); }
double PeriodicJobs::bandwidth(int id) const { return state_->bandwidth(id); }

std::vector<IterationEnd> PeriodicJobs::take_iterations() {
  return std::exchange(state_->iterations, {});
}

}  // namespace loom::jobs
