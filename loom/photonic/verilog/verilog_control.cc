// Generates the module that connects all modules of a design, including resets, halts, stops and
// failures.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "loom/photonic/verilog/verilog_emit.h"

namespace loom::photonic {
namespace {

class Control {
 public:
  Control(const WiredDesign& design, std::string name) : design_(design), name_(std::move(name)) {}

  std::string text() const {
    std::string text = fmt::format(
        "// All modules. Modules that act in one cycle act in the order listed here.\n"
        "module {} ({});\n",
        name_, declared(control_ports(design_)));
    text += fmt::format(
        "  logic ended;\n  logic rest;\n"
        "  assign rest = reset || ended;\n"
        "  assign stop = {};\n  assign fail = {};\n"
        "  always_ff @(posedge clock) ended <= !reset && (ended || stop || fail);\n\n",
        any_acts(design_.stopping), any_acts(design_.failing));
    for (const auto& [operation, modules] : design_.operations) {
      text += fmt::format("  assign do_{} = {};\n", identifier(operation), any_acts(modules));
    }
    for (const auto& [name, signal] : design_.signals) {
      if (!signal.outside) continue;
      text += fmt::format("  assign seen_{0}[0] = raised_{0};\n", identifier(name));
    }
    for (const WiredModule& module : design_.modules) text += instance(module);
    return text + "endmodule\n";
  }

 private:
  std::string any_acts(const ModuleNumbers& modules) const {
    std::vector<std::string> acts;
    for (const std::size_t m : modules) acts.push_back("act_" + design_.modules[m].from->name);
    return acts.empty() ? "1'b0" : fmt::format("{}", fmt::join(acts, " || "));
  }

  // One wire of a raise, replicated over its indices; 0 for the signal's other indices.
  std::string spread(const WiredRaise& raise, const std::string& wire) const {
    const IndexRange& all = design_.signals.find(raise.signal)->second.indices;
    std::string bits =
        fmt::format("{{{}{{{}}}}}", raise.indices.high - raise.indices.low + 1, wire);
    if (all.high > raise.indices.high) {
      bits = fmt::format("{}'b0, {}", all.high - raise.indices.high, bits);
    }
    if (all.low < raise.indices.low) {
      bits += fmt::format(", {}'b0", raise.indices.low - all.low);
    }
    return fmt::format("{{{}}}", bits);
  }

  std::string instance(const WiredModule& module) const {
    const std::string& name = module.from->name;
    std::string text = "\n";
    std::vector<std::string> wires = {
        ".clock(clock)", ".reset(rest)",
        fmt::format(".run(!(rest || {}))", any_acts(module.failed_before)),
        fmt::format(".clear_before({})", any_acts(module.cleared_before)),
        fmt::format(".clear_after({})", any_acts(module.cleared_after))};
    for (const std::string& target : targets_of(design_, module)) {
      wires.push_back(same_name("target_" + target));
    }
    for (const std::string& signal : signals_of(module)) {
      wires.push_back(same_name("seen_" + identifier(signal)));
    }
    for (std::size_t r = 0; r < module.raises.size(); ++r) {
      const WiredRaise& raise = module.raises[r];
      const std::string wire = fmt::format("raise_{}_{}", name, r);
      text += fmt::format("  logic {};\n  assign seen_{}[{}] = {};\n", wire,
                          identifier(raise.signal), raise.source, spread(raise, wire));
      wires.push_back(fmt::format(".halt_{}({})", r, any_acts(raise.halted_by)));
      wires.push_back(fmt::format(".undo_{}({})", r, any_acts(raise.undone_by)));
      wires.push_back(fmt::format(".raise_{}({})", r, wire));
    }
    wires.push_back(fmt::format(".act(act_{})", name));
    return text + fmt::format("  module_{0} the_{0} (\n      {1}\n  );\n", name,
                              fmt::join(wires, ",\n      "));
  }

  const WiredDesign& design_;
  std::string name_;
};

}  // namespace

std::vector<Port> control_ports(const WiredDesign& design) {
  std::vector<Port> ports = {{"input logic", "clock"}, {"input logic", "reset"}};
  for (const std::string& target : design.inputs) {
    ports.push_back({"input logic [31:0]", "target_" + target});
  }
  for (const auto& [name, signal] : design.signals) {
    if (!signal.outside) continue;
    ports.push_back({fmt::format("input logic [{}:{}]", signal.indices.high, signal.indices.low),
                     "raised_" + identifier(name)});
  }
  for (const WiredModule& module : design.modules) {
    ports.push_back({"output logic", "act_" + module.from->name});
  }
  for (const auto& [operation, modules] : design.operations) {
    ports.push_back({"output logic", "do_" + identifier(operation)});
  }
  for (const auto& [name, signal] : design.signals) {
    ports.push_back(seen_port("output", name, signal));
  }
  ports.push_back({"output logic", "stop"});
  ports.push_back({"output logic", "fail"});
  return ports;
}

std::string control_verilog(const WiredDesign& design, const std::string& name) {
  std::string text;
  for (const WiredModule& module : design.modules) text += module_verilog(design, module) + "\n";
  return text + Control(design, name).text();
}

}  // namespace loom::photonic
