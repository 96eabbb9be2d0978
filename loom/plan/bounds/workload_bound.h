// Lower bound on the time of a workload on a fabric, over all circuits, routes and collective
// algorithms: the longest of four terms, none of which any of these choices can reduce.
#pragma once

#include <functional>
#include <string_view>

#include "loom/plan/bounds/capacity.h"
#include "loom/workload/workload.h"

namespace loom::plan {

struct WorkloadBound {
  Duration computation{0};  // of the busiest device
  Duration chain{0};        // operations that wait for each other
  Duration devices{0};      // bytes that one device sends or receives
  Duration hops{0};         // all bytes, on all hops that they cross

  Duration time() const;
};

// `kind_of` gives the kind of traffic of an operation, which matters if circuits change between
// kinds; empty: all are of one kind.
WorkloadBound workload_bound(const workload::Workload& workload, const Capacity& capacity,
                             const std::function<int(std::size_t operation)>& kind_of = nullptr);

}  // namespace loom::plan
