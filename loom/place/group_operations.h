// Operations of one group of devices, performed by all its replicas concurrently.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "loom/parallelize/exchange.h"
#include "loom/place/job_builder.h"

namespace loom::place {

class GroupOperations {
 public:
  GroupOperations(JobBuilder& builder, int devices, int replicas)
      : builder_(builder), devices_(devices), replicas_(replicas) {}

  int replicas() const { return replicas_; }

  // Adds a computation on each of these devices.
  std::uint32_t compute(const std::vector<int>& devices, Duration time, const Operations& after,
                        const OperationTag& tag);
  // Adds a transfer among these devices, in each replica.
  std::uint32_t transfer(const parallelize::Transfer& transfer, const Operations& after,
                         const OperationTag& tag);
  // Adds an all-reduce of one device with its counterparts in all replicas. Each device of a group
  // needs its own operation: then all ranks of an operation are equivalent, and engines can
  // simulate them as one.
  std::uint32_t reduce_replicas(int device, Bytes size, const Operations& after,
                                const OperationTag& tag);

 private:
  // Groups of an operation: each device on its own, the devices of each replica together, or one
  // device across all replicas.
  enum class Side : std::uint8_t { each, together, across };

  int groups(Side side, const std::vector<int>& devices);

  JobBuilder& builder_;
  int devices_ = 1;
  int replicas_ = 1;
  std::map<std::pair<Side, std::vector<int>>, int> groups_;
};

}  // namespace loom::place
