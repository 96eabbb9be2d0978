// Generates synthesizable SystemVerilog from the count-action modules that the engine runs.
//
// Every module becomes a hardware module: counters, comparisons with targets, and a shift register
// per raise. The hardware behaves like CountActionMachine in every cycle; tests/hardware checks
// this.
#pragma once

#include <set>
#include <string>

#include "loom/photonic/datapath/count_action.h"
#include "loom/photonic/datapath/datapath.h"

namespace loom::photonic {

// Generates the modules, and a module `name` that connects them. Its ports: clock; reset; targets,
// 32 bits each; raised_S for signals that operations raise, in the cycle in which they are seen;
// act_M, do_O and seen_S for modules, operations and signals; stop and fail, after which the
// hardware is idle until a reset. Throws InputError as wired() does (verilog_design.h).
std::string control_verilog(const CountActionProgram& program, const Targets& targets,
                            const Hardware& hardware,
                            const std::set<std::string, std::less<>>& rewritten,
                            const std::string& name);

// Generates Lightning's modules, or others for the same operations, with the arithmetic of one
// dense layer: lightning_control, lightning_datapath, and lightning_layer, which connects both.
// Operations in one cycle take effect in the order of Lightning's modules. Throws InputError also
// if the datapath has several wavelengths, fewer than 8 DAC bits, loss or an ADC range.
std::string lightning_verilog(const CountActionProgram& program, const PhotonicDatapath& datapath);

}  // namespace loom::photonic
