// Hierarchical collectives, level by level. For levels [a, b, …], innermost first, rank i0 + a·(i1
// + b·(i2 + …)) has the coordinates (i0, i1, i2, …). Ranks that differ only in the coordinate of
// one level form a group of this level.
//
// Reductions go from the innermost level outward (as in BlueConnect; Cho et al., MLSys 2019): a
// ring reduce_scatter in each group of level 0 leaves 1/a of the buffer on each rank, the next in
// level 1 leaves 1/b of that, and so on. Then rank (i0, i1, …) holds piece i1 of piece i0 of the
// buffer. An all_gather is the reverse; an all_reduce has one ring all_reduce at the outermost
// level. Each level is a phase with all its groups in parallel; levels of one rank are omitted.
#include <algorithm>

#include "loom/base/error.h"
#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

struct Level {
  int size = 1;    // ranks in a group
  int stride = 1;  // difference between consecutive ranks of a group
};

std::vector<Level> levels_of(const Collective& collective) {
  std::vector<Level> levels;
  int stride = 1;
  for (const int size : collective.levels) {
    if (size > 1) levels.push_back({size, stride});
    stride *= size;
  }
  return levels;
}

int coordinate(int rank, const Level& level) { return rank / level.stride % level.size; }

// The range that a rank holds after the reduce_scatters of these levels.
Range held(const Collective& collective, std::span<const Level> levels, int rank) {
  Range range{{0}, collective.size};
  for (const Level& level : levels) range = piece_of(range, level.size, coordinate(rank, level));
  return range;
}

// The phase with a ring in every group of levels[at].
Phase rings(const Collective& collective, int ranks, std::span<const Level> levels, std::size_t at,
            CollectiveKind kind) {
  const Level& level = levels[at];
  Phase phase = empty_phase(level.size, collective.chunks);
  std::vector<int> group(static_cast<std::size_t>(level.size));
  for (int first = 0; first < ranks; ++first) {
    if (coordinate(first, level) != 0) continue;
    for (int i = 0; i < level.size; ++i) {
      group[static_cast<std::size_t>(i)] = first + i * level.stride;
    }
    add_ring(phase, group, held(collective, levels.first(at), first), kind);
  }
  return phase;
}

std::vector<Phase> reductions(const Collective& collective, int ranks,
                              std::span<const Level> levels) {
  std::vector<Phase> phases;
  const bool both = collective.kind == CollectiveKind::all_reduce;
  const std::size_t separate = both ? levels.size() - 1 : levels.size();
  if (collective.kind != CollectiveKind::all_gather) {
    for (std::size_t at = 0; at < separate; ++at) {
      phases.push_back(rings(collective, ranks, levels, at, CollectiveKind::reduce_scatter));
    }
  }
  if (both)
    phases.push_back(rings(collective, ranks, levels, separate, CollectiveKind::all_reduce));
  if (collective.kind != CollectiveKind::reduce_scatter) {
    for (std::size_t at = separate; at-- > 0;) {
      phases.push_back(rings(collective, ranks, levels, at, CollectiveKind::all_gather));
    }
  }
  return phases;
}

// The sum of piece(size, ranks, d) over d = first, first + stride, … below ranks.
Bytes strided_pieces(Bytes size, int ranks, int first, int stride) {
  const std::int64_t pieces = (ranks - first + stride - 1) / stride;
  const std::int64_t larger = size.count % ranks;
  const std::int64_t larger_pieces = first < larger ? (larger - first + stride - 1) / stride : 0;
  return {pieces * (size.count / ranks) + larger_pieces};
}

// One level of an all_to_all. Before it, a rank holds data from the `stride` ranks (itself
// included) that differ from it only in the completed levels, for all destinations with its own
// coordinates in those levels. It sends to each rank of its group the data for the destinations
// that have the coordinate of that rank in this level. After the last level all data has arrived.
Phase exchange(const Collective& collective, int ranks, const Level& level) {
  Phase phase = empty_phase(1, collective.chunks);
  for (int rank = 0; rank < ranks; ++rank) {
    const int own = coordinate(rank, level);
    for (int ahead = 1; ahead < level.size; ++ahead) {
      const int other = (own + ahead) % level.size;
      const int first = rank % level.stride + other * level.stride;
      const Bytes each = strided_pieces(collective.size, ranks, first, level.stride * level.size);
      add_channel(phase, {.source = rank,
                          .destination = rank + (other - own) * level.stride,
                          .extent = {each.count * level.stride}});
    }
  }
  return phase;
}

}  // namespace

std::vector<Phase> hierarchical_phases(const Collective& collective, int ranks) {
  const std::vector<Level> levels = levels_of(collective);
  LOOM_CHECK(!levels.empty(), "more than one rank means a level of more than one");
  if (collective.kind != CollectiveKind::all_to_all) return reductions(collective, ranks, levels);
  std::vector<Phase> phases;
  for (const Level& level : levels) phases.push_back(exchange(collective, ranks, level));
  return phases;
}

}  // namespace loom::workload
