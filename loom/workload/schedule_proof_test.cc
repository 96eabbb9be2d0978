// Every algorithm implements its collective: schedules are executed on symbolic buffers, in which
// every byte is the set of ranks whose contributions it holds.
//
// Messages start and arrive in a random order that the schedule allows. Arriving data is either new
// to the receiver, and added, or complete, and copied; anything else is a wrong algorithm. A
// schedule that stops early has a cyclic wait.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/workload/phases.h"
#include "loom/workload/schedule.h"
#include "loom/workload/schedule_run.h"

namespace loom::workload {
namespace {

using Contributions = std::uint64_t;  // one bit per rank
using Buffer = std::vector<Contributions>;

// The range of the full buffer that a message carries.
Range range_of(const Phase& phase, const Channel& channel, int message) {
  const int step = message / phase.chunks;
  const int turns = channel.steps / phase.blocks + 1;
  const int first = (channel.first - step + turns * phase.blocks) % phase.blocks;
  const Bytes start = piece_start(channel.extent, phase.blocks, first);
  const Bytes end = piece_start(channel.extent, phase.blocks, first + channel.count);
  return piece_of({channel.offset + start, end - start}, phase.chunks, message % phase.chunks);
}

// Buffers that sum and copy.
class Memory {
 public:
  Memory(const Schedule& schedule, std::vector<Buffer> buffers, Buffer complete)
      : schedule_(schedule), buffers_(std::move(buffers)), complete_(std::move(complete)) {}

  void leave(std::size_t p, int c, int message) {
    const Phase& phase = schedule_.phases[p];
    const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    flying_[{p, c, message}] = content(channel.source, range_of(phase, channel, message));
  }

  void arrive(std::size_t p, int c, int message) {
    const Phase& phase = schedule_.phases[p];
    const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    const Range range = range_of(phase, channel, message);
    const Buffer brought = std::move(flying_.extract({p, c, message}).mapped());
    unchanged_ &= brought == content(channel.source, range);
    sizes_agree_ &= range.extent == phase.size(c, message);
    for (std::size_t i = 0; i < brought.size(); ++i) {
      take(channel.destination, static_cast<std::size_t>(range.offset.count) + i, brought[i]);
    }
  }

  const Buffer& buffer(int rank) const { return buffers_[static_cast<std::size_t>(rank)]; }
  bool sound() const { return unchanged_ && sizes_agree_ && meaningful_; }

 private:
  Buffer content(int rank, const Range& range) const {
    const auto first = buffer(rank).begin() + range.offset.count;
    return {first, first + range.extent.count};
  }

  void take(int rank, std::size_t byte, Contributions brought) {
    Contributions& own = buffers_[static_cast<std::size_t>(rank)][byte];
    const bool whole = brought == complete_[byte];
    meaningful_ &= brought != 0 && (whole || (brought & own) == 0);
    own = whole ? brought : own | brought;
  }

