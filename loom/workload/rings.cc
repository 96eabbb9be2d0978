// Ring collectives (Patarasuk and Yuan, 2009): every rank sends only to its neighbor, one block per
// step.
//
// In step s of a reduce_scatter, the rank at position i sends block i - 1 - s, to which every rank
// on the path of the block has added its own data; at the end this rank has the sum of block i. In
// step s of an all_gather it sends block i - s. An all_reduce takes 2(n-1) steps for both, and
// sends block i - s in all of them: after n-1 steps the rank has the sum of block i + 1, which is
// the block that it sends next.
#include <algorithm>
#include <array>
#include <numeric>

#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

std::vector<int> in_order(int ranks) {
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// A broadcast along a chain from rank 0 to the last rank; with many chunks all links of the chain
// are busy at once.
Phase chain(Bytes size, int ranks, int chunks) {
  Phase phase = empty_phase(1, chunks);
  add_channel(phase, {.source = 0, .destination = 1, .extent = size});
  for (int rank = 1; rank + 1 < ranks; ++rank) {
    add_channel(phase, {.source = rank, .destination = rank + 1, .extent = size},
                std::array{Wait{rank - 1, 0}});
  }
  return phase;
}

}  // namespace

void add_ring(Phase& phase, std::span<const int> ranks, const Range& range, CollectiveKind kind) {
  const int n = static_cast<int>(ranks.size());
  const int base = static_cast<int>(phase.channels.size());
  const int ahead = kind == CollectiveKind::reduce_scatter ? n - 1 : 0;
  const int steps = kind == CollectiveKind::all_reduce ? 2 * (n - 1) : n - 1;
  for (int i = 0; i < n; ++i) {
    const Channel channel{.source = ranks[static_cast<std::size_t>(i)],
                          .destination = ranks[static_cast<std::size_t>((i + 1) % n)],
                          .extent = range.extent,
                          .first = (i + ahead) % n,
                          .steps = steps,
                          .offset = range.offset};
    add_channel(phase, channel, std::array{Wait{base + (i + n - 1) % n, phase.chunks}});
  }
}

std::vector<Phase> ring_phases(const Collective& collective, int ranks) {
  if (collective.kind == CollectiveKind::broadcast) {
    return {chain(collective.size, ranks, collective.chunks)};
  }
  Phase phase = empty_phase(ranks, collective.chunks);
  add_ring(phase, in_order(ranks), {{0}, collective.size}, collective.kind);
  return {std::move(phase)};
}

// One half of the buffer goes around in each direction. In the second half rank r has block n - 1 -
// r.
std::vector<Phase> bidirectional_ring_phases(const Collective& collective, int ranks) {
  const Range whole{{0}, collective.size};
  std::vector<int> order = in_order(ranks);
  Phase phase = empty_phase(ranks, collective.chunks);
  add_ring(phase, order, piece_of(whole, 2, 0), collective.kind);
  std::reverse(order.begin(), order.end());
  add_ring(phase, order, piece_of(whole, 2, 1), collective.kind);
  return {std::move(phase)};
}

// Every ring has its own range of the buffer. Position p of the ring with step s is rank p · s
// modulo the number of ranks, which has block p of that range.
std::vector<Phase> rings_phases(const Collective& collective, int ranks) {
  const Range whole{{0}, collective.size};
  const auto rings = static_cast<std::int64_t>(collective.steps.size());
  Phase phase = empty_phase(ranks, collective.chunks);
  reserve_channels(phase, collective.steps.size() * static_cast<std::size_t>(ranks));
  std::vector<int> order(static_cast<std::size_t>(ranks));
  for (std::int64_t ring = 0; ring < rings; ++ring) {
    int rank = 0;
    for (int& it : order) {
      it = rank;
      rank = (rank + collective.steps[static_cast<std::size_t>(ring)]) % ranks;
    }
    add_ring(phase, order, piece_of(whole, rings, ring), collective.kind);
  }
  return {std::move(phase)};
}

}  // namespace loom::workload
