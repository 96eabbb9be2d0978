// Optical circuits, and the limits of circuit switches and fiber rings on the circuits that can
// exist at the same time.
//
// Limits hold no state; the current circuits are a separate list. A provisioner chooses circuits
// for a demand, violation() checks them, and the engines run over the links that they form. So
// every provisioner can be tested on every fabric.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"
#include "loom/workload/demand.h"

namespace loom::fabric {

// A unidirectional connection from one device to another.
struct Circuit {
  int from = 0;
  int to = 0;
  int plane = 0;       // switch; on a ring 2 · fiber + direction
  int wavelength = 0;  // rings only

  auto operator<=>(const Circuit&) const = default;
};

using Circuits = std::vector<Circuit>;  // sorted

inline constexpr int kClockwise = 0;  // toward higher device numbers, wrapping from the last to 0
inline constexpr int kCounterclockwise = 1;

// Limits of optical circuit switches: each device has one input and one output port on each switch
// to which it is wired, and a switch connects inputs to outputs one to one (SiP-ML, section 3.2).
struct OcsLimits {
  int devices = 0;
  int switches = 1;
  int ports = 0;  // per switch
  // Devices wired to each switch, sorted. Empty: every device is wired to every switch.
  std::vector<std::vector<int>> wiring = {};

  bool wired(int device, int plane) const;
  bool share_a_switch(int a, int b) const;
  std::vector<int> ports_of_devices() const;
};

// Limits of fiber rings through all devices in numerical order: a circuit occupies one wavelength
// of one fiber in one direction along its whole arc (SiP-ML, section 3.3). Segment i lies between
// devices i and i + 1.
struct RingLimits {
  int devices = 0;
  int fibers = 1;
  int directions = 2;   // 1: clockwise only
  int wavelengths = 1;  // per fiber and direction
  int reach = 0;        // max segments per arc; 0: unlimited
  bool reuse = true;    // disjoint arcs may share a wavelength; false: one circuit per wavelength

  int colors() const { return fibers * wavelengths; }  // max circuits per segment, one direction
  int arc(int from, int to, int direction) const;      // length in segments
  bool reaches(int from, int to, int direction) const;
};

using CircuitLimits = std::variant<OcsLimits, RingLimits>;

// Returns the first reason why these circuits cannot exist at the same time.
std::optional<Infeasible> violation(const OcsLimits& limits, const Circuits& circuits);
std::optional<Infeasible> violation(const RingLimits& limits, const Circuits& circuits);

// Number of circuits from one device to another, over all planes.
struct PairCircuits {
  int from = 0;
  int to = 0;
  int count = 0;

  auto operator<=>(const PairCircuits&) const = default;
};

std::vector<PairCircuits> by_pair(const Circuits& circuits);

// CSV with columns from,to,plane,wavelength and one line per circuit.
std::string circuits_csv(const Circuits& circuits);

// How a search for circuits converged.
struct SearchRecord {
  std::int64_t trials = 0;  // sets of circuits that were compared
  Duration first{0};        // time of all communication in turns on the circuits it began with
  Duration last{0};         // on the circuits it ended with
};

// Result of a provisioner. Rates are in circuits per byte of demand.
struct Provisioned {
  Circuits circuits;
  double rate = 0;            // rate of the worst-served pair; 0 if some pair has no circuit
  double bound = 0;           // upper bound on that rate for any circuits
  workload::Demand unserved;  // pairs without a direct circuit
  int wavelengths = 0;        // ring: wavelengths used in one direction, of fibers × wavelengths
  int load = 0;               // ring: circuits on the busiest segment, one direction
  int ring_ports = -1;        // topology: ports per device reserved for all-reduce rings
  std::optional<SearchRecord> search = {};
};

}  // namespace loom::fabric
