// Building blocks for generating a design's SystemVerilog.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loom/photonic/verilog/verilog_design.h"

namespace loom::photonic {

struct Port {
  std::string type;  // input logic [31:0]
  std::string name;
};

// The ports in a module's declaration, and a port connected to a wire of the same name.
std::string declared(const std::vector<Port>& ports);
std::string same_name(const std::string& name);  // .clock(clock)

// module_NAME. Counting and acting take one cycle, and raised signals are registered.
std::string module_verilog(const WiredDesign& design, const WiredModule& module);

// The input targets and counted signals that a module's ports need.
std::set<std::string, std::less<>> targets_of(const WiredDesign& design, const WiredModule& module);
std::set<std::string, std::less<>> signals_of(const WiredModule& module);

// logic [1:0][2:1] seen_DAC_valid: the indices of each source.
Port seen_port(const std::string& direction, const std::string& name, const WiredSignal& signal);

// Ports of the module that connects all others.
std::vector<Port> control_ports(const WiredDesign& design);

// All modules, and a module `name` that connects them.
std::string control_verilog(const WiredDesign& design, const std::string& name);

// lightning_datapath.
std::string_view datapath_verilog();

}  // namespace loom::photonic
