// The most promising strategies on circuits, where an estimate takes long: circuits are provisioned
// for each strategy first.
//
// A strategy's promise is the sum of two lower bounds, which are known without circuits: that of
// the longest chain of work and communication of a stage, at full bandwidth, and that of the bytes
// that the circuits must carry. On circuits set once, the kinds of communication in a chain divide
// the bandwidth, so both times matter; the sum is no bound, and it is too high where communication
// overlaps computation. So the best strategy of each shape (the ranks along each dimension, and
// their order) is estimated first; by how much its promise was wrong corrects the others.
#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "loom/plan/strategies.h"

namespace loom::plan {

class PromisingStrategies {
 public:
  PromisingStrategies(const JobSpec& spec, NetworkProvider& provider, int threads)
      : spec_(spec), provider_(provider), threads_(threads) {}

  // Of the strategies without an estimate, those to estimate next, the most promising first; empty
  // if enough were estimated, or the bounds of the rest are at least `best`.
  std::vector<RankedStrategy*> next(std::span<RankedStrategy> ranking, Duration best);

 private:
  using Shape = std::pair<std::array<int, 5>, std::array<parallelize::Dimension, 5>>;

  static Shape shape_of(const RankedStrategy& it);
  std::vector<RankedStrategy*> of_each_shape(std::span<RankedStrategy* const> open);
  std::vector<RankedStrategy*> of_good_shapes(std::span<RankedStrategy* const> open,
                                              std::span<const RankedStrategy> ranking);
  void weigh(std::span<RankedStrategy* const> open);

  const JobSpec& spec_;
  NetworkProvider& provider_;
  int threads_;
  int rounds_ = 0;
};

}  // namespace loom::plan
