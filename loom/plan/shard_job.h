// A job sharded by a strategy and mapped to a network: its operations, network and memory use.
#pragma once

#include <string>
#include <vector>

#include "loom/plan/job_spec.h"
#include "loom/plan/network_provider.h"

namespace loom::plan {

struct ShardedJob {
  MappedJob mapped;
  std::vector<parallelize::StageMemory> memory;  // memory of a device, per stage or per device of
                                                 // a group
  double flops = 0;       // per iteration over all devices, without recomputation
  double done_flops = 0;  // per iteration over all devices, with recomputation

  Duration lower_bound{0};  // lower bound on the iteration time on any network

  bool feasible() const { return !mapped.infeasible; }
  Bytes peak_memory() const;
};

// Shards a job and maps it to a network. If its lower bound is at least `limit`, the job is not
// mapped and has no network; otherwise the result does not depend on the limit.
ShardedJob shard_job(const JobSpec& spec, const parallelize::Strategy& strategy,
                     NetworkProvider& provider, Duration limit = kForever);

// Iteration time predicted by the coarse engine; the job must have a network.
Duration predicted_time(const MappedJob& job);

// Time from the end of the second-to-last iteration to the end of the last.
Duration iteration_time(const place::LoweredJob& job, const std::vector<TimePoint>& operation_end);

}  // namespace loom::plan
