#include "loom/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "loom/base/error.h"

namespace loom {
namespace {

constexpr std::string_view kBubble = "pipeline bubble";
constexpr std::string_view kStraggler = "waiting for slower ranks";
constexpr std::string_view kIdle = "idle";

// The parts of a run, found by operation and device.
class Parts {
 public:
  Parts(const Workload& workload, const std::vector<PartRecord>& records)
      : workload_(workload), records_(records), first_(workload.operations.size() + 1, 0) {
    for (const PartRecord& it : records) ++first_[it.operation + 1];
    for (std::size_t o = 0; o < workload.operations.size(); ++o) first_[o + 1] += first_[o];
    order_.resize(records.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t r = 0; r < records.size(); ++r) order_[next[records[r].operation]++] = r;
    for (std::size_t o = 0; o < workload.operations.size(); ++o) {
      std::sort(
          order_.begin() + static_cast<std::ptrdiff_t>(first_[o]),
          order_.begin() + static_cast<std::ptrdiff_t>(first_[o + 1]),
          [&](std::size_t a, std::size_t b) { return records_[a].device < records_[b].device; });
    }
  }

  const PartRecord* find(std::size_t operation, int device) const {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first_[operation]);
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(first_[operation + 1]);
    const auto found = std::lower_bound(
        begin, end, device, [&](std::size_t r, int wanted) { return records_[r].device < wanted; });
    return found == end || records_[*found].device != device ? nullptr : &records_[*found];
  }

  // The last part of the operation to end, whoever's.
  const PartRecord* last(std::size_t operation) const {
    const PartRecord* latest = nullptr;
    for (std::size_t i = first_[operation]; i < first_[operation + 1]; ++i) {
      const PartRecord& it = records_[order_[i]];
      if (latest == nullptr || it.end > latest->end) latest = &it;
    }
    return latest;
  }

  // What the part waited for last: of the operations before it the one that ended latest, on this
  // device if it has a part there. Its end is the part's ready.
  const PartRecord* before(const PartRecord& part) const {
    const PartRecord* latest = nullptr;
    for (const std::uint32_t o : workload_.waits_for(part.operation)) {
      const PartRecord* here = find(o, part.device);
      if (here == nullptr) here = last(o);
      if (here != nullptr && (latest == nullptr || here->end > latest->end)) latest = here;
    }
    return latest;
  }

  // The rank of the part's group that came last, or of a message the sender.
  const PartRecord& slowest(const PartRecord& part) const {
    const Operation& it = workload_.operations[part.operation];
    const Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    const auto at = std::find(groups.members.begin(), groups.members.end(), part.device);
    const auto index = static_cast<int>(at - groups.members.begin());
    const int group = index / groups.size;
    if (directed(part.operation)) {
      const PartRecord* sender = find(part.operation, groups.device(group, 0));
      return sender == nullptr ? part : *sender;
    }
    const PartRecord* latest = &part;
    for (int rank = 0; rank < groups.size; ++rank) {
      const PartRecord* here = find(part.operation, groups.device(group, rank));
      if (here != nullptr && here->ready > latest->ready) latest = here;
    }
    return *latest;
  }

  bool directed(std::size_t operation) const {
    const Operation& it = workload_.operations[operation];
    return it.kind == OperationKind::collective &&
           workload_.collectives[static_cast<std::size_t>(it.collective)].kind ==
               CollectiveKind::point_to_point;
  }
  bool computes(std::size_t operation) const {
    return workload_.operations[operation].kind == OperationKind::compute;
  }

