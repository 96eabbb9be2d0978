// Functions that generate pieces of the SystemVerilog of a design.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loom/photonic/verilog/verilog_design.h"

namespace loom::photonic {

struct Port {
  std::string type;  // such as "input logic [31:0]"
  std::string name;
};

// The port list of a module's declaration.
std::string declared(const std::vector<Port>& ports);
std::string same_name(const std::string& name);  // port on a wire of its name: .clock(clock)

// The SystemVerilog module of one count-action module, named module_NAME. Counting and acting take
// one cycle, and raised signals are registered.
std::string module_verilog(const WiredDesign& design, const WiredModule& module);

// The targets, and the counted signals, that are input ports of a module.
std::set<std::string, std::less<>> targets_of(const WiredDesign& design, const WiredModule& module);
std::set<std::string, std::less<>> signals_of(const WiredModule& module);

// The port of a signal, such as logic [1:0][2:1] seen_DAC_valid: one bit per source and index.
Port seen_port(const std::string& direction, const std::string& name, const WiredSignal& signal);

// Ports of the module that connects all others.
std::vector<Port> control_ports(const WiredDesign& design);

// All modules, and a module `name` that connects them.
std::string control_verilog(const WiredDesign& design, const std::string& name);

// The SystemVerilog module lightning_datapath.
std::string_view datapath_verilog();

}  // namespace loom::photonic