  const Schedule& schedule_;
  std::vector<Buffer> buffers_;
  Buffer complete_;
  std::map<std::tuple<std::size_t, int, int>, Buffer> flying_;
  bool unchanged_ = true;    // no data was overwritten while being sent
  bool sizes_agree_ = true;  // Phase::size is the length of the range
  bool meaningful_ = true;
};

int piece_holding(Bytes size, int pieces, std::int64_t byte) {
  int index = 0;
  while (piece_start(size, pieces, index + 1).count <= byte) ++index;
  return index;
}

// The rank that keeps (reduce_scatter) or contributes (all_gather) this byte.
int owner(const Collective& collective, int ranks, std::int64_t byte) {
  if (collective.algorithm == Algorithm::bidirectional_ring) {
    const Bytes half = piece(collective.size, 2, 0);
    if (byte < half.count) return piece_holding(half, ranks, byte);
    return ranks - 1 - piece_holding(collective.size - half, ranks, byte - half.count);
  }
  if (collective.algorithm == Algorithm::rings) {
    const int rings = static_cast<int>(collective.steps.size());
    const int ring = piece_holding(collective.size, rings, byte);
    const Range share = piece_of({{0}, collective.size}, rings, ring);
    const int position = piece_holding(share.extent, ranks, byte - share.offset.count);
    return position * collective.steps[static_cast<std::size_t>(ring)] % ranks;
  }
  if (collective.algorithm != Algorithm::hierarchical) {
    return piece_holding(collective.size, ranks, byte);
  }
  int rank = 0;
  int stride = 1;
  Range range{{0}, collective.size};
  for (const int level : collective.levels) {
    const int index = piece_holding(range.extent, level, byte - range.offset.count);
    range = piece_of(range, level, index);
    rank += index * stride;
    stride *= level;
  }
  return rank;
}

Contributions only(int rank) { return Contributions{1} << rank; }
Contributions everyone(int ranks) { return (Contributions{1} << ranks) - 1; }

std::vector<Buffer> before(const Collective& collective, int ranks) {
  std::vector<Buffer> buffers;
  for (int rank = 0; rank < ranks; ++rank) {
    Buffer& buffer = buffers.emplace_back();
    for (std::int64_t byte = 0; byte < collective.size.count; ++byte) {
      const bool has = collective.kind == CollectiveKind::all_gather
                           ? owner(collective, ranks, byte) == rank
                       : collective.kind == CollectiveKind::broadcast ||
                               collective.kind == CollectiveKind::point_to_point
                           ? rank == 0
                           : true;
      buffer.push_back(has ? only(rank) : 0);
    }
  }
  return buffers;
}

Buffer complete(const Collective& collective, int ranks) {
  Buffer all;
  for (std::int64_t byte = 0; byte < collective.size.count; ++byte) {
    switch (collective.kind) {
      case CollectiveKind::all_gather:
        all.push_back(only(owner(collective, ranks, byte)));
        break;
      case CollectiveKind::broadcast:
      case CollectiveKind::point_to_point:
        all.push_back(only(0));
        break;
      default:
        all.push_back(everyone(ranks));
    }
  }
  return all;
}

bool keeps(const Collective& collective, int ranks, int rank, std::int64_t byte) {
  return collective.kind != CollectiveKind::reduce_scatter ||
         owner(collective, ranks, byte) == rank;
}

void prove(const Collective& collective, int ranks) {
  SCOPED_TRACE(std::string(name_of(collective.kind)) + " by " +
               std::string(name_of(collective.algorithm)) + " of " + exact(collective.size) +
               " over " + std::to_string(ranks) + ", chunks " + std::to_string(collective.chunks));
  ASSERT_EQ(why(objection(collective, ranks)), "no objection");
  const Schedule steps = schedule(collective, ranks);
  const Buffer all = complete(collective, ranks);
  Memory memory(steps, before(collective, ranks), all);
  ScheduleRun run(steps, memory, random_stream(static_cast<std::uint64_t>(collective.size.count)));
  ASSERT_TRUE(run.finish());
  ASSERT_TRUE(memory.sound());
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::size_t byte = 0; byte < all.size(); ++byte) {
      if (!keeps(collective, ranks, rank, static_cast<std::int64_t>(byte))) continue;
      ASSERT_EQ(memory.buffer(rank)[byte], all[byte]) << "rank " << rank << ", byte " << byte;
    }
  }
}

