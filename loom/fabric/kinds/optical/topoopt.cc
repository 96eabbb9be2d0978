#include "loom/fabric/kinds/optical/topoopt.h"

#include <fmt/format.h>

#include <charconv>

#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom::fabric {
namespace topoopt {
namespace {

constexpr std::array<std::string_view, 2> kPlaneNames = {"panel", "ocs"};
constexpr std::array<std::string_view, 2> kWiringNames = {"directed", "duplex"};
constexpr std::array<std::string_view, 2> kStepNames = {"geometric", "optimal"};

// A patch-panel robot reconfigures in minutes, a switch of micro-mirrors in about 10 ms (TopoOpt,
// Table 1).
constexpr Duration kPanelTime = std::chrono::minutes(2);
constexpr Duration kOcsTime = std::chrono::milliseconds(10);

// Degree 4 is that of the authors' testbed: 4 ports of 25 Gbps, 100 Gbps in total (section 6).
constexpr std::array kParameters = {
    kEgressBandwidth,
    Parameter{.name = "degree",
              .type = ValueType::integer,
              .summary = "ports per device; each is on its own plane and has one outgoing and one "
                         "incoming circuit",
              .fallback = "4",
              .min = 1,
              .max = 1024},
    Parameter{
        .name = "planes",
        .type = ValueType::choice,
        .summary = "plane type: patch panels, set in minutes, or circuit switches, set in 10 ms",
        .fallback = "panel",
        .choices = kPlaneNames},
    Parameter{
        .name = "wiring",
        .type = ValueType::choice,
        .summary = "circuit type: independent one-way circuits, or always one in each direction",
        .fallback = "directed",
        .choices = kWiringNames},
    Parameter{
        .name = "duplex_planes",
        .type = ValueType::boolean,
        .summary = "patching of both fibers of a port to the same device; only with wiring: duplex",
        .fallback = "false"},
    Parameter{.name = "steps",
              .type = ValueType::choice,
              .summary = "ring steps: near 1, x, x², … as published, or the best found by search",
              .fallback = "optimal",
              .choices = kStepNames},
    Parameter{.name = "split",
              .type = ValueType::text,
              .summary = "number of ports for rings: auto (with all provisioners, the best by "
                         "simulation), rule (as published), sweep (the least busy links), or an "
                         "integer",
              .fallback = "auto"},
    kCircuitLatency,
    kForwarding,
    Parameter{
        .name = "forwarding_rate",
        .type = ValueType::bandwidth,
        .summary = "maximum total rate of traffic that one device forwards; unlimited if not given",
        .min = 1}};

void read_split(const Settings& settings, TopologyRules& rules) {
  const std::string text = settings.text("split");
  if (text == "rule") return;
  rules.sweep = text == "sweep" || text == "auto";
  if (rules.sweep) return;
  int ports = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ports);
  if (error != std::errc() || end != text.data() + text.size() || ports < 0 ||
      ports > rules.options.degree) {
    settings.refuse("split", fmt::format("auto, rule, sweep, or an integer from 0 to {} is needed",
                                         rules.options.degree));
  }
  rules.options.all_reduce_degree = ports;
}

TopologyRules read_rules(const Settings& settings) {
  TopologyRules rules = rules_for(static_cast<int>(settings.integer("degree")));
  rules.options.directed = settings.text("wiring") == "directed";
  rules.options.duplex_planes = settings.boolean("duplex_planes");
  rules.options.steps =
      settings.text("steps") == "geometric" ? StepChoice::geometric : StepChoice::optimal;
  if (rules.options.duplex_planes && rules.options.directed) {
    settings.refuse("duplex_planes", "its circuits come in pairs; wiring: duplex is needed");
  }
  if (settings.given("forwarding_rate")) {
    rules.forwarding_rate = settings.bandwidth("forwarding_rate");
    if (!settings.boolean("forwarding")) {
      settings.refuse("forwarding_rate", "devices do not forward; forwarding: true is needed");
    }
  }
  read_split(settings, rules);
  return rules;
}

CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric;
  fabric.egress = settings.bandwidth("bandwidth");
  fabric.latency = settings.duration("latency");
  fabric.switch_time = settings.text("planes") == "panel" ? kPanelTime : kOcsTime;
  fabric.components.port = settings.text("planes") == "panel" ? kPatchPanelPort : kOcsPort;
  fabric.forwarding = settings.boolean("forwarding");
  TopologyRules rules = read_rules(settings);
  const int degree = rules.options.degree;
  const bool many = context.devices > kMaxFinderDevices;
  // Other provisioners know neither circuits in pairs nor a forwarding rate.
  const bool automatic = settings.text("split") == "auto";
  const bool all = automatic && !many && fabric.forwarding && rules.options.directed &&
                   rules.forwarding_rate.bits_per_second == 0;
  if (all || (automatic && many)) rules.sweep = false;
  fabric.best_of_all = all;
  (all ? fabric.finder : fabric.topology) = rules;
  fabric.circuit = {fabric.egress.bits_per_second / degree};
  if (fabric.circuit.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("divided over {} ports, it is below 1 bps", degree));
  }
  OcsLimits limits;
  limits.devices = limits.ports = context.devices;
  limits.switches = degree;
  fabric.limits = limits;
  return fabric;
}

}  // namespace
}  // namespace topoopt

const FabricKind kTopooptKind = {
    "topoopt", "optical planes set once per job, with forwarding by hosts (TopoOpt)",
    topoopt::kParameters, nullptr, topoopt::circuits};

}  // namespace loom::fabric