 private:
  const Workload& workload_;
  const std::vector<PartRecord>& records_;
  std::vector<std::size_t> first_;  // of an operation, in order_
  std::vector<std::size_t> order_;
};

std::string label(const LoweredJob& job, const Workload& workload, std::size_t operation) {
  const OperationTag& tag = job.tags[operation];
  const std::string_view purpose = kPurposeNames[static_cast<std::size_t>(tag.purpose)];
  const Operation& it = workload.operations[operation];
  if (it.kind != OperationKind::collective) return std::string(purpose);
  return fmt::format("{} {}", purpose,
                     name_of(workload.collectives[static_cast<std::size_t>(it.collective)].kind));
}

class Explainer {
 public:
  Explainer(const LoweredJob& job, const Workload& workload, const std::vector<PartRecord>& records)
      : job_(job), workload_(workload), records_(records), parts_(workload, records) {
    for (const PartRecord& it : records) {
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

  void share(std::vector<TimeShare>& shares, std::string_view what, Duration from,
             Duration to) const {
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

  // What device stands for a stage: the first that the engine told of.
  void explain_stages() {
    std::vector<std::vector<const PartRecord*>> of_device;
    for (const PartRecord& it : records_) {
      const auto device = static_cast<std::size_t>(it.device);
      if (of_device.size() <= device) of_device.resize(device + 1);
      of_device[device].push_back(&it);
    }
    std::vector<bool> seen;
    for (std::size_t d = 0; d < of_device.size(); ++d) {
      const int stage = stage_of(of_device[d]);
      if (stage < 0) continue;
      if (seen.size() <= static_cast<std::size_t>(stage)) {
        seen.resize(static_cast<std::size_t>(stage) + 1, false);
      }
      if (seen[static_cast<std::size_t>(stage)]) continue;
      seen[static_cast<std::size_t>(stage)] = true;
      out_.stages.push_back({stage, static_cast<int>(d), device_shares(of_device[d])});
    }
    std::sort(out_.stages.begin(), out_.stages.end(),
              [](const StageTime& a, const StageTime& b) { return a.stage < b.stage; });
    for (std::size_t s = 0; s < out_.stages.size(); ++s) {
      if (computing(out_.stages[s]) > computing(out_.stages[out_.busiest])) out_.busiest = s;
    }
  }

  // What it is to wait for other devices: without stages they are ranks that do the same.
  std::string_view elsewhere() const { return staged_ ? kBubble : kStraggler; }

  static Duration computing(const StageTime& stage) {
    for (const TimeShare& it : stage.shares) {
      if (it.name == "compute") return it.time;
    }
    return Duration(0);
  }

  int stage_of(const std::vector<const PartRecord*>& parts) const {
    for (const PartRecord* it : parts) {
      if (parts_.computes(it->operation)) return job_.tags[it->operation].stage;
    }
    return -1;
  }

  std::vector<TimeShare> device_shares(std::vector<const PartRecord*> parts) {
    std::stable_sort(parts.begin(), parts.end(), [](const PartRecord* a, const PartRecord* b) {
      return std::tie(a->start, a->end) < std::tie(b->start, b->end);
    });
    std::vector<TimeShare> shares;
    Duration cursor = out_.from;
    const PartRecord* last_ended = nullptr;
    for (const PartRecord* it : parts) {
      if (last_ended == nullptr || it->end > last_ended->end) last_ended = it;
      if (!parts_.computes(it->operation) || it->end <= cursor) continue;
      if (it->start > cursor) explain_gap(shares, cursor, it->start, *it);
      share(shares, name(it->operation), std::max(cursor, it->start), it->end);
      cursor = std::max(cursor, it->end);
    }
    if (last_ended != nullptr && last_ended->end > cursor) {
      const Duration end = std::min(last_ended->end, out_.to);
      explain_end(shares, cursor, end, *last_ended);
      cursor = end;
    }
    share(shares, elsewhere(), cursor, out_.to);
    return shares;
  }

  // Before `next` the device waited from `from` to `to`.
  void explain_gap(std::vector<TimeShare>& shares, Duration from, Duration to,
                   const PartRecord& next) {
    const PartRecord* before = parts_.before(next);
    if (before == nullptr || before->end < to || parts_.computes(before->operation)) {
      // Another stage's computation, or nothing that the workload names.
      const bool other = before != nullptr && before->device != next.device;
      share(shares, other ? elsewhere() : kIdle, from, to);
      return;
    }
    explain_end(shares, from, to, *before);
  }

  // The device waited from `from` until this communication ended at `to`.
  void explain_end(std::vector<TimeShare>& shares, Duration from, Duration to,
                   const PartRecord& part) {
    if (parts_.computes(part.operation)) return share(shares, kIdle, from, to);
    const Duration begun = std::clamp(parts_.slowest(part).ready, from, to);
    share(shares, name(part.operation), begun, to);
    if (begun == from) return;
    const bool receives =
        parts_.directed(part.operation) && parts_.slowest(part).device != part.device;
    if (receives) return share(shares, elsewhere(), from, begun);
    const Duration joined = std::clamp(part.ready, from, begun);
    share(shares, kStraggler, joined, begun);
    if (joined > from) explain_gap(shares, from, joined, part);
  }

  void piece(Duration from, Duration to, const PartRecord& part, std::string what) {
    from = std::max(from, out_.from);
    if (from >= to) return;
    const OperationTag& tag = job_.tags[part.operation];
    share(out_.on_path, what, from, to);
    if (!out_.path.empty() && out_.path.back().name == what &&
        out_.path.back().device == part.device) {
      out_.path.back().from = from;
      return;
    }
    out_.path.push_back({from, to, part.device, tag.purpose, std::move(what)});
  }

  // Backwards from what ended last.
  void walk_path() {
    const PartRecord* at = nullptr;
    for (const PartRecord& it : records_) {
      if (it.end == out_.to && (at == nullptr || it.operation < at->operation)) at = &it;
    }
    Duration time = out_.to;
    while (at != nullptr && time > out_.from) {
      if (parts_.computes(at->operation)) {
        piece(at->start, time, *at, name(at->operation));
        time = at->start;
        if (at->start > at->ready) {
          at = computed_until(*at);
          continue;
        }
      } else {
        const PartRecord& slowest = parts_.slowest(*at);
        piece(slowest.ready, time, *at, name(at->operation));
        time = std::min(time, slowest.ready);
        at = &slowest;
      }
      at = parts_.before(*at);
      if (at != nullptr && at->end < time) {  // nothing that the workload names
        piece(at->end, time, *at, std::string(kIdle));
        time = at->end;
      }
    }
    std::reverse(out_.path.begin(), out_.path.end());
    std::stable_sort(out_.on_path.begin(), out_.on_path.end(),
                     [](const TimeShare& a, const TimeShare& b) { return a.time > b.time; });
  }

  // The computation that kept this one waiting for its turn.
  const PartRecord* computed_until(const PartRecord& part) const {
    for (const PartRecord& it : records_) {
      if (it.device == part.device && it.end == part.start && it.start < it.end &&
          parts_.computes(it.operation)) {
        return &it;
      }
    }
    return nullptr;
  }

  const LoweredJob& job_;
  const Workload& workload_;
  const std::vector<PartRecord>& records_;
  const Parts parts_;
  bool staged_ = false;  // there is more than one stage
  Explanation out_;
};

}  // namespace

Explanation explain(const LoweredJob& job, const Workload& workload,
                    const std::vector<PartRecord>& parts) {
  return Explainer(job, workload, parts).run();
}

std::string part_name(const LoweredJob& job, const Workload& workload, std::size_t operation) {
  const OperationTag& tag = job.tags[operation];
  if (tag.purpose == Purpose::compute) {
    return fmt::format("{} of micro-batch {}", tag.forward ? "forward" : "backward",
                       tag.micro_batch);
  }
  return label(job, workload, operation);
}

}  // namespace loom
