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
  Duration laid_bound{0};   // on the networks that the provider has for the job

  bool feasible() const { return !mapped.infeasible; }
  Bytes peak_memory() const;
};

// Shards a job and maps it to a network. If one of its bounds is at least `limit`, the job is not
// mapped and has no network; otherwise the result does not depend on the limit.
ShardedJob shard_job(const JobSpec& spec, const parallelize::Strategy& strategy,
                     NetworkProvider& provider, Duration limit = kForever);

// The job lowered by each choice of algorithms, for a strategy that shards all layers the same way;
// none for others.
std::vector<place::LoweredJob> other_algorithms(const JobSpec& spec,
                                                const parallelize::Strategy& strategy,
                                                NetworkProvider& provider);

}  // namespace loom::plan
