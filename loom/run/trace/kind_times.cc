#include "loom/run/trace/kind_times.h"

#include <algorithm>
#include <array>
#include <map>

namespace loom::run {
namespace {

constexpr std::size_t kKinds = place::kPurposeNames.size();

struct Change {
  TimePoint at;
  std::size_t kind = 0;
  int by = 1;
};

// The communications of one kind, from the last join to the last end of each group. A group whose
// ranks are not all recorded (equivalent devices) is judged by the recorded ones.
void add_groups(const workload::Workload& workload, const workload::Operation& it,
                std::span<const simulate::RankTaskRecord* const> tasks, std::size_t kind,
                std::vector<Change>& changes) {
  const workload::Groups& groups = workload.groups[static_cast<std::size_t>(it.groups)];
  std::map<int, int> index;  // of a member, by device
  for (std::size_t m = 0; m < groups.members.size(); ++m) {
    index.emplace(groups.members[m], static_cast<int>(m));
  }
  std::map<int, std::pair<TimePoint, TimePoint>> spans;  // by group
  for (const simulate::RankTaskRecord* task : tasks) {
    const auto member = index.find(static_cast<int>(task->device));
    if (member == index.end()) continue;
    const auto span = spans.try_emplace(member->second / groups.size, task->ready, task->end).first;
    span->second.first = std::max(span->second.first, task->ready);
    span->second.second = std::max(span->second.second, task->end);
  }
  for (const auto& [group, span] : spans) {
    if (span.first >= span.second) continue;
    changes.push_back({span.first, kind, 1});
    changes.push_back({span.second, kind, -1});
  }
}

std::vector<Change> changes_of(const place::LoweredJob& job, const workload::Workload& workload,
                               const RankTaskLog& log) {
  std::map<std::size_t, std::vector<const simulate::RankTaskRecord*>> by_operation;
  for (const simulate::RankTaskRecord& it : log.tasks()) {
    const workload::Operation& operation = workload.operations[it.operation];
    if (operation.kind == workload::OperationKind::collective) {
      by_operation[it.operation].push_back(&it);
    }
  }
  std::vector<Change> changes;
  for (const auto& [operation, tasks] : by_operation) {
    add_groups(workload, workload.operations[operation], tasks,
               static_cast<std::size_t>(job.tags[operation].purpose), changes);
  }
  for (const simulate::RankTaskRecord& it : log.tasks()) {
    if (workload.operations[it.operation].kind != workload::OperationKind::message) continue;
    const auto kind = static_cast<std::size_t>(job.tags[it.operation].purpose);
    if (it.ready >= it.end) continue;
    changes.push_back({it.ready, kind, 1});
    changes.push_back({it.end, kind, -1});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.at < b.at; });
  return changes;
}

}  // namespace

std::vector<KindsInProgress> kinds_in_progress(const place::LoweredJob& job,
                                               const workload::Workload& workload,
                                               const RankTaskLog& log, TimePoint from,
                                               TimePoint to) {
  std::array<int, kKinds> running{};
  std::map<std::vector<place::Purpose>, Duration> times;
  TimePoint now = from;
  const auto pass = [&](TimePoint until) {
    until = std::min(until, to);
    if (until <= now) return;
    std::vector<place::Purpose> kinds;
    for (std::size_t k = 0; k < kKinds; ++k) {
      if (running[k] > 0) kinds.push_back(static_cast<place::Purpose>(k));
    }
    times[kinds] += until - now;
    now = until;
  };
  for (const Change& it : changes_of(job, workload, log)) {
    pass(it.at);
    running[it.kind] += it.by;
  }
  pass(to);
  std::vector<KindsInProgress> intervals;
  for (const auto& [kinds, time] : times) intervals.push_back({kinds, time});
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const auto& a, const auto& b) { return a.time > b.time; });
  return intervals;
}

}  // namespace loom::run
