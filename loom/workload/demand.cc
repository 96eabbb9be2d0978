#include "loom/workload/demand.h"

#include <algorithm>
#include <limits>
#include <map>

#include "loom/base/error.h"
#include "loom/workload/schedule.h"

namespace loom::workload {
namespace {

struct PairBytes {
  int from;
  int to;
  Int128 bytes;
};

// Adds the bytes of all channels of a collective, in every group, `times` times.
void add_collective(const Collective& collective, const Groups& groups, std::int64_t times,
                    std::vector<PairBytes>& pairs) {
  for (const Phase& phase : schedule(collective, groups.size).phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
      const Int128 bytes = channel_bytes(phase, c) * times;
      for (int group = 0; bytes > 0 && group < groups.count(); ++group) {
        pairs.push_back({groups.device(group, channel.source),
                         groups.device(group, channel.destination), bytes});
      }
    }
  }
}

// Adds up equal pairs in a table of all pairs; for few devices that takes less time than sorting.
std::vector<PairBytes> summed_in_table(const std::vector<PairBytes>& pairs, std::size_t devices) {
  std::vector<Int128> bytes(devices * devices, 0);
  for (const PairBytes& it : pairs) {
    bytes[static_cast<std::size_t>(it.from) * devices + static_cast<std::size_t>(it.to)] +=
        it.bytes;
  }
  std::vector<PairBytes> sums;
  for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
    if (bytes[cell] == 0) continue;
    sums.push_back(
        {static_cast<int>(cell / devices), static_cast<int>(cell % devices), bytes[cell]});
  }
  return sums;
}

Demand summed(std::vector<PairBytes> pairs, int devices) {
  const auto all = static_cast<std::size_t>(devices);
  if (all * all <= pairs.size()) pairs = summed_in_table(pairs, all);
  const auto by_pair = [](const PairBytes& a, const PairBytes& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  };
  if (!std::is_sorted(pairs.begin(), pairs.end(), by_pair))
    std::sort(pairs.begin(), pairs.end(), by_pair);
  Demand demand;
  for (std::size_t i = 0; i < pairs.size();) {
    Int128 sum = 0;
    const PairBytes first = pairs[i];
    for (; i < pairs.size() && pairs[i].from == first.from && pairs[i].to == first.to; ++i) {
      sum += pairs[i].bytes;
    }
    if (sum > std::numeric_limits<std::int64_t>::max()) {
      throw LimitError(
          "a pair of devices exchanges more than 9.2 EB; byte counts are limited to 63 bits");
    }
    demand.push_back({first.from, first.to, {static_cast<std::int64_t>(sum)}});
  }
  return demand;
}

}  // namespace

Demand demand_of(const Workload& workload,
                 const std::function<bool(std::size_t operation)>& counted) {
  std::map<std::pair<int, int>, std::int64_t> uses;  // number of uses, by collective and groups
  std::map<std::pair<int, int>, std::int64_t>::iterator last = uses.end();
  std::vector<PairBytes> pairs;
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    const Operation& it = workload.operations[o];
    if (counted && !counted(o)) continue;
    if (it.kind == OperationKind::collective) {
      const std::pair key(it.collective, it.groups);
      if (last == uses.end() || last->first != key) last = uses.try_emplace(key, 0).first;
      ++last->second;
    }
    if (it.kind == OperationKind::message && it.size.count > 0 && it.source != it.destination) {
      pairs.push_back({it.source, it.destination, it.size.count});
    }
  }
  for (const auto& use : uses) {
    add_collective(workload.collectives[static_cast<std::size_t>(use.first.first)],
                   workload.groups[static_cast<std::size_t>(use.first.second)], use.second, pairs);
  }
  return summed(std::move(pairs), workload.devices);
}

}  // namespace loom::workload
