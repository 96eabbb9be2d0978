// The slow and plain way to share links, to judge the engine by.
//
// Flows are followed from event to event in long double. At every event all rates are found from
// nothing by progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2): all flows
// grow together, each in proportion to its weight, until a link is full; its flows stop there and
// the others go on. Nothing is remembered, nothing is ordered, nothing is taken from the library.
#pragma once

#include <cstddef>
#include <vector>

namespace oracle {

using Real = long double;

struct Hop {  // of a way: a link, and the part of the flow that takes it
  std::size_t link = 0;
  Real share = 1;
};
using Path = std::vector<Hop>;

// Times in picoseconds, sizes in bits, rates and capacities in bits per picosecond.
struct Flow {
  Real start = 0;
  Real latency = 0;  // passes before anything flows
  Real size = 0;
  Real weight = 1;
  std::vector<Path> paths = {};  // it takes the first of which no link is down, and stays on it
};

struct Change {
  Real at = 0;
  std::size_t link = 0;
  Real capacity = 0;
};

// Whether a flow ends when it ends, or in the first whole picosecond after.
enum class Clock { continuous, ticking };

// When each flow ends; infinity if never.
std::vector<Real> water_filling(std::vector<Real> capacities, const std::vector<Flow>& flows,
                                const std::vector<Change>& changes, Clock clock);

// The rates of flows that are all under way, each on its first way.
std::vector<Real> fair_rates(const std::vector<Real>& capacities, const std::vector<Flow>& flows);

}  // namespace oracle
