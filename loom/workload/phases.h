// Helpers to build the phases of collective algorithms: buffer ranges, functions that add channels,
// and for each algorithm the function that schedule() calls.
#pragma once

#include <span>
#include <vector>

#include "loom/workload/collective.h"
#include "loom/workload/schedule.h"

namespace loom::workload {

// A range of the full buffer.
struct Range {
  Bytes offset;
  Bytes extent;
};

// Offset of piece `index` if `size` is divided into `pieces` by piece(); a piece ends where the
// next one begins.
Bytes piece_start(Bytes size, std::int64_t pieces, std::int64_t index);

// The range of piece `index` if `whole` is divided into `pieces`.
Range piece_of(const Range& whole, std::int64_t pieces, std::int64_t index);

Phase empty_phase(int blocks, int chunks);

// Reserves space for this many channels without waits.
void reserve_channels(Phase& phase, std::size_t channels);

void add_channel(Phase& phase, const Channel& channel, std::span<const Wait> waits = {});

// Adds a ring over these ranks for a reduce_scatter, for an all_gather, or for an all_reduce (the
// first followed by the second). The rank at position i keeps block i of the range, or contributes
// it.
void add_ring(Phase& phase, std::span<const int> ranks, const Range& range, CollectiveKind kind);

std::vector<Phase> ring_phases(const Collective& collective, int ranks);
std::vector<Phase> bidirectional_ring_phases(const Collective& collective, int ranks);
std::vector<Phase> line_phases(const Collective& collective, int ranks);
std::vector<Phase> rings_phases(const Collective& collective, int ranks);
std::vector<Phase> double_binary_tree_phases(const Collective& collective, int ranks);
std::vector<Phase> halving_doubling_phases(const Collective& collective, int ranks);
std::vector<Phase> direct_phases(const Collective& collective, int ranks);
std::vector<Phase> pairwise_phases(const Collective& collective, int ranks);
std::vector<Phase> hierarchical_phases(const Collective& collective, int ranks);

}  // namespace loom::workload
