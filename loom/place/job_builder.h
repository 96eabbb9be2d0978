// Builds the workload of a job, operation by operation, and the tag of each operation.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "loom/place/lower.h"

namespace loom::place {

// Operations, by their number in the workload.
using Operations = std::vector<std::uint32_t>;

// Appends the operations of `more` that are not yet in `into`.
void merge(Operations& into, const Operations& more);

// Returns the buffer size of a collective, rounded up so that every rank gets the same integer
// number of 2-byte elements and all messages are equal. Frameworks do the same: NCCL's all_gather
// and reduce_scatter take one count for all ranks, and Megatron-LM pads its buckets to a multiple
// of the number of data-parallel ranks.
Bytes padded(Bytes size, int ranks);

class JobBuilder {
 public:
  JobBuilder(int devices, int iterations, ChooseAlgorithm choose);

  void set_iteration(int iteration) { iteration_ = iteration; }
  int iterations() const { return job_.iterations; }

  // Returns the number by which operations refer to these groups.
  int add_groups(workload::Groups groups);
  int ranks(int groups) const {
    return job_.workload.groups[static_cast<std::size_t>(groups)].size;
  }

  std::uint32_t compute(int groups, Duration time, const Operations& after,
                        const OperationTag& tag);
  // Adds a collective. Its algorithm is chosen once for each combination of kind, size and groups.
  std::uint32_t collective(workload::CollectiveKind kind, Bytes size, int groups,
                           const Operations& after, const OperationTag& tag);

  // Number of operations so far, and the tag of one of them.
  std::size_t size() const { return job_.tags.size(); }
  const OperationTag& tag(std::size_t operation) const { return job_.tags[operation]; }

  LoweredJob finish() { return std::move(job_); }

 private:
  std::uint32_t put(workload::Operation it, const Operations& after, OperationTag tag);

  ChooseAlgorithm choose_;
  LoweredJob job_;
  std::map<std::tuple<int, std::int64_t, int>, int> collectives_;
  int iteration_ = 0;
};

}  // namespace loom::place
