// The circuits of a plan as charts show them: which circuits, the traffic that each pair's circuits
// carry by kind, and when which circuits were set up.
#pragma once

#include <string>
#include <vector>

#include "loom/run/circuit_traffic.h"
#include "loom/run/trace/circuit_history.h"

namespace loom::run {

// Circuits that exist at the same time.
struct CircuitSet {
  std::string name;  // the kinds of traffic that they serve; empty if circuits serve all
  fabric::Circuits circuits;
  std::size_t loads = 0;  // index into CircuitTraffic::loads
  Duration active{0};     // time during which they are set up, without switch times
};

struct CircuitDetails {
  fabric::CircuitLimits limits;
  std::vector<int> ports;  // per device: the circuits that it can send at once
  Bandwidth circuit;       // bandwidth of one circuit
  Duration switch_time{0};
  CircuitTraffic traffic;
  std::vector<CircuitSet> sets;
  std::vector<CircuitSwitch> switches;  // if circuits change; the run begins with the first set
  bool complete = true;                 // false: sets or switches are missing
  TimePoint from;                       // the interval to show: the last iteration, or all
  TimePoint to;
};

// Requires a plan with circuits, and a completed run.
CircuitDetails circuit_details(const Plan& plan, const simulate::Outcome& outcome,
                               const CircuitHistory& history);

}  // namespace loom::run
