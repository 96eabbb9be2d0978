// What has to be sent between the pieces of two operators: from where a tensor lies to where it is
// needed, and its gradient all the way back.
//
// Where layouts agree nothing is sent. Where every device lacks the same of every other it is an
// all-gather, where sums are spread it is a reduce-scatter or an all-reduce; otherwise each piece
// sends to each what the two overlap in. Backward is the mirror image: who got a part gives back
// its gradient, and where several got the same their gradients are added up.
#pragma once

#include <vector>

#include "loom/parallelize/box.h"
#include "loom/workload/collective.h"

namespace loom {

// Which device has, or needs, which part of a tensor; each device once.
struct Layout {
  std::vector<int> devices;
  std::vector<Boxes> boxes;
  bool sums = false;  // each has its own summand of the whole
};

// A message, or a collective over the devices in the order of its ranks.
struct Transfer {
  CollectiveKind kind = CollectiveKind::point_to_point;
  std::vector<int> devices;
  Bytes size;

  bool operator==(const Transfer&) const = default;
};

struct Exchange {
  std::vector<Transfer> forward;
  std::vector<Transfer> backward;

  bool operator==(const Exchange&) const = default;
};

// With so many bytes an element.
Exchange exchange(const Layout& from, const Layout& to, const Box& whole, int bytes);

// The same over one ring through all these devices, which then all have the whole: for devices that
// may have no other peers.
Exchange exchange_on_ring(const Layout& from, const Layout& to, const Box& whole, int bytes,
                          int devices);

// What a message needs on its way, and each of its bytes.
struct LinkEstimate {
  Bandwidth bandwidth{100'000'000'000};  // of a device, each way
  Duration latency{0};
};

// Collectives by rings, messages one after another at both of their ends.
Duration estimated_time(const std::vector<Transfer>& transfers, const LinkEstimate& link);

}  // namespace loom
