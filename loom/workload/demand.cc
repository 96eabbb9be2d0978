#include "loom/workload/demand.h"

#include <algorithm>
#include <limits>
#include <map>

#include "loom/base/error.h"
#include "loom/workload/schedule.h"

namespace loom {
namespace {

struct Part {
  int from;
  int to;
  Int128 bytes;
};

// All channels of a collective, in every group, so many times.
void add_collective(const Collective& collective, const Groups& groups, std::int64_t times,
                    std::vector<Part>& parts) {
  for (const Phase& phase : schedule(collective, groups.size).phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
      const Int128 bytes = channel_bytes(phase, c) * times;
      for (int group = 0; bytes > 0 && group < groups.count(); ++group) {
        parts.push_back({groups.device(group, channel.source),
                         groups.device(group, channel.destination), bytes});
      }
    }
  }
}

Demand summed(std::vector<Part> parts) {
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  Demand demand;
  for (std::size_t i = 0; i < parts.size();) {
    Int128 sum = 0;
    const Part first = parts[i];
    for (; i < parts.size() && parts[i].from == first.from && parts[i].to == first.to; ++i) {
      sum += parts[i].bytes;
    }
    if (sum > std::numeric_limits<std::int64_t>::max()) {
      throw LimitError("a pair of devices exchanges more than 9.2 EB, which 63 bits cannot count");
    }
    demand.push_back({first.from, first.to, {static_cast<std::int64_t>(sum)}});
  }
  return demand;
}

}  // namespace

Demand demand_of(const Workload& workload,
                 const std::function<bool(std::size_t operation)>& counted) {
  std::map<std::pair<int, int>, std::int64_t> uses;  // of collective by groups
  std::vector<Part> parts;
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    const Operation& it = workload.operations[o];
    if (counted && !counted(o)) continue;
    if (it.kind == OperationKind::collective) ++uses[{it.collective, it.groups}];
    if (it.kind == OperationKind::message && it.size.count > 0 && it.source != it.destination) {
      parts.push_back({it.source, it.destination, it.size.count});
    }
  }
  for (const auto& use : uses) {
    add_collective(workload.collectives[static_cast<std::size_t>(use.first.first)],
                   workload.groups[static_cast<std::size_t>(use.first.second)], use.second, parts);
  }
  return summed(std::move(parts));
}

}  // namespace loom
