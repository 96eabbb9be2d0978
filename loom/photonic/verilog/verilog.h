// Count-action modules as SystemVerilog for synthesis, from the description that the engine runs.
//
// Every module becomes one of hardware: counters, comparisons with targets, and a shift register
// for each raise. It does cycle for cycle what CountActionMachine does; tests/hardware holds both
// together.
#pragma once

#include <set>
#include <string>

#include "loom/photonic/datapath/count_action.h"
#include "loom/photonic/datapath/datapath.h"

namespace loom {

// The modules, and a module `name` that joins them. Its ports: clock; reset; targets, 32 bits each;
// raised_S for signals that operations raise, in the cycle in which they are seen; act_M, do_O and
// seen_S for modules, operations and signals; stop and fail, after which it rests until a reset.
// InputError as in wired() (verilog_design.h).
std::string control_verilog(const CountActionProgram& program, const Targets& targets,
                            const Hardware& hardware,
                            const std::set<std::string, std::less<>>& rewritten,
                            const std::string& name);

// Lightning's modules or others for the same operations, with the arithmetic of one dense layer:
// lightning_control, lightning_datapath and, with both, lightning_layer. Operations of one cycle
// happen in the order of Lightning's modules. InputError also where the datapath is not all
// digital.
std::string lightning_verilog(const CountActionProgram& program, const PhotonicDatapath& datapath);

}  // namespace loom
