// Transfers between the shards of two operators: of a tensor from the devices that have it to the
// devices that need it, and of its gradient back.
//
// Equal layouts need no transfer. If every device sends the same data to all others, the exchange
// is an all-gather; if every pair exchanges the same amount, an all-to-all; from one device to all,
// a broadcast. Partial sums need a reduce-scatter or an all-reduce. Otherwise each shard sends to
// each other shard the overlap of its output and the input of the other. Backward is the mirror
// image: receivers return gradients, and gradients of the same elements are summed.
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

// The transfers of the tensor `whole`, with `bytes` per element, from one layout to another.
Exchange exchange(const Layout& from, const Layout& to, const Box& whole, int bytes);

// Like exchange(), but by collectives on one ring of devices 0 … devices - 1, all of which then
// have the whole tensor. For devices that may have no peers but their neighbors on the ring.
Exchange exchange_on_ring(const Layout& from, const Layout& to, const Box& whole, int bytes,
                          int devices);

// Bandwidth and latency assumed for every transfer.
struct LinkEstimate {
  Bandwidth bandwidth{100'000'000'000};  // per device and direction
  Duration latency{0};
};

// Estimated time of all transfers: the sum over the collectives, each on a ring, plus the time of
// the messages at the busiest port, one after another.
Duration estimated_time(const std::vector<Transfer>& transfers, const LinkEstimate& link);

}  // namespace loom::parallelize