void prove_many(CollectiveKind kind, Algorithm algorithm, int ranks,
                const std::vector<int>& levels = {}, const std::vector<int>& steps = {}) {
  for (const std::int64_t size : {0, 1, 7, 41}) {
    for (int chunks = 1; chunks <= 3; ++chunks) {
      prove({kind, algorithm, {size}, chunks, levels, {}, steps}, ranks);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

void prove_all_ranks(CollectiveKind kind) {
  for (const Algorithm algorithm : algorithms_for(kind)) {
    if (algorithm == Algorithm::hierarchical || algorithm == Algorithm::rings) continue;
    for (int ranks = 1; ranks <= 17; ++ranks) prove_many(kind, algorithm, ranks);
  }
}

// For every number of ranks: all rings together, and the last one only.
void prove_all_steps(CollectiveKind kind) {
  for (int ranks = 1; ranks <= 13; ++ranks) {
    std::vector<int> all;
    for (int step = 1; step < std::max(2, ranks); ++step) {
      if (std::gcd(step, ranks) == 1) all.push_back(step);
    }
    prove_many(kind, Algorithm::rings, ranks, {}, all);
    prove_many(kind, Algorithm::rings, ranks, {}, {all.back()});
  }
}

void prove_all_levels(CollectiveKind kind) {
  const std::vector<std::vector<int>> cases = {
      {1}, {5}, {2, 2}, {3, 2}, {2, 3}, {4, 4}, {1, 6, 1}, {2, 3, 2}, {3, 1, 2, 2}, {2, 2, 2, 2}};
  for (const std::vector<int>& levels : cases) {
    int ranks = 1;
    for (const int level : levels) ranks *= level;
    prove_many(kind, Algorithm::hierarchical, ranks, levels);
  }
}

// Records which bytes of which buffers every rank has received.
struct Mail {
  const Schedule& schedule;
  std::map<std::tuple<int, int, std::int64_t>, int> times =
      {};  // keyed by destination, source and byte

  void leave(std::size_t, int, int) {}
  void arrive(std::size_t p, int c, int message) {
    const Phase& phase = schedule.phases[p];
    const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    const Range range = range_of(phase, channel, message);
    for (std::int64_t i = 0; i < range.extent.count; ++i) {
      ++times[{channel.destination, channel.source, range.offset.count + i}];
    }
  }
};

void prove_all_to_all(Algorithm algorithm, int ranks, int chunks) {
  const Bytes size = 61_B;
  const Schedule steps =
      schedule({CollectiveKind::all_to_all, algorithm, size, chunks, {}, {}}, ranks);
  Mail mail{steps};
  ASSERT_TRUE(ScheduleRun(steps, mail, random_stream(3)).finish());
  std::map<std::tuple<int, int, std::int64_t>, int> expected;
  for (int source = 0; source < ranks; ++source) {
    for (std::int64_t byte = 0; byte < size.count; ++byte) {
      const int destination = piece_holding(size, ranks, byte);
      if (destination != source) expected[{destination, source, byte}] = 1;
    }
  }
  EXPECT_EQ(mail.times, expected);
}

TEST(ScheduleProof, AfterAnAllReduceEveryRankHasTheSumOfAll) {
  prove_all_ranks(CollectiveKind::all_reduce);
  prove_all_steps(CollectiveKind::all_reduce);
  prove_all_levels(CollectiveKind::all_reduce);
}

TEST(ScheduleProof, AfterAReduceScatterEveryRankHasItsPieceOfTheSum) {
  prove_all_ranks(CollectiveKind::reduce_scatter);
  prove_all_steps(CollectiveKind::reduce_scatter);
  prove_all_levels(CollectiveKind::reduce_scatter);
}

TEST(ScheduleProof, AfterAnAllGatherEveryRankHasEveryPiece) {
  prove_all_ranks(CollectiveKind::all_gather);
  prove_all_steps(CollectiveKind::all_gather);
  prove_all_levels(CollectiveKind::all_gather);
}

TEST(ScheduleProof, AfterABroadcastEveryRankHasWhatRankZeroHad) {
  prove_all_ranks(CollectiveKind::broadcast);
}

TEST(ScheduleProof, AfterAnAllToAllEveryRankHasItsBlockOfEveryBufferOnce) {
  for (int ranks = 1; ranks <= 17; ++ranks) {
    for (int chunks = 1; chunks <= 3; ++chunks) {
      prove_all_to_all(Algorithm::direct, ranks, chunks);
      prove_all_to_all(Algorithm::pairwise, ranks, chunks);
    }
  }
}

TEST(ScheduleProof, APointToPointDeliversTheFullBuffer) {
  prove_many(CollectiveKind::point_to_point, Algorithm::direct, 2);
}

}  // namespace
}  // namespace loom::workload
