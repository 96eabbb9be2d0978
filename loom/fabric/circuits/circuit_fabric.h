// A fabric of circuits: what may be lit, how much a circuit carries, how long lighting takes, and
// by which rule circuits follow the demand.
//
// A network exists only once circuits are lit: provision() chooses them for a demand, and
// lit_network() makes links of them. A pair without a circuit of its own is reached over a packet
// switch, where there is one, or over other devices, where they forward.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/circuits/loss_budget.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom {

enum class Objective : std::uint8_t { max_min, max_weight };
inline constexpr std::array<std::string_view, 2> kObjectiveNames = {"max_min", "max_weight"};

// When circuits change: never after the first time, every so often for what waits then, or between
// the phases of a training iteration where that is worth the dark time.
enum class Reconfigure : std::uint8_t { one_shot, periodic, phases };
inline constexpr std::array<std::string_view, 3> kReconfigureNames = {"one_shot", "periodic",
                                                                      "phases"};

// What a pair does that has no circuit at the moment, where circuits change periodically.
enum class Meanwhile : std::uint8_t { wait, forward };
inline constexpr std::array<std::string_view, 2> kMeanwhileNames = {"wait", "forward"};

// What circuits are built of; only the cost depends on it.
struct CircuitComponents {
  bool sip = false;                  // devices send from a silicon-photonic chip, not through NICs
  std::string_view port = kOcsPort;  // where a device's fibre ends
};

// An ideal electrical switch beside the circuits, for whoever has none at the moment.
struct PacketSwitch {
  Bandwidth bandwidth;  // of a device, each way
  Duration latency{0};  // from device to device
  Bytes threshold;      // what a pair has at least to send to get circuits
};

// How a topology is found for a job, where circuits are set once for it (TopoOpt).
struct TopologyRules {
  TopologyOptions options;
  bool sweep = false;            // all splits of the ports are tried
  Bandwidth forwarding_rate{0};  // of what a host passes on, all together; 0: without a limit
};

struct CircuitFabric {
  std::variant<OcsLimits, RingLimits> limits;
  Bandwidth egress;         // of a device, all its circuits (and its packets) together
  Bandwidth circuit;        // of one circuit
  Duration latency{0};      // from device to device over one circuit
  Duration switch_time{0};  // for which circuits that change are dark
  bool forwarding = true;   // devices pass on what is not for them
  Objective objective = Objective::max_min;
  Reconfigure reconfigure = Reconfigure::one_shot;
  Duration period{0};                          // periodic
  Meanwhile meanwhile = Meanwhile::wait;       // periodic
  std::optional<LossBudget> loss_budget = {};  // of a ring: how far light goes
  CircuitComponents components = {};
  std::optional<PacketSwitch> packets = {};
  std::optional<TopologyRules> topology = {};  // in place of the objective

  int devices() const;
};

// Circuits for the demand by the fabric's objective. What comes out has no violation.
Provisioned provision(const CircuitFabric& fabric, const Demand& demand);

std::string violation(const CircuitFabric& fabric, const Circuits& circuits);

// A link for each of the pairs, as wide as its circuits are together; of none: it is down. And
// those of the packet switch. All are by (from, to).
Network circuit_network(const CircuitFabric& fabric, const std::vector<PairCircuits>& pairs);

// Circuits lit once for a demand, and the network they make.
struct CircuitSetup {
  Provisioned provisioned;
  Network network;
  std::string infeasible;  // why some of the demand cannot be carried; "" if all can
};

// No circuits carry the demand in less: what a device sends or gets over all its circuits, and on a
// ring what all segments carry, every byte over at least its shorter arc.
Duration lower_bound_on(const CircuitFabric& fabric, const Demand& demand);

// Peers that every device can have circuits to, or reach over the packet switch.
int max_peers(const CircuitFabric& fabric);

// A pair that no circuit can ever serve: beyond the reach of light, or without a switch in common.
// "" otherwise.
std::string never_served(const CircuitFabric& fabric, const Demand& demand);

// A pair that no circuits can serve beside the others, if that can be told at once: it is never
// served, or one peer too many. "" otherwise.
std::string forwarding_needed(const CircuitFabric& fabric, const Demand& demand);

CircuitSetup provision_network(const CircuitFabric& fabric, const Demand& demand);

}  // namespace loom
