// A job cut by a strategy and laid on its ground: its operations, its network, what its devices
// hold.
#pragma once

#include <string>
#include <vector>

#include "loom/plan/job_spec.h"
#include "loom/plan/network_provider.h"

namespace loom {

struct ShardedJob {
  MappedJob mapped;
  std::vector<StageMemory> memory;  // by stage, or by device of a group
  double flops = 0;                 // of one iteration over all devices, nothing done twice
  double done_flops = 0;            // with what is recomputed

  Duration lower_bound{0};  // no network carries an iteration in less

  bool feasible() const { return mapped.infeasible.empty(); }
  Bytes peak_memory() const;
};

// Where it cannot take less than `limit` it is not laid on the ground: it has no network. Else the
// job does not depend on the limit.
ShardedJob shard_job(const JobSpec& spec, const Strategy& strategy, NetworkProvider& provider,
                     Duration limit = kForever);

// The iteration time that the analytic engine gives; needs a network.
Duration predicted_time(const MappedJob& job);

// From the end of the iteration before the last to that of the last.
Duration iteration_time(const LoweredJob& job, const std::vector<Duration>& operation_end);

}  // namespace loom
