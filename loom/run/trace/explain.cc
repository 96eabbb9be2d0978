#include "loom/run/trace/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "loom/base/error.h"

namespace loom::run {
namespace {

constexpr std::string_view kBubble = "pipeline bubble";
constexpr std::string_view kStraggler = "waiting for slower ranks";
constexpr std::string_view kIdle = "idle";

// Index of the rank tasks of a run by operation and device. The log may be in any order.
class TaskIndex {
 public:
  TaskIndex(const workload::Workload& workload, const RankTaskLog& log)
      : workload_(workload), log_(log), first_(workload.operations.size() + 1, 0) {
    const std::vector<simulate::RankTaskRecord>& records = log.tasks();
    for (const simulate::RankTaskRecord& it : records) ++first_[it.operation + 1];
    for (std::size_t o = 0; o < workload.operations.size(); ++o) first_[o + 1] += first_[o];
    order_.resize(records.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t r = 0; r < records.size(); ++r) order_[next[records[r].operation]++] = r;
    for (std::size_t o = 0; o < workload.operations.size(); ++o) {
      std::sort(
          order_.begin() + static_cast<std::ptrdiff_t>(first_[o]),
          order_.begin() + static_cast<std::ptrdiff_t>(first_[o + 1]),
          [&](std::size_t a, std::size_t b) { return records[a].device < records[b].device; });
    }
  }

  std::optional<simulate::RankTaskRecord> find(OperationId operation, DeviceId device) const {
    const std::vector<simulate::RankTaskRecord>& records = log_.tasks();
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first_[operation]);
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(first_[operation + 1]);
    const DeviceId recorded = log_.representative(device);
    const auto found = std::lower_bound(begin, end, recorded, [&](std::size_t r, DeviceId wanted) {
      return records[r].device < wanted;
    });
    if (found == end || records[*found].device != recorded) return std::nullopt;
    simulate::RankTaskRecord task = records[*found];
    task.device = device;
    return task;
  }

  // Returns the operation's rank task that ended last, over all devices.
  std::optional<simulate::RankTaskRecord> last(OperationId operation) const {
    std::optional<simulate::RankTaskRecord> latest;
    for (std::size_t i = first_[operation]; i < first_[operation + 1]; ++i) {
      const simulate::RankTaskRecord& it = log_.tasks()[order_[i]];
      if (!latest || it.end > latest->end) latest = it;
    }
    return latest;
  }

  // Returns the latest dependency of a task; when it ends, the task is ready. The task depends on
  // one rank task of each operation that it waits for: the one on its own device or, if there is
  // none, the one that ended last.
  std::optional<simulate::RankTaskRecord> before(const simulate::RankTaskRecord& task) const {
    std::optional<simulate::RankTaskRecord> latest;
    for (const std::uint32_t number : workload_.waits_for(task.operation)) {
      const OperationId o(number);
      std::optional<simulate::RankTaskRecord> here = find(o, task.device);
      if (!here) here = last(o);
      if (here && (!latest || here->end > latest->end)) latest = here;
    }
    return latest;
  }

  // Returns the rank task that the communication waited for: in a collective, that of the rank that
  // was ready last; in a point-to-point transfer, the sender's.
  simulate::RankTaskRecord slowest(const simulate::RankTaskRecord& task) const {
    const workload::Operation& it = workload_.operations[task.operation];
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    const auto at = std::find(groups.members.begin(), groups.members.end(), task.device);
    const auto index = static_cast<int>(at - groups.members.begin());
    const int group = index / groups.size;
    if (directed(task.operation)) {
      return find(task.operation, groups.device(group, 0)).value_or(task);
    }
    simulate::RankTaskRecord latest = task;
    for (int rank = 0; rank < groups.size; ++rank) {
      const auto here = find(task.operation, groups.device(group, rank));
      if (here && here->ready > latest.ready) latest = *here;
    }
    return latest;
  }

  bool directed(std::size_t operation) const {
    const workload::Operation& it = workload_.operations[operation];
    return it.kind == workload::OperationKind::collective &&
           workload_.collectives[static_cast<std::size_t>(it.collective)].kind ==
               workload::CollectiveKind::point_to_point;
  }
  bool computes(std::size_t operation) const {
    return workload_.operations[operation].kind == workload::OperationKind::compute;
  }

