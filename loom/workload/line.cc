// Collectives on a line: ranks send only to the ranks before and after them, and the last rank is
// no neighbor of the first. A link between neighbors is used in both directions, and nothing
// travels around a ring, so these suit a part of a ring of fiber or a row of a mesh.
//
// An all_reduce adds up all data on the way to the middle and sends the sum back. Every byte
// crosses every link once in each direction, which is optimal; a ring over the same links carries
// 2(n-1)/n of the buffer in each direction. Chunks are pipelined. In a reduce_scatter and an
// all_gather, a block travels to the rank that keeps it, or from the rank that has it, in both
// directions; blocks of a link follow one another.
#include <array>

#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

// Adds one channel per link of a half of the line, from `from` on in steps of `ahead` up to `to`;
// each waits for the one before it, and the first for `waits`. Returns the last channel.
int add_chain(Phase& phase, int from, int to, const Channel& content, std::vector<Wait> waits) {
  const int ahead = from < to ? 1 : -1;
  for (int rank = from; rank != to; rank += ahead) {
    Channel channel = content;
    channel.source = rank;
    channel.destination = rank + ahead;
    add_channel(phase, channel, waits);
    waits = {{static_cast<int>(phase.channels.size()) - 1, 0}};
  }
  return static_cast<int>(phase.channels.size()) - 1;
}

Phase line_all_reduce(const Collective& collective, int ranks) {
  Phase phase = empty_phase(1, collective.chunks);
  const Channel whole{.extent = collective.size};
  const int middle = ranks / 2;
  std::vector<Wait> sums = {{add_chain(phase, 0, middle, whole, {}), 0}};
  if (ranks > 2) sums.push_back({add_chain(phase, ranks - 1, middle, whole, {}), 0});
  add_chain(phase, middle, 0, whole, sums);
  add_chain(phase, middle, ranks - 1, whole, sums);
  return phase;
}

// In step s the rank at position i sends block i - s to the rank after it.
Phase line_all_gather(const Collective& collective, int ranks) {
  Phase phase = empty_phase(ranks, collective.chunks);
  for (int block = 0; block < ranks; ++block) {
    const Channel content{.extent = collective.size, .first = block};
    add_chain(phase, block, ranks - 1, content, {});
    add_chain(phase, block, 0, content, {});
  }
  return phase;
}

// Adds the channels to the ranks after the first one, or to those before the last one if
// `backward`. A link carries the block of the farthest rank first.
void add_reductions(Phase& phase, const Collective& collective, int ranks, bool backward) {
  const auto rank_at = [&](int position) { return backward ? ranks - 1 - position : position; };
  // The channel on the link of a position in the previous step.
  std::vector<int> before(static_cast<std::size_t>(ranks), -1);
  for (int block = ranks - 1; block > 0; --block) {
    for (int i = 0; i < block; ++i) {
      std::vector<Wait> waits;
      int& link = before[static_cast<std::size_t>(i)];
      if (link >= 0) waits.push_back({link, 0});
      link = static_cast<int>(phase.channels.size());
      if (i > 0) waits.push_back({link - 1, 0});
      add_channel(phase,
                  {.source = rank_at(i),
                   .destination = rank_at(i + 1),
                   .extent = collective.size,
                   .first = rank_at(block)},
                  waits);
    }
  }
}

Phase line_reduce_scatter(const Collective& collective, int ranks) {
  Phase phase = empty_phase(ranks, collective.chunks);
  add_reductions(phase, collective, ranks, false);
  add_reductions(phase, collective, ranks, true);
  return phase;
}

}  // namespace

std::vector<Phase> line_phases(const Collective& collective, int ranks) {
  switch (collective.kind) {
    case CollectiveKind::reduce_scatter:
      return {line_reduce_scatter(collective, ranks)};
    case CollectiveKind::all_gather:
      return {line_all_gather(collective, ranks)};
    default:
      return {line_all_reduce(collective, ranks)};
  }
}

}  // namespace loom::workload
