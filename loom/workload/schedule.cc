#include "loom/workload/schedule.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"
#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

std::vector<Phase> phases_of(const Collective& collective, int ranks) {
  switch (collective.algorithm) {
    case Algorithm::ring:
      return ring_phases(collective, ranks);
    case Algorithm::bidirectional_ring:
      return bidirectional_ring_phases(collective, ranks);
    case Algorithm::double_binary_tree:
      return double_binary_tree_phases(collective, ranks);
    case Algorithm::halving_doubling:
      return halving_doubling_phases(collective, ranks);
    case Algorithm::direct:
      return direct_phases(collective, ranks);
    case Algorithm::pairwise:
      return pairwise_phases(collective, ranks);
    case Algorithm::hierarchical:
      return hierarchical_phases(collective, ranks);
    case Algorithm::rings:
      return rings_phases(collective, ranks);
    case Algorithm::line:
      return line_phases(collective, ranks);
  }
  return {};
}

// Total bytes of `count` blocks starting at `first`.
Bytes blocks_size(Bytes extent, int blocks, std::int64_t first, std::int64_t count) {
  return piece_start(extent, blocks, first + count) - piece_start(extent, blocks, first);
}

std::int64_t block_of(const Channel& channel, int blocks, int step) {
  const int block = (channel.first - step) % blocks;
  return block < 0 ? block + blocks : block;
}

// Total bytes of a channel that sends one block per step. The steps walk backward over the blocks
// and wrap around: complete rounds, then a rest. The blocks of the rest run from that of its last
// step up to that of its first step, and may wrap around the end.
Int128 walked_bytes(const Channel& channel, int blocks) {
  const Int128 rounds = Int128{channel.steps / blocks} * channel.extent.count;
  const int rest = channel.steps % blocks;
  if (rest == 0) return rounds;
  const std::int64_t last = block_of(channel, blocks, rest - 1);
  const std::int64_t before_end = std::min<std::int64_t>(rest, blocks - last);
  return rounds + blocks_size(channel.extent, blocks, last, before_end).count +
         blocks_size(channel.extent, blocks, 0, rest - before_end).count;
}

}  // namespace

Bytes piece_start(Bytes size, std::int64_t pieces, std::int64_t index) {
  return {index * (size.count / pieces) + std::min(index, size.count % pieces)};
}

Range piece_of(const Range& whole, std::int64_t pieces, std::int64_t index) {
  return {whole.offset + piece_start(whole.extent, pieces, index),
          piece(whole.extent, pieces, index)};
}

Phase empty_phase(int blocks, int chunks) {
  Phase phase;
  phase.blocks = blocks;
  phase.chunks = chunks;
  phase.first_wait = {0};
  return phase;
}

void reserve_channels(Phase& phase, std::size_t channels) {
  phase.channels.reserve(channels);
  phase.first_wait.reserve(channels + 1);
}

void add_channel(Phase& phase, const Channel& channel, std::span<const Wait> waits) {
  phase.channels.push_back(channel);
  phase.waits.insert(phase.waits.end(), waits.begin(), waits.end());
  phase.first_wait.push_back(static_cast<int>(phase.waits.size()));
}

Bytes Phase::size(int channel, int message) const {
  const Channel& it = channels[static_cast<std::size_t>(channel)];
  const std::int64_t first = block_of(it, blocks, message / chunks);
  return piece(blocks_size(it.extent, blocks, first, it.count), chunks, message % chunks);
}

Schedule schedule(const Collective& collective, int ranks) {
  LOOM_CHECK(!objection(collective, ranks), "a collective is validated before it is scheduled");
  if (ranks == 1) return {ranks, {}};
  return {ranks, phases_of(collective, ranks)};
}

std::vector<int> channel_depths(const Phase& phase) {
  const std::size_t count = phase.channels.size();
  std::vector<int> depths(count, phase.waits.empty() ? 0 : -1);
  std::vector<int> path;
  for (int root = 0; root < static_cast<int>(count); ++root) {
    if (depths[static_cast<std::size_t>(root)] >= 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int c = path.back();
      int deepest = 0;
      int open = -1;
      for (const Wait& wait : phase.waits_of(c)) {
        if (wait.lag > 0) continue;
        const int before = depths[static_cast<std::size_t>(wait.channel)];
        if (before < 0) open = wait.channel;
        deepest = std::max(deepest, before + 1);
      }
      LOOM_CHECK(path.size() <= count, "waits without lag form no cycle");
      if (open >= 0) {
        path.push_back(open);
        continue;
      }
      path.pop_back();
      depths[static_cast<std::size_t>(c)] = deepest;
    }
  }
  return depths;
}

Int128 channel_bytes(const Phase& phase, int channel) {
  const Channel& it = phase.channels[static_cast<std::size_t>(channel)];
  if (it.count == 1) return walked_bytes(it, phase.blocks);
  Int128 total = 0;
  for (int step = 0; step < it.steps; ++step) {
    const std::int64_t first = block_of(it, phase.blocks, step);
    total += blocks_size(it.extent, phase.blocks, first, it.count).count;
  }
  return total;
}

std::int64_t message_count(const Schedule& schedule) {
  std::int64_t count = 0;
  for (const Phase& phase : schedule.phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) count += phase.messages(c);
  }
  return count;
}

Bytes total_bytes(const Schedule& schedule) {
  Int128 total = 0;
  for (const Phase& phase : schedule.phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      total += channel_bytes(phase, c);
    }
  }
  if (total > std::numeric_limits<std::int64_t>::max()) {
    throw LimitError(
        "a collective moves more than 9.2 EB in total; byte counts are limited to 63 bits");
  }
  return {static_cast<std::int64_t>(total)};
}

}  // namespace loom::workload
