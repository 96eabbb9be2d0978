#include "loom/workload/workload.h"

#include <fmt/format.h>

#include <utility>

#include "loom/base/error.h"

namespace loom {

std::string Workload::name(std::size_t operation) const {
  if (names.empty() || names[operation].empty()) return fmt::format("#{}", operation);
  return names[operation];
}

Workload collective_workload(const Collective& collective, std::vector<int> ranks, int devices) {
  const int size = static_cast<int>(ranks.size());
  LOOM_CHECK(objection(collective, size).empty(),
             "a collective is checked before it is put to work");
  Workload workload;
  workload.devices = devices;
  workload.groups = {{size, std::move(ranks)}};
  workload.collectives = {collective};
  workload.operations = {{.kind = OperationKind::collective, .groups = 0, .collective = 0}};
  workload.names = {std::string(name_of(collective.kind))};
  return workload;
}

}  // namespace loom
