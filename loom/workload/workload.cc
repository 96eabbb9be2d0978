#include "loom/workload/workload.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "loom/base/error.h"
#include "loom/workload/schedule.h"

namespace loom::workload {

std::string Workload::name(std::size_t operation) const {
  if (names.empty() || names[operation].empty()) return fmt::format("#{}", operation);
  return names[operation];
}

Workload collective_workload(const Collective& collective, std::vector<int> ranks, int devices) {
  const int size = static_cast<int>(ranks.size());
  LOOM_CHECK(!objection(collective, size), "a collective is validated before it is used");
  Workload workload;
  workload.devices = devices;
  workload.groups = {{size, std::move(ranks)}};
  workload.collectives = {collective};
  workload.operations = {{.kind = OperationKind::collective, .groups = 0, .collective = 0}};
  workload.names = {std::string(name_of(collective.kind))};
  return workload;
}

std::int64_t message_count(const Workload& workload) {
  std::map<std::pair<int, int>, std::int64_t> known;  // keyed by collective and groups
  std::int64_t sum = 0;
  for (const Operation& it : workload.operations) {
    if (it.kind == OperationKind::message) ++sum;
    if (it.kind != OperationKind::collective) continue;
    const auto [at, first] = known.try_emplace({it.collective, it.groups}, 0);
    const Groups& groups = workload.groups[static_cast<std::size_t>(it.groups)];
    if (first) {
      const auto& collective = workload.collectives[static_cast<std::size_t>(it.collective)];
      at->second = message_count(schedule(collective, groups.size)) * groups.count();
    }
    sum += at->second;
  }
  return sum;
}

}  // namespace loom::workload
