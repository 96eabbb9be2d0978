// The traffic matrix of a workload, reduced to a number of cells that can be displayed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom::run {

struct TrafficMatrix {
  int devices = 0;
  int devices_per_cell = 1;  // number of adjacent devices; the last cell may have fewer
  std::vector<std::vector<std::int64_t>> bytes;  // from row to column
};

// Returns the traffic of the operations for which `counts` is true, in at most `max_rows` rows.
TrafficMatrix traffic_matrix(const workload::Workload& workload, int max_rows,
                             const std::function<bool(std::size_t)>& counts);

}  // namespace loom::run
