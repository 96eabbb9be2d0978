// Count-action modules as a hardware netlist: signals, their sources, and the modules they connect.
//
// A signal has one wire per source, because several sources may raise it in one cycle and each
// raise counts. Delays and indices are constants; other targets are inputs, which may change at run
// time. Modules that act in one cycle act in the order in which they are written, so the generator
// knows whether a halt or reset precedes the action or module that it affects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "loom/photonic/datapath/count_action.h"

namespace loom::photonic {

using ModuleNumbers = std::vector<std::size_t>;

struct WiredSignal {
  IndexRange indices;    // smallest range that covers all sources and counts
  bool outside = false;  // operations raise it too, as source 0
  int sources = 0;
};

struct WiredRaise {
  std::string signal;
  int source = 0;
  IndexRange indices;
  std::int64_t delay = 1;
  ModuleNumbers halted_by;
  ModuleNumbers undone_by;  // modules whose halt follows this raise in the same cycle
};

struct WiredModule {
  const CountActionModule* from = nullptr;
  std::vector<IndexRange> counted;  // index range of each count
  std::vector<WiredRaise> raises;   // in the order of the actions
  ModuleNumbers cleared_before;     // modules that reset this module and act before it
  ModuleNumbers cleared_after;
  ModuleNumbers failed_before;
};

struct WiredDesign {
  std::map<std::string, WiredSignal, std::less<>> signals;
  std::vector<WiredModule> modules;
  std::set<std::string, std::less<>> inputs;  // targets that are input ports
  Targets built_in;                           // targets that are constants
  // Operations by name, with the modules that perform them.
  std::map<std::string, ModuleNumbers, std::less<>> operations;
  ModuleNumbers failing;
  ModuleNumbers stopping;
};

// The netlist of a program. The program must outlive the netlist, which points into it. `rewritten`
// are the targets that change at run time. Throws InputError if check_modules() does, or if
// CountActionMachine supports a module but hardware cannot.
WiredDesign wired(const CountActionProgram& program, const Targets& targets,
                  const Hardware& hardware, const std::set<std::string, std::less<>>& rewritten);

// A name such as "word.due" or "stream DAC.data" as a SystemVerilog identifier.
std::string identifier(const std::string& name);

}  // namespace loom::photonic
