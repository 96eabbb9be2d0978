// For tests: jobs as workloads, and what each device sends of what.
#pragma once

#include <map>
#include <string>

#include "loom/parallelize/testing.h"
#include "loom/place/lower.h"

namespace loom {

// With the collectives as they are wanted; nobody runs them.
inline LoweredJob lowered(const ShardedModel& sharded, int iterations = 1) {
  return lower(sharded, iterations, [](const Collective& wanted, const Groups&) { return wanted; });
}

inline LoweredJob lowered(const Model& model, const Job& job, const Strategy& strategy,
                          int iterations = 1) {
  return lowered(sharded(model, job, strategy), iterations);
}

// Bytes by "data all_reduce" and so on, that each device takes part in; of messages those that it
// sends.
using Traffic = std::map<std::string, std::int64_t>;

inline std::vector<Traffic> traffic_of(const LoweredJob& job) {
  std::vector<Traffic> traffic(static_cast<std::size_t>(job.workload.devices));
  for (std::size_t o = 0; o < job.workload.operations.size(); ++o) {
    const Operation& it = job.workload.operations[o];
    if (it.kind != OperationKind::collective) continue;
    const Collective& collective =
        job.workload.collectives[static_cast<std::size_t>(it.collective)];
    const std::string name =
        fmt::format("{} {}", kPurposeNames[static_cast<std::size_t>(job.tags[o].purpose)],
                    name_of(collective.kind));
    const Groups& groups = job.workload.groups[static_cast<std::size_t>(it.groups)];
    const bool message = collective.kind == CollectiveKind::point_to_point;
    for (int group = 0; group < groups.count(); ++group) {
      for (int rank = 0; rank < (message ? 1 : groups.size); ++rank) {
        traffic[static_cast<std::size_t>(groups.device(group, rank))][name] +=
            collective.size.count;
      }
    }
  }
  return traffic;
}

// Of a job of one stage, whose devices all send the same.
inline Traffic common_traffic(const LoweredJob& job) {
  const std::vector<Traffic> traffic = traffic_of(job);
  for (const Traffic& it : traffic) EXPECT_EQ(it, traffic.front());
  return traffic.front();
}

}  // namespace loom
