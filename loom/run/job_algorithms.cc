#include "loom/run/job_algorithms.h"

#include <algorithm>

namespace loom::run {
namespace {

bool same_algorithm(const JobAlgorithm& a, const JobAlgorithm& b) {
  workload::Collective resized = a.collective;
  resized.size = b.collective.size;
  return a.purpose == b.purpose && a.ranks == b.ranks && resized == b.collective;
}

}  // namespace

std::vector<JobAlgorithm> job_algorithms(const place::LoweredJob& job,
                                         const workload::Workload& workload) {
  std::vector<JobAlgorithm> found;
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    const workload::Operation& it = workload.operations[o];
    if (it.kind != workload::OperationKind::collective) continue;
    if (job.tags[o].iteration != job.iterations - 1) continue;
    JobAlgorithm one{job.tags[o].purpose,
                     workload.collectives[static_cast<std::size_t>(it.collective)],
                     workload.groups[static_cast<std::size_t>(it.groups)].size, 1};
    if (one.collective.kind == workload::CollectiveKind::point_to_point) continue;
    const auto known = std::find_if(found.begin(), found.end(), [&](const JobAlgorithm& other) {
      return same_algorithm(other, one);
    });
    if (known == found.end()) {
      found.push_back(std::move(one));
      continue;
    }
    ++known->count;
    known->collective.size = std::max(known->collective.size, one.collective.size);
  }
  return found;
}

}  // namespace loom::run