 private:
  const workload::Workload& workload_;
  const RankTaskLog& log_;
  std::vector<std::size_t> first_;  // index in order_ of the first task per operation
  std::vector<std::size_t> order_;
};

std::string label(const place::LoweredJob& job, const workload::Workload& workload,
                  std::size_t operation) {
  const place::OperationTag& tag = job.tags[operation];
  const std::string_view purpose = place::kPurposeNames[static_cast<std::size_t>(tag.purpose)];
  const workload::Operation& it = workload.operations[operation];
  if (it.kind != workload::OperationKind::collective) return std::string(purpose);
  return fmt::format("{} {}", purpose,
                     name_of(workload.collectives[static_cast<std::size_t>(it.collective)].kind));
}

class Explainer {
 public:
  Explainer(const place::LoweredJob& job, const workload::Workload& workload,
            const RankTaskLog& log)
      : job_(job), workload_(workload), log_(log), tasks_(workload, log) {
    for (const simulate::RankTaskRecord& it : log.tasks()) {
      const auto device = static_cast<std::size_t>(it.device);
      if (of_device_.size() <= device) of_device_.resize(device + 1);
      of_device_[device].push_back(&it);
      const int iteration = job.tags[it.operation].iteration;
      staged_ = staged_ || job.tags[it.operation].stage > 0;
      if (iteration == job.iterations - 1) out_.to = std::max(out_.to, it.end);
      if (iteration == job.iterations - 2) out_.from = std::max(out_.from, it.end);
    }
  }

  Explanation run() {
    explain_stages();
    walk_path();
    return std::move(out_);
  }

 private:
  std::string name(std::size_t operation) const { return label(job_, workload_, operation); }

  void share(std::vector<TimeShare>& shares, std::string_view what, TimePoint from,
             TimePoint to) const {
    from = std::max(from, out_.from);
    to = std::min(to, out_.to);
    if (from >= to) return;
    for (TimeShare& it : shares) {
      if (it.name == what) {
        it.time += to - from;
        return;
      }
    }
    shares.push_back({std::string(what), to - from});
  }

  // Breaks down the time of each stage, represented by its first device that the engine reported.
  void explain_stages() {
    std::vector<bool> seen;
    for (std::size_t d = 0; d < of_device_.size(); ++d) {
      const int stage = stage_of(of_device_[d]);
      if (stage < 0) continue;
      if (seen.size() <= static_cast<std::size_t>(stage)) {
        seen.resize(static_cast<std::size_t>(stage) + 1, false);
      }
      if (seen[static_cast<std::size_t>(stage)]) continue;
      seen[static_cast<std::size_t>(stage)] = true;
      out_.stages.push_back({stage, static_cast<int>(d), device_shares(of_device_[d])});
    }
    std::sort(out_.stages.begin(), out_.stages.end(),
              [](const StageTime& a, const StageTime& b) { return a.stage < b.stage; });
    for (std::size_t s = 0; s < out_.stages.size(); ++s) {
      if (computing(out_.stages[s]) > computing(out_.stages[out_.busiest])) out_.busiest = s;
    }
  }

  // The name of time spent waiting for other devices: pipeline stages if there are several, else
  // peer ranks.
  std::string_view elsewhere() const { return staged_ ? kBubble : kStraggler; }

  static Duration computing(const StageTime& stage) {
    for (const TimeShare& it : stage.shares) {
      if (it.name == "compute") return it.time;
    }
    return Duration(0);
  }

  int stage_of(const std::vector<const simulate::RankTaskRecord*>& tasks) const {
    for (const simulate::RankTaskRecord* it : tasks) {
      if (tasks_.computes(it->operation)) return job_.tags[it->operation].stage;
    }
    return -1;
  }

  std::vector<TimeShare> device_shares(std::vector<const simulate::RankTaskRecord*> tasks) {
    std::sort(tasks.begin(), tasks.end(),
              [](const simulate::RankTaskRecord* a, const simulate::RankTaskRecord* b) {
                return std::tie(a->start, a->end, a->operation) <
                       std::tie(b->start, b->end, b->operation);
              });
    std::vector<TimeShare> shares;
    TimePoint cursor = out_.from;
    const simulate::RankTaskRecord* last_ended = nullptr;
    for (const simulate::RankTaskRecord* it : tasks) {
      if (last_ended == nullptr || it->end > last_ended->end) last_ended = it;
      if (!tasks_.computes(it->operation) || it->end <= cursor) continue;
      if (it->start > cursor) explain_gap(shares, cursor, it->start, *it);
      share(shares, name(it->operation), std::max(cursor, it->start), it->end);
      cursor = std::max(cursor, it->end);
    }
    if (last_ended != nullptr && last_ended->end > cursor) {
      const TimePoint end = std::min(last_ended->end, out_.to);
      explain_end(shares, cursor, end, *last_ended);
      cursor = end;
    }
    share(shares, elsewhere(), cursor, out_.to);
    return shares;
  }

  // Attributes the wait from `from` to `to`, after which `next` started.
  void explain_gap(std::vector<TimeShare>& shares, TimePoint from, TimePoint to,
                   const simulate::RankTaskRecord& next) {
    const std::optional<simulate::RankTaskRecord> before = tasks_.before(next);
    if (!before || before->end < to || tasks_.computes(before->operation)) {
      // The task waited for a computation on another device, or for nothing that the workload
      // names.
      const bool other = before && before->device != next.device;
      share(shares, other ? elsewhere() : kIdle, from, to);
      return;
    }
    explain_end(shares, from, to, *before);
  }

