// Steps of the rings over which a group of n members is all-reduced: ring "+s" connects position i
// to i + s.
//
// Such a ring visits all n positions if and only if gcd(s, n) = 1 (TotientPerms; TopoOpt, NSDI
// 2023, section 4.3), so there are phi(n) candidates instead of (n - 1)!. The union of several
// rings is a circulant graph, which is vertex-transitive, so distances from position 0 are enough.
// Multiplying all steps by the inverse of one step renumbers the positions and changes no distance,
// so one step can always be 1.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "loom/base/cache.h"

namespace loom::fabric {

// geometric: near 1, x, x², … with x = n^(1/rings), as in the paper. optimal: min diameter, then
// min total hops; an exhaustive search if that takes a fraction of a second, otherwise a local
// search that replaces one step at a time, from the geometric choice and from seeded random
// choices.
enum class StepChoice : std::uint8_t { geometric, optimal };

// The steps from 1 to n - 1 whose ring visits all n positions, sorted; beyond `kAllSteps` positions
// only 1 and the primes among them, as in the paper.
inline constexpr int kAllSteps = 4096;
std::vector<int> totient_steps(int n);

// Distances between positions over rings of given steps.
struct RingDistances {
  int diameter = 0;       // kNoPath if some position is unreachable
  std::int64_t hops = 0;  // sum of distances from one position to all others

  double mean(int n) const { return n < 2 ? 0 : static_cast<double>(hops) / (n - 1); }
  auto operator<=>(const RingDistances&) const = default;
};

inline constexpr int kNoPath = 1 << 30;

// With `bidirectional` every ring also exists in the reverse direction.
RingDistances ring_distances(int n, std::span<const int> steps, bool bidirectional);

struct ChosenSteps {
  std::vector<int> steps;  // starts with 1; repeats if there are fewer distinct steps than rings
  RingDistances distances;
  bool exhaustive = false;  // all sets of steps were tried
};

// Needs n >= 2 and rings >= 1. With `bidirectional`, steps are at most n / 2.
ChosenSteps choose_steps(int n, int rings, bool bidirectional, StepChoice choice);

// Thread-safe cache of choices: a search takes up to a second for thousands of positions.
class StepTable {
 public:
  const ChosenSteps& choose(int n, int rings, bool bidirectional, StepChoice choice) {
    return known_.answer({n, rings, bidirectional, choice},
                         [&] { return choose_steps(n, rings, bidirectional, choice); });
  }

 private:
  Cache<std::tuple<int, int, bool, StepChoice>, ChosenSteps> known_;
};

}  // namespace loom::fabric
