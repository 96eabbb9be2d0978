// How the algorithms build their phases: ranges of the buffer, channels added one by one, and what
// each algorithm's file offers to schedule().
#pragma once

#include <span>
#include <vector>

#include "loom/workload/collective.h"
#include "loom/workload/schedule.h"

namespace loom {

// A part of the whole buffer.
struct Range {
  Bytes offset;
  Bytes extent;
};

// Where piece `index` begins when `size` is cut into `pieces` as piece() does; its end is where the
// next one begins.
Bytes piece_start(Bytes size, std::int64_t pieces, std::int64_t index);

// Piece `index` of a range cut into `pieces`.
Range piece_of(const Range& whole, std::int64_t pieces, std::int64_t index);

Phase empty_phase(int blocks, int chunks);

// Makes room for so many channels without waits.
void reserve_channels(Phase& phase, std::size_t channels);

void add_channel(Phase& phase, const Channel& channel, std::span<const Wait> waits = {});

// Adds a ring over these ranks, for reduce_scatter, all_gather, or both in one (all_reduce). The
// rank at position i keeps, or puts in, block i of the range.
void add_ring(Phase& phase, std::span<const int> ranks, const Range& range, CollectiveKind kind);

std::vector<Phase> ring_phases(const Collective& collective, int ranks);
std::vector<Phase> bidirectional_ring_phases(const Collective& collective, int ranks);
std::vector<Phase> rings_phases(const Collective& collective, int ranks);
std::vector<Phase> double_binary_tree_phases(const Collective& collective, int ranks);
std::vector<Phase> halving_doubling_phases(const Collective& collective, int ranks);
std::vector<Phase> direct_phases(const Collective& collective, int ranks);
std::vector<Phase> pairwise_phases(const Collective& collective, int ranks);
std::vector<Phase> hierarchical_phases(const Collective& collective, int ranks);

}  // namespace loom
