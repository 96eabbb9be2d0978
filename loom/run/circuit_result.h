// What was lit for a workload on a fabric of circuits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/run/plan.h"

namespace loom {

struct CircuitResult {
  std::int64_t circuits = 0;
  std::int64_t pairs = 0;      // that have circuits
  std::int64_t forwarded = 0;  // pairs that exchange data over others, or over the packet switch
  bool packets = false;        // there is one
  bool turns = false;          // those pairs wait for theirs instead
  double share_of_bound = 1;   // of the best possible rate of the pair served worst, what it gets
  int wavelengths = 0;         // ring: that are needed, where `load` is the least possible
  int load = 0;
  int colours = 0;                        // ring: that there are, in each direction
  int unamplified_reach = -1;             // ring: segments that light goes without an amplifier
  int longest = 0;                        // ring: segments of the longest circuit
  std::int64_t amplified = 0;             // ring: circuits longer than that
  std::optional<LossBudget> loss_budget;  // ring
  Bandwidth usable;                       // what circuits let a device send; 0: all it could
  int ring_ports = -1;                    // topology: of a device, for rings
  int ports = 0;                          // topology: of a device
  int diameter = 0;                       // topology: circuits between those farthest apart
  double mean_hops = 0;                   // topology: of all pairs that reach each other
  Duration set_up{0};                     // topology: before the work begins
  std::vector<std::string> phases;        // what each set of circuits is for
};

CircuitResult circuit_result(const PreparedCircuits& circuits);

}  // namespace loom
