// A circuit-switched fabric: its limits, the bandwidth of a circuit, the switching time, and the
// rule by which circuits follow the demand.
//
// The network exists only once circuits are provisioned: provision() chooses circuits for a demand,
// circuit_network() turns them into links. A pair without a circuit of its own is reached over a
// packet switch, if there is one, or over other devices, if they forward.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/circuits/loss_budget.h"
#include "loom/fabric/circuits/provision/max_min.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// When circuits change: never after the initial setup, periodically for the traffic waiting at that
// time, or between the phases of a training iteration where the gain exceeds the switching time.
enum class Reconfigure : std::uint8_t { one_shot, periodic, phases };
inline constexpr std::array<std::string_view, 3> kReconfigureNames = {"one_shot", "periodic",
                                                                      "phases"};

// Behavior of a pair that currently has no circuit, where circuits change periodically.
enum class Unserved : std::uint8_t { wait, forward };
inline constexpr std::array<std::string_view, 2> kUnservedNames = {"wait", "forward"};

// Hardware the circuits are built from; only the cost depends on it.
struct CircuitComponents {
  bool sip = false;                  // devices send from a silicon-photonic chip, not through NICs
  std::string_view port = kOcsPort;  // port at the far end of a device's fiber
};

// An ideal electrical switch next to the circuits, for pairs that currently have no circuit.
struct PacketSwitch {
  Bandwidth bandwidth;  // per device and direction
  Duration latency{0};  // from device to device
  Bytes threshold;      // min bytes of a pair that gets circuits
};

// How the topology for a job is found, where circuits are set up once per job (TopoOpt).
struct TopologyRules {
  TopologyOptions options;
  bool sweep = false;            // tries every split of the ports between rings and pairs
  Bandwidth forwarding_rate{0};  // max rate of transit traffic through one host; 0: unlimited
};

struct CircuitFabric {
  CircuitLimits limits;
  Bandwidth egress;         // per device, summed over its circuits (and its packet link)
  Bandwidth circuit;        // per circuit
  Duration latency{0};      // device to device, over one circuit
  Duration switch_time{0};  // time during which a changing circuit carries nothing
  bool forwarding = true;   // devices forward transit traffic
  const Provisioner* provisioner = &kMaxMin;
  Reconfigure reconfigure = Reconfigure::one_shot;
  Duration period{0};                          // reconfigure: periodic only
  Unserved unserved = Unserved::wait;          // reconfigure: periodic only
  std::optional<LossBudget> loss_budget = {};  // rings only: sets the optical reach
  CircuitComponents components = {};
  std::optional<PacketSwitch> packets = {};
  std::optional<TopologyRules> topology = {};  // replaces the provisioner

  int devices() const;
};

// Provisions circuits for the demand by the fabric's provisioner. The result has no violation().
Provisioned provision(const CircuitFabric& fabric, const workload::Demand& demand);

std::optional<Infeasible> violation(const CircuitFabric& fabric, const Circuits& circuits);

// One link per pair, whose bandwidth is that of all its circuits (no circuits: the link is down),
// and the links of the packet switch. Links are sorted by (from, to).
Network circuit_network(const CircuitFabric& fabric, const std::vector<PairCircuits>& pairs);

// Circuits provisioned once for a demand, and the network they form.
struct CircuitSetup {
  Provisioned provisioned;
  Network network;
  std::optional<Infeasible> infeasible = {};  // why part of the demand cannot be carried
};

// Lower bound on the time any circuits need for the demand: the max over devices of the bytes sent
// or received at full egress bandwidth and, on a ring, the bytes times segments (every byte takes
// at least its shorter arc) over the capacity of all segments.
Duration lower_bound_on(const CircuitFabric& fabric, const workload::Demand& demand);

// Number of peers that every device can have circuits to, or reach over the packet switch.
int max_peers(const CircuitFabric& fabric);

// Names a pair that no circuit can ever serve: beyond the optical reach, or without a common
// switch.
std::optional<Infeasible> never_served(const CircuitFabric& fabric, const workload::Demand& demand);

// Names a pair that cannot be served together with the others, as far as a quick test can tell: it
// is never served, or one peer too many.
std::optional<Infeasible> forwarding_needed(const CircuitFabric& fabric,
                                            const workload::Demand& demand);

CircuitSetup provision_network(const CircuitFabric& fabric, const workload::Demand& demand);

}  // namespace loom::fabric
