// Every rank sends to every other: to all at once (direct) or to one at a time (pairwise).
#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

std::size_t pairs(int ranks) {
  return static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks - 1);
}

// Every rank sends one block to every other rank: the block of the destination if `of_destination`
// (reduce_scatter), otherwise its own block (all_gather).
Phase block_exchange(const Collective& collective, int ranks, bool of_destination) {
  Phase phase = empty_phase(ranks, collective.chunks);
  reserve_channels(phase, pairs(ranks));
  for (int source = 0; source < ranks; ++source) {
    for (int other = 1; other < ranks; ++other) {
      const int destination = (source + other) % ranks;
      add_channel(phase, {.source = source,
                          .destination = destination,
                          .extent = collective.size,
                          .first = of_destination ? destination : source});
    }
  }
  return phase;
}

Phase from_first(const Collective& collective, int ranks) {
  Phase phase = empty_phase(1, collective.chunks);
  for (int rank = 1; rank < ranks; ++rank) {
    add_channel(phase, {.source = 0, .destination = rank, .extent = collective.size});
  }
  return phase;
}

// The range of the buffer that each rank sends to each rank, row by row: sources are rows,
// destinations are columns.
std::vector<Range> all_to_all_ranges(const Collective& collective, int ranks) {
  std::vector<Range> ranges;
  ranges.reserve(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks));
  for (int source = 0; source < ranks; ++source) {
    Bytes offset{0};
    for (int destination = 0; destination < ranks; ++destination) {
      const Bytes extent = collective.sizes.empty() ? piece(collective.size, ranks, destination)
                                                    : collective.sizes[ranges.size()];
      ranges.push_back({offset, extent});
      offset += extent;
    }
  }
  return ranges;
}

// Adds a round in which every rank sends to the rank `ahead` positions after it.
void add_round(Phase& phase, std::span<const Range> ranges, int ranks, int ahead) {
  for (int source = 0; source < ranks; ++source) {
    const int destination = (source + ahead) % ranks;
    const Range& range = ranges[static_cast<std::size_t>(source) * static_cast<std::size_t>(ranks) +
                                static_cast<std::size_t>(destination)];
    add_channel(phase, {.source = source,
                        .destination = destination,
                        .extent = range.extent,
                        .offset = range.offset});
  }
}

}  // namespace

std::vector<Phase> direct_phases(const Collective& collective, int ranks) {
  std::vector<Phase> phases;
  switch (collective.kind) {
    case CollectiveKind::all_reduce:
      phases.push_back(block_exchange(collective, ranks, true));
      phases.push_back(block_exchange(collective, ranks, false));
      break;
    case CollectiveKind::reduce_scatter:
      phases.push_back(block_exchange(collective, ranks, true));
      break;
    case CollectiveKind::all_gather:
      phases.push_back(block_exchange(collective, ranks, false));
      break;
    case CollectiveKind::all_to_all: {
      const std::vector<Range> ranges = all_to_all_ranges(collective, ranks);
      phases.push_back(empty_phase(1, collective.chunks));
      reserve_channels(phases[0], pairs(ranks));
      for (int ahead = 1; ahead < ranks; ++ahead) add_round(phases[0], ranges, ranks, ahead);
      break;
    }
    case CollectiveKind::broadcast:
    case CollectiveKind::point_to_point:
      phases.push_back(from_first(collective, ranks));
      break;
  }
  return phases;
}

std::optional<Schedule> even_exchange(const Collective& collective, int ranks) {
  const bool even = collective.algorithm == Algorithm::direct && collective.sizes.empty() &&
                    ranks > 1 && collective.size.count % ranks == 0;
  const bool from_all = collective.kind != CollectiveKind::broadcast &&
                        collective.kind != CollectiveKind::point_to_point;
  if (!even || !from_all) return std::nullopt;
  Phase phase = empty_phase(1, collective.chunks);
  add_channel(phase, {.source = 0, .destination = 1, .extent = {collective.size.count / ranks}});
  const std::size_t phases = collective.kind == CollectiveKind::all_reduce ? 2 : 1;
  return Schedule{ranks, std::vector<Phase>(phases, phase)};
}

// Each round is a phase: a rank begins the next round when it has sent and received everything in
// the current one.
std::vector<Phase> pairwise_phases(const Collective& collective, int ranks) {
  const std::vector<Range> ranges = all_to_all_ranges(collective, ranks);
  std::vector<Phase> phases;
  for (int ahead = 1; ahead < ranks; ++ahead) {
    phases.push_back(empty_phase(1, collective.chunks));
    add_round(phases.back(), ranges, ranks, ahead);
  }
  return phases;
}

}  // namespace loom::workload
