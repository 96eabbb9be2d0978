#include "loom/plan/bounds/workload_bound.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "loom/plan/bounds/dependency_bound.h"
#include "loom/plan/bounds/traffic_bound.h"

namespace loom::plan {

Duration WorkloadBound::time() const { return std::max({computation, chain, devices, hops}); }

WorkloadBound workload_bound(const workload::Workload& workload, const Capacity& capacity,
                             const std::function<int(std::size_t operation)>& kind_of) {
  TrafficBound traffic(capacity, workload.devices);
  std::map<std::tuple<int, int, int>, double> uses;  // by collective, groups and kind
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    const workload::Operation& it = workload.operations[o];
    const int kind = kind_of ? kind_of(o) : 0;
    if (it.kind == workload::OperationKind::message) {
      traffic.add_message(it.source, it.destination, static_cast<double>(it.size.count), kind);
    } else if (it.kind == workload::OperationKind::collective) {
      ++uses[{it.collective, it.groups, kind}];
    }
  }
  for (const auto& [key, times] : uses) {
    const auto& [collective, groups, kind] = key;
    traffic.add(workload.collectives[static_cast<std::size_t>(collective)],
                workload.groups[static_cast<std::size_t>(groups)], times, kind);
  }
  return {busiest_device(workload), longest_chain(workload, capacity), traffic.of_devices(),
          traffic.of_hops()};
}

}  // namespace loom::plan
