// The report of the circuits that were provisioned for a workload.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/run/plan.h"

namespace loom::run {

struct CircuitReport {
  std::int64_t circuits = 0;
  std::int64_t pairs = 0;      // pairs that have circuits
  std::int64_t forwarded = 0;  // pairs without circuits: forwarded, waiting, or packet-switched
  bool packets = false;        // whether there is a packet switch
  bool waits = false;          // whether pairs without a circuit wait for one
  double share_of_bound = 1;   // rate of the worst-served pair over its upper bound
  int wavelengths = 0;         // ring: wavelengths used; `load` is their lower bound
  int load = 0;
  int colors = 0;              // ring: wavelengths available per direction
  int unamplified_reach = -1;  // ring: reach without an amplifier, in segments
  int longest = 0;             // ring: length of the longest circuit, in segments
  std::int64_t amplified = 0;  // ring: circuits that need an amplifier
  std::optional<fabric::LossBudget> loss_budget;  // ring
  Bandwidth usable;      // egress bandwidth that circuits can use; 0: all of it
  int ring_ports = -1;   // topology: ports per device used for rings
  int ports = 0;         // topology: ports per device
  int diameter = 0;      // topology: hops between the farthest pair
  double mean_hops = 0;  // topology: mean over connected pairs
  Duration set_up{0};    // topology: time to set up circuits before the work begins
  std::optional<fabric::SearchRecord>
      search;                       // of circuits for all kinds of communication together
  std::vector<std::string> phases;  // kinds of communication that each set of circuits serves
};

CircuitReport circuit_report(const PlannedCircuits& circuits);

}  // namespace loom::run
