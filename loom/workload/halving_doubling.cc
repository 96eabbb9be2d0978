// Recursive halving and doubling (Thakur, Rabenseifner, Gropp: Optimization of collective
// communication operations in MPICH, 2005): log2(n) pairwise exchanges. Each exchange is a phase,
// because it sends data that the previous exchange delivered.
//
// In a reduce_scatter, the partner of a rank is n/2 away, then n/4, and so on; the rank keeps the
// half of the range that contains its own block and sends the other half. An all_gather is the
// reverse; an all_reduce is a reduce_scatter and an all_gather.
//
// If n is not a power of two, let p be the largest power of two below n. Each odd rank among the
// first 2(n - p) sends its data to the even rank before it, does not participate in the exchanges,
// and receives its result at the end (in an all_gather everything, including its own block).
#include <bit>

#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

class Exchanges {
 public:
  Exchanges(const Collective& collective, int ranks)
      : kind_(collective.kind),
        size_(collective.size),
        chunks_(collective.chunks),
        pairs_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
        folded_(ranks - pairs_),
        blocks_(kind_ == CollectiveKind::all_reduce ? pairs_ : ranks) {}

  std::vector<Phase> phases() const {
    std::vector<Phase> phases;
    if (folded_ > 0) phases.push_back(fold());
    if (kind_ != CollectiveKind::all_gather) {
      for (int apart = pairs_ / 2; apart >= 1; apart /= 2) phases.push_back(halve(apart));
    }
    if (kind_ != CollectiveKind::reduce_scatter) {
      for (int apart = 1; apart < pairs_; apart *= 2) phases.push_back(double_up(apart));
    }
    if (folded_ > 0) phases.push_back(unfold());
    return phases;
  }

 private:
  struct Blocks {
    int first;
    int count;
  };

  // The rank of participant i; participants are numbered 0 … p-1.
  int rank_of(int i) const { return i < folded_ ? 2 * i : i + folded_; }

  // The blocks of participants `first` … first+count-1. An all_reduce has one block per
  // participant, other collectives one block per rank: a participant that also stands for an odd
  // rank has two.
  Blocks blocks_of(int first, int count) const {
    if (kind_ == CollectiveKind::all_reduce) return {first, count};
    return {rank_of(first), rank_of(first + count) - rank_of(first)};
  }

  void send(Phase& phase, int source, int destination, Blocks blocks) const {
    add_channel(phase, {.source = source,
                        .destination = destination,
                        .extent = size_,
                        .first = blocks.first,
                        .count = blocks.count});
  }

  Phase fold() const {
    Phase phase = empty_phase(blocks_, chunks_);
    for (int even = 0; even < 2 * folded_; even += 2) {
      const bool one = kind_ == CollectiveKind::all_gather;
      send(phase, even + 1, even, one ? Blocks{even + 1, 1} : Blocks{0, blocks_});
    }
    return phase;
  }

  Phase unfold() const {
    Phase phase = empty_phase(blocks_, chunks_);
    for (int even = 0; even < 2 * folded_; even += 2) {
      const bool one = kind_ == CollectiveKind::reduce_scatter;
      send(phase, even, even + 1, one ? Blocks{even + 1, 1} : Blocks{0, blocks_});
    }
    return phase;
  }

  Phase halve(int apart) const {
    Phase phase = empty_phase(blocks_, chunks_);
    for (int i = 0; i < pairs_; ++i) {
      const int partner = i ^ apart;
      send(phase, rank_of(i), rank_of(partner), blocks_of(partner & -apart, apart));
    }
    return phase;
  }

  Phase double_up(int apart) const {
    Phase phase = empty_phase(blocks_, chunks_);
    for (int i = 0; i < pairs_; ++i) {
      send(phase, rank_of(i), rank_of(i ^ apart), blocks_of(i & -apart, apart));
    }
    return phase;
  }

  CollectiveKind kind_;
  Bytes size_;
  int chunks_;
  int pairs_;   // number of participants in the exchanges: a power of two
  int folded_;  // number of ranks that do not participate
  int blocks_;
};

}  // namespace

std::vector<Phase> halving_doubling_phases(const Collective& collective, int ranks) {
  return Exchanges(collective, ranks).phases();
}

}  // namespace loom::workload
