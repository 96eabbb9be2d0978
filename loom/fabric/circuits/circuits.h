// Circuits of light: what may be lit together, on circuit switches and on fibre rings.
//
// Limits hold no state. The circuits lit at a moment are a value of their own: a provisioner
// chooses them from a demand, violation() judges them, the engines run over the links they make. So
// every provisioner can be tested on every fabric.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/workload/demand.h"

namespace loom {

// Leads one way from one device to another.
struct Circuit {
  int from = 0;
  int to = 0;
  int plane = 0;       // the switch; on a ring 2 · fibre + direction
  int wavelength = 0;  // on a ring

  auto operator<=>(const Circuit&) const = default;
};

using Circuits = std::vector<Circuit>;  // in order

inline constexpr int kClockwise = 0;  // towards higher device numbers, and from the last to 0
inline constexpr int kCounterclockwise = 1;

// Optical circuit switches. On each, a device has one port in and one out, and the switch joins
// inputs to outputs one to one (SiP-ML, section 3.2).
struct OcsLimits {
  int devices = 0;
  int switches = 1;
  int ports = 0;  // of each switch
  // By switch: the devices wired to it, in order. Empty: every device to every switch.
  std::vector<std::vector<int>> wiring = {};

  bool wired(int device, int plane) const;
  bool share_a_switch(int a, int b) const;
  std::vector<int> ports_of_devices() const;
};

// Fibre rings through all devices in the order of their numbers. A circuit has one wavelength of
// one fibre in one direction all along its arc (SiP-ML, section 3.3); segment i is between device i
// and i + 1.
struct RingLimits {
  int devices = 0;
  int fibres = 1;
  int directions = 2;   // 1: clockwise only
  int wavelengths = 1;  // of each fibre in each direction
  int reach = 0;        // segments of the longest arc; 0: any
  bool reuse = true;    // on arcs that share no segment; without, a wavelength serves one circuit

  int colours() const { return fibres * wavelengths; }  // circuits over a segment in one direction
  int arc(int from, int to, int direction) const;       // segments on the way
  bool reaches(int from, int to, int direction) const;
};

// The first reason why these circuits cannot be lit together; "" if there is none.
std::string violation(const OcsLimits& limits, const Circuits& circuits);
std::string violation(const RingLimits& limits, const Circuits& circuits);

// Circuits between the two devices, in all planes.
struct PairCircuits {
  int from = 0;
  int to = 0;
  int count = 0;

  auto operator<=>(const PairCircuits&) const = default;
};

std::vector<PairCircuits> by_pair(const Circuits& circuits);

// from,to,plane,wavelength: a line for each circuit.
std::string circuits_csv(const Circuits& circuits);

// What a provisioner found. Rates are circuits for each byte of demand.
struct Provisioned {
  Circuits circuits;
  double rate = 0;      // of the demand served worst; 0 where some pair got no circuit
  double bound = 0;     // no circuits serve the worst better
  Demand unserved;      // pairs without a circuit of their own
  int wavelengths = 0;  // ring: that some segment's colouring uses, of fibres × wavelengths
  int load = 0;         // ring: circuits over the busiest segment in one direction
  int ring_ports = -1;  // topology: ports of a device that are for rings
};

}  // namespace loom
