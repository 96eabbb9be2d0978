// A circuit-switched fabric: the limits on its circuits, the bandwidth of a circuit, the switch
// time, and the rule that chooses circuits for a demand.
//
// The network exists only once circuits are provisioned: provision() (provision/provision.h)
// chooses circuits for a demand, circuit_network() turns them into links. The traffic of a pair
// without a circuit of its own goes over a packet switch, if there is one, or over other devices,
// if they forward.
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

// Times at which circuits change: never after the initial setup; periodically, for the bytes not
// yet sent; or between phases of a training iteration, if the gain exceeds the switch time.
enum class Reconfigure : std::uint8_t { one_shot, periodic, phases };
inline constexpr std::array<std::string_view, 3> kReconfigureNames = {"one_shot", "periodic",
                                                                      "phases"};

// Behavior of a pair that currently has no circuit, where circuits change periodically.
enum class Unserved : std::uint8_t { wait, forward };
inline constexpr std::array<std::string_view, 2> kUnservedNames = {"wait", "forward"};

// Hardware of the circuits, which affects only the cost.
struct CircuitComponents {
  bool sip = false;                  // devices send from a silicon-photonic chip, not through NICs
  std::string_view port = kOcsPort;  // port at the far end of a device's fiber
};

// An ideal electrical switch next to the circuits, for pairs that currently have no circuit.
struct PacketSwitch {
  Bandwidth bandwidth;  // per device and direction
  Duration latency{0};  // from device to device
  Bytes threshold;      // min demand for which a pair gets circuits
};

// Rules for finding the topology of a job, if circuits are set up once per job (TopoOpt).
struct TopologyRules {
  TopologyOptions options;
  bool sweep = false;            // tries every split of the ports between rings and pairs
  Bandwidth forwarding_rate{0};  // max rate of transit traffic through one host; 0: unlimited
};

// Max number of devices with which several topologies are tried; beyond, one takes seconds.
inline constexpr int kMaxFinderDevices = 1024;

// Rules for devices with this many ports.
TopologyRules rules_for(int degree);

struct CircuitFabric;

// Whether topologies are tried on the fabric with these limits: `provisioner: auto`, circuits that
// are set once or change between phases, and every device on every switch.
bool may_find_topologies(const CircuitFabric& fabric, const OcsLimits& limits);

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
  bool best_of_all = false;                    // several sets of circuits are tried
  std::optional<TopologyRules> finder = {};    // best_of_all only: topologies are tried too

  int devices() const;
  bool finds_rings() const { return topology || finder; }  // that collectives are to use
  const TopologyRules& rules() const { return topology ? *topology : *finder; }
};

std::optional<Infeasible> violation(const CircuitFabric& fabric, const Circuits& circuits);

// The network that the circuits form: one link per pair, with the total bandwidth of its circuits
// (without circuits the link is down), and the links of the packet switch. Links are sorted by
// (from, to).
Network circuit_network(const CircuitFabric& fabric, const std::vector<PairCircuits>& pairs);

// Lower bound on the time that any circuits need for the demand: the time that the busiest device
// needs to send or receive its bytes at full egress bandwidth. On a ring there is a second bound:
// every byte crosses at least the segments of the shorter arc (clockwise on a unidirectional ring),
// so the bytes of all segments together take the time that their total capacity allows. The larger
// of the two bounds is returned.
Duration lower_bound_on(const CircuitFabric& fabric, const workload::Demand& demand);

// Number of peers to which every device can have circuits, or which it reaches over the packet
// switch.
int max_peers(const CircuitFabric& fabric);

// Returns a pair that no circuit can ever serve: beyond the optical reach, or without a common
// switch.
std::optional<Infeasible> never_served(const CircuitFabric& fabric, const workload::Demand& demand);

// Returns a pair that cannot have a circuit together with all other pairs of the demand, because it
// is never served or exceeds the circuits of a device. A quick test, which does not find every such
// pair.
std::optional<Infeasible> forwarding_needed(const CircuitFabric& fabric,
                                            const workload::Demand& demand);

}  // namespace loom::fabric
