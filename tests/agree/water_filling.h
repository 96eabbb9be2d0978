// Oracle for max-min fair sharing: slow, simple, and independent of the library.
//
// Simulates flows from event to event in long double. At every event all rates are recomputed by
// progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2): all flows grow in
// proportion to their weights until a link is full; its flows freeze and the others continue.
#pragma once

#include <cstddef>
#include <vector>

namespace oracle {

using Real = long double;

struct Hop {  // one link of a path, and the fraction of the flow it carries
  std::size_t link = 0;
  Real share = 1;
};
using Path = std::vector<Hop>;

// Times in picoseconds, sizes in bits, rates and capacities in bits per picosecond.
struct Flow {
  Real start = 0;
  Real latency = 0;  // elapses before the first byte flows
  Real size = 0;
  Real weight = 1;
  std::vector<Path> paths = {};  // takes the first with all links up, and stays on it
};

struct Change {
  Real at = 0;
  std::size_t link = 0;
  Real capacity = 0;
};

// Whether ends are exact or rounded up to the next picosecond.
enum class Clock { continuous, ticking };

// End time per flow; infinity if never.
std::vector<Real> water_filling(std::vector<Real> capacities, const std::vector<Flow>& flows,
                                const std::vector<Change>& changes, Clock clock);

// Rates if all flows are active, each on its first path.
std::vector<Real> fair_rates(const std::vector<Real>& capacities, const std::vector<Flow>& flows);

}  // namespace oracle