  // Attributes the wait from `from` to `to`, at which the communication `task` ended.
  void explain_end(std::vector<TimeShare>& shares, TimePoint from, TimePoint to,
                   const simulate::RankTaskRecord& task) {
    if (tasks_.computes(task.operation)) return share(shares, kIdle, from, to);
    const TimePoint begun = std::clamp(tasks_.slowest(task).ready, from, to);
    share(shares, name(task.operation), begun, to);
    if (begun == from) return;
    const bool receives =
        tasks_.directed(task.operation) && tasks_.slowest(task).device != task.device;
    if (receives) return share(shares, elsewhere(), from, begun);
    const TimePoint joined = std::clamp(task.ready, from, begun);
    share(shares, kStraggler, joined, begun);
    if (joined > from) explain_gap(shares, from, joined, task);
  }

  void add_segment(TimePoint from, TimePoint to, const simulate::RankTaskRecord& task,
                   std::string what) {
    from = std::max(from, out_.from);
    if (from >= to) return;
    const place::OperationTag& tag = job_.tags[task.operation];
    share(out_.on_path, what, from, to);
    if (!out_.path.empty() && out_.path.back().name == what &&
        out_.path.back().device == task.device) {
      out_.path.back().from = from;
      return;
    }
    out_.path.push_back({from, to, task.device, tag.purpose, std::move(what)});
  }

  // Follows the critical path backward from the task that ended last.
  void walk_path() {
    std::optional<simulate::RankTaskRecord> at = ended_last();
    TimePoint time = out_.to;
    while (at && time > out_.from) {
      if (tasks_.computes(at->operation)) {
        add_segment(at->start, time, *at, name(at->operation));
        time = at->start;
        if (at->start > at->ready) {
          at = computed_until(*at);
          continue;
        }
      } else {
        const simulate::RankTaskRecord slowest = tasks_.slowest(*at);
        add_segment(slowest.ready, time, *at, name(at->operation));
        time = std::min(time, slowest.ready);
        at = slowest;
      }
      at = tasks_.before(*at);
      if (at && at->end < time) {  // a wait for nothing that the workload names
        add_segment(at->end, time, *at, std::string(kIdle));
        time = at->end;
      }
    }
    std::reverse(out_.path.begin(), out_.path.end());
    std::stable_sort(out_.on_path.begin(), out_.on_path.end(),
                     [](const TimeShare& a, const TimeShare& b) { return a.time > b.time; });
  }

  // The rank task that ended the iteration; of several, that of the first operation on the first
  // device.
  std::optional<simulate::RankTaskRecord> ended_last() const {
    std::optional<simulate::RankTaskRecord> last;
    for (const simulate::RankTaskRecord& it : log_.tasks()) {
      if (it.end != out_.to) continue;
      if (!last || std::tie(it.operation, it.device) < std::tie(last->operation, last->device)) {
        last = it;
      }
    }
    return last;
  }

  // Returns the computation that occupied the device until this one started. Requires of_device_ in
  // the order of end times.
  std::optional<simulate::RankTaskRecord> computed_until(
      const simulate::RankTaskRecord& task) const {
    const auto& tasks = of_device_[static_cast<std::size_t>(log_.representative(task.device))];
    auto it = std::lower_bound(
        tasks.begin(), tasks.end(), task.start,
        [](const simulate::RankTaskRecord* a, TimePoint end) { return a->end < end; });
    for (; it != tasks.end() && (*it)->end == task.start; ++it) {
      if ((*it)->start == (*it)->end || !tasks_.computes((*it)->operation)) continue;
      simulate::RankTaskRecord found = **it;
      found.device = task.device;
      return found;
    }
    return std::nullopt;
  }

  const place::LoweredJob& job_;
  const workload::Workload& workload_;
  const RankTaskLog& log_;
  const TaskIndex tasks_;
  std::vector<std::vector<const simulate::RankTaskRecord*>> of_device_;
  bool staged_ = false;  // there is more than one stage
  Explanation out_;
};

}  // namespace

Explanation explain(const place::LoweredJob& job, const workload::Workload& workload,
                    const RankTaskLog& log) {
  return Explainer(job, workload, log).run();
}

std::string task_name(const place::LoweredJob& job, const workload::Workload& workload,
                      std::size_t operation) {
  const place::OperationTag& tag = job.tags[operation];
  if (tag.purpose == place::Purpose::compute) {
    return fmt::format("{} of micro-batch {}", tag.forward ? "forward" : "backward",
                       tag.micro_batch);
  }
  return label(job, workload, operation);
}

}  // namespace loom::run
