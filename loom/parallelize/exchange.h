// Transfers between the shards of two operators: from the devices that have a tensor to those that
// need it, and of its gradient back.
//
// Matching layouts send nothing. If every device lacks the same from every other, it is an
// all-gather; partial sums become a reduce-scatter or an all-reduce; otherwise each shard sends to
// each the overlap of the two. Backward is the mirror image: receivers return gradients, and
// gradients of the same elements are summed.
#pragma once

#include <vector>

#include "loom/parallelize/box.h"
#include "loom/workload/collective.h"

namespace loom::parallelize {

// The boxes of a tensor that each device has or needs; each device at most once.
struct Layout {
  std::vector<int> devices;
  std::vector<Boxes> boxes;
  bool sums = false;  // each device has a partial sum of the whole tensor
};

// A message, or a collective over the devices in rank order.
struct Transfer {
  workload::CollectiveKind kind = workload::CollectiveKind::point_to_point;
  std::vector<int> devices;
  Bytes size;

  bool operator==(const Transfer&) const = default;
};

struct Exchange {
  std::vector<Transfer> forward;
  std::vector<Transfer> backward;

  bool operator==(const Exchange&) const = default;
};

// `bytes` per element.
Exchange exchange(const Layout& from, const Layout& to, const Box& whole, int bytes);

// The same over one ring through all these devices, which then all have the whole tensor: for
// devices that may not have other peers.
Exchange exchange_on_ring(const Layout& from, const Layout& to, const Box& whole, int bytes,
                          int devices);

// Bandwidth and latency assumed for every transfer.
struct LinkEstimate {
  Bandwidth bandwidth{100'000'000'000};  // per device and direction
  Duration latency{0};
};

// Collectives as rings; messages in sequence at both ends.
Duration estimated_time(const std::vector<Transfer>& transfers, const LinkEstimate& link);

}  // namespace loom::parallelize
