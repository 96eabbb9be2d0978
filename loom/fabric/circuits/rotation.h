// Rotating circuits: a fixed cycle of matchings, independent of demand (rotor switches, gratings).
//
// If a cycle is short compared to a message, the fabric acts like a static network with one link
// per pair: the bandwidth is multiplied by the pair's fraction of the cycle, and the mean wait for
// its slot is added to the latency. This file builds the static network, so engines need not know
// slots. The error is up to one cycle per hop, because the slot in which a message starts is
// ignored; so the model is accurate if a message takes many cycles (tests/agree/rotation_test.cc
// compares it with a slot-by-slot simulation).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "loom/base/error.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// Every device has one uplink to each plane. In a slot a plane connects all devices by one
// matching, and over a cycle every pair of devices is connected once. Nothing is requested or
// scheduled.
struct Rotation {
  int devices = 0;
  int planes = 1;
  int slots = 0;  // per cycle
  // Plane p uses matching order[t · planes + p] in slot t; past the end of `order` the plane is
  // idle. Matching m connects device i to exit[(m + entry[i]) mod n]. This is a Latin square: for
  // any permutations `entry` and `exit`, each matching is a permutation and each pair occurs in one
  // matching.
  std::vector<int> order;
  std::vector<int> entry;
  std::vector<int> exit;

  // The device to which `device` sends; `device` itself while the plane is idle.
  int peer(int plane, int slot, int device) const;
};

// Matching m connects device i to i + m, as a grating does with wavelength m; the matching of each
// device to itself is left out.
Rotation cyclic_rotation(int devices, int planes);

// All n matchings in random order over randomly numbered devices; a device is idle in the slot in
// which a matching connects it to itself. In every slot the planes together form a random graph.
Rotation random_rotation(int devices, int planes, std::uint64_t seed);

// Returns the first reason why the cycle is not fair. In a fair cycle, every matching is a
// permutation and every pair is connected once.
std::optional<Infeasible> violation(const Rotation& rotation);

// Timing of the planes: each plane keeps a matching for `hold`, of which the first `switch_time` is
// unusable.
struct RotationClock {
  Duration hold{0};
  Duration switch_time{0};
};

// One circuit of the cycle, averaged over time.
struct AverageCircuit {
  Bandwidth bandwidth;    // rounded down
  Duration cycle{0};      // time until the same circuit is up again
  Duration mean_wait{0};  // mean wait of a message that arrives at a random time
};

// `egress` is the total bandwidth of a device's uplinks. Needs hold > switch_time.
AverageCircuit average_circuit(const Rotation& rotation, const RotationClock& clock,
                               Bandwidth egress);

// Links that represent the network.
enum class RotationLinks : std::uint8_t {
  automatic,  // pairs up to kMaxPairDevices devices, else devices
  pairs,      // one link per pair
  devices,    // valiant only: one link into and one out of each device, with half of its
              // bandwidth each. Exact if all devices send and receive the same, lower if few do.
};
inline constexpr std::array<std::string_view, 3> kRotationLinks = {"auto", "pairs", "devices"};
inline constexpr int kMaxPairDevices = 256;

// Network with direct routing, with one link per pair: a message waits for its own circuit. Only
// uniform all-to-all traffic gets the full bandwidth. `latency` is the latency of a circuit,
// excluding the wait until it is up.
Network direct_rotation(int devices, const AverageCircuit& circuit, Duration latency);

// Network with Valiant routing (Valiant, 1982): a message is divided over all devices, which
// forward it. Every byte crosses two circuits, so any traffic gets half the bandwidth that uniform
// traffic gets with direct routing. The link from a to b carries (out(a) + in(b)) / n, where out(a)
// is the traffic sent by a and in(b) the traffic received by b.
Network valiant_rotation(int devices, const AverageCircuit& circuit, Duration latency,
                         RotationLinks links);

}  // namespace loom::fabric
