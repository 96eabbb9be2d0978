// Use of the circuits in one iteration of a training job, by kind of traffic: which ports carry
// what, when they are idle, and how long the job waits for each kind.
#pragma once

#include <string>
#include <vector>

#include "loom/run/circuit_details.h"
#include "loom/run/trace/explain.h"

namespace loom::run {

// The circuits of one kind of traffic. A circuit may carry several kinds.
struct KindUse {
  std::string kind;     // "tensor", "data", …
  double ports = 0;     // mean number of circuits of a device that carry it
  double bytes = 0;     // per iteration, counted on every circuit that they cross
  Duration active{0};   // time with such a communication in progress, on any device
  double used = 0;      // utilization of these circuits while it is in progress
  Duration on_path{0};  // of the critical path
};

// An interval of the iteration in which the same kinds of communication are in progress.
struct CircuitState {
  std::vector<std::string> kinds;  // empty: none
  Duration time{0};
  double idle_ports = 0;  // mean number of circuits of a device that carry none of these kinds
};

// The circuits from one device to another.
struct CircuitUse {
  int from = 0;
  int to = 0;
  int circuits = 0;
  std::size_t set = 0;                                // with circuits that change, else 0
  std::vector<std::pair<std::string, double>> bytes;  // per iteration by kind, most first
  double used = 0;                                    // utilization while the set is in place
};

struct CircuitExplanation {
  double ports = 0;                  // circuits of a device, mean of all devices and sets
  double used = 0;                   // utilization of all circuits over the iteration
  std::vector<KindUse> kinds;        // in the order of time on the critical path, longest first
  std::vector<CircuitState> states;  // add up to the iteration, longest first
  std::vector<CircuitUse> circuits;  // by device
};

// `explanation` and `log` are those of the job.
CircuitExplanation explain_circuits(const Plan& plan, const CircuitDetails& details,
                                    const Explanation& explanation, const RankTaskLog& log);

}  // namespace loom::run
