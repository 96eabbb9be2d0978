// Circuits that go round by the clock: a fixed cycle of matchings, whatever there is to send.
//
// Every device has one uplink to each of some planes (rotor switches, gratings). In a slot a plane
// joins all devices by one matching, and over a cycle every device meets every other once. Nobody
// asks for circuits and nobody decides on them.
//
// A cycle that is short against a message looks like a network that stands still: a link for every
// pair, as wide as the pair's part of the cycle and as late as the mean wait for it. That is what
// is built here, and the engines need not know of slots. What it leaves out: in which slot a
// message begins, so that a message is up to one cycle for each hop earlier or later than here. It
// holds where a message takes many cycles; a shorter one takes about the wait, which is the
// latency. (tests/agree/rotation_test.cc holds this against a run slot by slot.)
//
// Ways over it:
//   direct   a message waits for its own circuit; all bandwidth is had only by traffic between all
//            pairs alike.
//   valiant  a message is divided over all devices, which pass it on (Valiant, 1982): every byte
//            travels twice, and any traffic finds the bandwidth of even traffic halved. What a
//            sends and b gets share the link from a to b, which carries (out(a) + in(b)) / n.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/fabric/network/network.h"

namespace loom {

struct Rotation {
  int devices = 0;
  int planes = 1;
  int slots = 0;  // of a cycle
  // Which matching plane p has in slot t: order[t · planes + p]. Past its end the plane is dark.
  // Matching m leads from device i to exit[(m + entry[i]) mod n]: a Latin square, in which each
  // matching is a permutation and each pair has its matching, however devices are numbered.
  std::vector<int> order;
  std::vector<int> entry;
  std::vector<int> exit;

  // Where the plane leads from the device; the device itself where it is dark.
  int peer(int plane, int slot, int device) const;
};

// Matching m leads m devices on, as a grating leads wavelength m: all but the one to oneself.
Rotation cyclic_rotation(int devices, int planes);

// All n matchings in a random order of randomly numbered devices; a device idles where its matching
// leads to itself. The planes of any slot make a random graph.
Rotation random_rotation(int devices, int planes, std::uint64_t seed);

// The first reason why this is no fair cycle: each matching leads to each device once, and over the
// cycle each pair is joined once. "" if there is none.
std::string violation(const Rotation& rotation);

// When: each plane keeps a matching for `hold`, of which it is dark for `dark` at first.
struct RotationClock {
  Duration hold{0};
  Duration switch_time{0};
};

// What one circuit of the cycle is on average.
struct AverageCircuit {
  Bandwidth bandwidth;    // rounded down
  Duration cycle{0};      // until the same circuit comes again
  Duration mean_wait{0};  // of who comes at any time
};

// `egress` of a device, all uplinks together. Needs hold > dark.
AverageCircuit average_circuit(const Rotation& rotation, const RotationClock& clock,
                               Bandwidth egress);

// How much of the network is written out.
enum class RotationLinks : std::uint8_t {
  automatic,  // pairs for at most kMostPairDevices, else devices
  pairs,      // a link for every pair
  devices,    // of valiant: one into and one out of each device, half of its bandwidth each. The
              // same where all devices send and get alike; less where a few do.
};
inline constexpr std::array<std::string_view, 3> kRotationLinks = {"auto", "pairs", "devices"};
inline constexpr int kMaxPairDevices = 256;

// A link for every pair, direct ways. `latency` of a circuit, without the wait.
Network direct_rotation(int devices, const AverageCircuit& circuit, Duration latency);

Network valiant_rotation(int devices, const AverageCircuit& circuit, Duration latency,
                         RotationLinks links);

}  // namespace loom
