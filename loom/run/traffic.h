// Who sends how much to whom, for people to look at.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom {

struct TrafficMatrix {
  int devices = 0;
  int devices_per_cell = 1;  // neighbours taken together; of the last maybe less
  std::vector<std::vector<std::int64_t>> bytes;  // from row to column
};

// Of the operations that `counts`; at most `most` rows.
TrafficMatrix traffic_matrix(const Workload& workload, int max_rows,
                             const std::function<bool(std::size_t)>& counts);

}  // namespace loom
