// Rings that a group of n can be reduced over: "+s" joins position i to position i + s.
//
// Such a walk visits all n exactly if gcd(s, n) = 1 (TotientPerms; TopoOpt, NSDI 2023,
// section 4.3): phi(n) rings instead of (n - 1)!. The union of several is a circulant graph, in
// which all positions look alike: how far the others are is known from position 0 alone.
//
// Which steps: near 1, x, x², … with x = n^(1/rings) as the paper chooses them, or those of the
// smallest diameter, then the fewest hops in all, found by search. Multiplying all steps by the
// inverse of one of them renumbers positions and changes no distance, so one step is always 1.
// The search is over all sets where that takes a fraction of a second, and otherwise descends from
// the geometric choice and from seeded others, one step at a time, to what no change of one step
// betters.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "loom/base/cache.h"

namespace loom {

enum class StepChoice : std::uint8_t { geometric, optimal };

// The steps from 1 to n - 1 whose walk visits all n, in order; above `kAllSteps` positions only 1
// and the primes among them, as in the paper.
inline constexpr int kAllSteps = 4096;
std::vector<int> totient_steps(int n);

// How far positions are from each other over rings of these steps.
struct RingDistances {
  int diameter = 0;       // kNoWay where some position is not reached
  std::int64_t hops = 0;  // from one position to all others, in sum

  double mean(int n) const { return n < 2 ? 0 : static_cast<double>(hops) / (n - 1); }
  auto operator<=>(const RingDistances&) const = default;
};

inline constexpr int kNoPath = 1 << 30;

// With `both_ways` every ring is also there the other way round.
RingDistances ring_distances(int n, std::span<const int> steps, bool bidirectional);

struct ChosenSteps {
  std::vector<int> steps;  // 1 first; repeated where there are fewer rings than asked for
  RingDistances distances;
  bool exhaustive = false;  // all sets of steps were tried
};

// Needs n >= 2 and rings >= 1. With `both_ways`, steps are at most n / 2.
ChosenSteps choose_steps(int n, int rings, bool bidirectional, StepChoice choice);

// Choices that were made before, for many threads: searching takes up to a second for thousands of
// positions.
class StepTable {
 public:
  const ChosenSteps& choose(int n, int rings, bool bidirectional, StepChoice choice) {
    return known_.answer({n, rings, bidirectional, choice},
                         [&] { return choose_steps(n, rings, bidirectional, choice); });
  }

 private:
  Cache<std::tuple<int, int, bool, StepChoice>, ChosenSteps> known_;
};

}  // namespace loom
