#include "loom/workload/endpoints.h"

#include <algorithm>

namespace loom::workload {

int endpoints(const Workload& workload) {
  int last = -1;
  std::vector<bool> talks(workload.groups.size(), false);
  for (const Operation& it : workload.operations) {
    last = std::max({last, it.source, it.destination});
    if (it.kind == OperationKind::collective) talks[static_cast<std::size_t>(it.groups)] = true;
  }
  for (std::size_t g = 0; g < talks.size(); ++g) {
    if (!talks[g]) continue;
    for (const int device : workload.groups[g].members) last = std::max(last, device);
  }
  return last + 1;
}

}  // namespace loom::workload
