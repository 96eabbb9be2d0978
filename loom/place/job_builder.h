// A job's workload taking form, operation after operation, each with its tag.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "loom/place/lower.h"

namespace loom {

// Numbers of operations.
using Operations = std::vector<std::uint32_t>;

// Those that are not there yet.
void merge(Operations& into, const Operations& more);

// The buffer of a collective as frameworks make it, long enough that every rank has as many whole
// elements of two bytes: NCCL's all_gather and reduce_scatter take the same count from all ranks,
// and Megatron-LM pads its buckets to the number of data-parallel ranks. So all messages are alike.
Bytes padded(Bytes size, int ranks);

class JobBuilder {
 public:
  JobBuilder(int devices, int iterations, ChooseAlgorithm choose);

  void set_iteration(int iteration) { iteration_ = iteration; }
  int iterations() const { return job_.iterations; }

  // The number by which operations know these groups.
  int add_groups(Groups groups);
  int ranks(int groups) const {
    return job_.workload.groups[static_cast<std::size_t>(groups)].size;
  }

  std::uint32_t compute(int groups, Duration time, const Operations& after,
                        const OperationTag& tag);
  // The same kind and size over the same groups is chosen once.
  std::uint32_t collective(CollectiveKind kind, Bytes size, int groups, const Operations& after,
                           const OperationTag& tag);

  // Operations so far, and what one of them is for.
  std::size_t size() const { return job_.tags.size(); }
  const OperationTag& tag(std::size_t operation) const { return job_.tags[operation]; }

  LoweredJob finish() { return std::move(job_); }

 private:
  std::uint32_t put(Operation it, const Operations& after, OperationTag tag);

  ChooseAlgorithm choose_;
  LoweredJob job_;
  std::map<std::tuple<int, std::int64_t, int>, int> collectives_;
  int iteration_ = 0;
};

}  // namespace loom
