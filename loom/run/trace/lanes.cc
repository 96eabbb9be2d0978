#include "loom/run/trace/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace loom::run {
namespace {

constexpr std::size_t kMaxStages = 16;
constexpr std::int64_t kPixels = 1200;  // width of a lane; spans less than a pixel apart merge

// Appends a span to a lane. A span that overlaps the previous one is shortened: it begins where the
// previous one ends.
void put(Lane& lane, LaneSpan span, Duration touch) {
  if (!lane.spans.empty()) {
    LaneSpan& before = lane.spans.back();
    if (before.name == span.name && span.from <= before.to + touch) {
      before.to = std::max(before.to, span.to);
      return;
    }
    span.from = std::max(span.from, before.to);
  }
  if (span.from < span.to) lane.spans.push_back(std::move(span));
}

std::string network_name(const place::LoweredJob& job, std::size_t operation) {
  const auto purpose = static_cast<std::size_t>(job.tags[operation].purpose);
  return fmt::format("{} communication", place::kPurposeNames[purpose]);
}

}  // namespace

std::vector<Lane> iteration_lanes(const place::LoweredJob& job, const workload::Workload& workload,
                                  const std::vector<simulate::RankTaskRecord>& tasks,
                                  const Explanation& explanation) {
  const Duration touch = (explanation.to - explanation.from) / kPixels;
  std::vector<Lane> lanes;
  for (std::size_t s = 0; s < std::min(kMaxStages, explanation.stages.size()); ++s) {
    const StageTime& stage = explanation.stages[s];
    Lane computes{fmt::format("device {} compute", stage.device), {}};
    Lane communicates{fmt::format("device {} network", stage.device), {}};
    std::vector<const simulate::RankTaskRecord*> mine;
    for (const simulate::RankTaskRecord& it : tasks) {
      const bool inside = it.end > explanation.from && it.start < explanation.to;
      if (it.device == stage.device && inside && it.end > it.start) mine.push_back(&it);
    }
    std::sort(mine.begin(), mine.end(),
              [](const simulate::RankTaskRecord* a, const simulate::RankTaskRecord* b) {
                return std::tie(a->start, a->end, a->operation) <
                       std::tie(b->start, b->end, b->operation);
              });
    for (const simulate::RankTaskRecord* it : mine) {
      const bool computed =
          workload.operations[it->operation].kind == workload::OperationKind::compute;
      put(computed ? computes : communicates,
          {std::max(it->start, explanation.from), it->end,
           computed ? task_name(job, workload, it->operation) : network_name(job, it->operation),
           job.tags[it->operation].purpose},
          touch);
    }
    lanes.push_back(std::move(computes));
    if (!communicates.spans.empty()) lanes.push_back(std::move(communicates));
  }
  return lanes;
}

}  // namespace loom::run
