// What the SystemVerilog of a design is put together from.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loom/photonic/verilog/verilog_design.h"

namespace loom {

struct Port {
  std::string type;  // input logic [31:0]
  std::string name;
};

// Between the brackets of a module, and where it is used with a wire of the same name.
std::string declared(const std::vector<Port>& ports);
std::string same_name(const std::string& name);  // .clock(clock)

// module_NAME. Counting and acting are of one cycle, and what it raises is a register.
std::string module_verilog(const WiredDesign& design, const WiredModule& module);

// What its ports need: targets that are inputs, and signals that it counts.
std::set<std::string, std::less<>> targets_of(const WiredDesign& design, const WiredModule& module);
std::set<std::string, std::less<>> signals_of(const WiredModule& module);

// logic [1:0][2:1] seen_DAC_valid: for each source its indices.
Port seen_port(const std::string& direction, const std::string& name, const WiredSignal& signal);

// Of the module that joins all.
std::vector<Port> control_ports(const WiredDesign& design);

// All modules, and a module `name` that joins them.
std::string control_verilog(const WiredDesign& design, const std::string& name);

// lightning_datapath.
std::string_view datapath_verilog();

}  // namespace loom
