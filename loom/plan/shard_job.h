// A job sharded by a strategy and mapped to a network: its operations, network and memory use.
#pragma once

#include <string>
#include <vector>

#include "loom/plan/job_spec.h"
#include "loom/plan/network_provider.h"

namespace loom::plan {

struct ShardedJob {
  MappedJob mapped;
  std::vector<parallelize::StageMemory> memory;  // per stage, or per device of a group
  double flops = 0;       // per iteration over all devices, without recomputation
  double done_flops = 0;  // including recomputation

  Duration lower_bound{0};  // of an iteration on any network

  bool feasible() const { return !mapped.infeasible; }
  Bytes peak_memory() const;
};

// If the job cannot take less than `limit`, it is not mapped and has no network. Otherwise the
// result does not depend on the limit.
ShardedJob shard_job(const JobSpec& spec, const parallelize::Strategy& strategy,
                     NetworkProvider& provider, Duration limit = kForever);

// Iteration time predicted by the analytic engine; needs a network.
Duration predicted_time(const MappedJob& job);

// Time from the end of the second-to-last iteration to the end of the last.
Duration iteration_time(const place::LoweredJob& job, const std::vector<Duration>& operation_end);

}  // namespace loom::plan
