// Count-action modules as a hardware netlist: what is wired to what.
//
// A signal has one wire per source, because two sources may raise it in one cycle and both count.
// Delays and indices are constants; other targets are inputs, which may change at run time. Modules
// that act in one cycle act in the order in which they are written, so whether a halt or reset
// precedes its subject is known when the hardware is generated.
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
  IndexRange indices;    // union over all sources and counts
  bool outside = false;  // also raised by operations, as its first source
  int sources = 0;
};

struct WiredRaise {
  std::string signal;
  int source = 0;
  IndexRange indices;
  std::int64_t delay = 1;
  ModuleNumbers halted_by;
  ModuleNumbers undone_by;  // modules whose halt follows it in the same cycle
};

struct WiredModule {
  const CountActionModule* from = nullptr;
  std::vector<IndexRange> counted;  // per count
  std::vector<WiredRaise> raises;   // in the order of the actions
  ModuleNumbers cleared_before;     // modules that reset it and act before it
  ModuleNumbers cleared_after;
  ModuleNumbers failed_before;
};

struct WiredDesign {
  std::map<std::string, WiredSignal, std::less<>> signals;
  std::vector<WiredModule> modules;
  std::set<std::string, std::less<>> inputs;  // targets that are inputs
  Targets built_in;                           // all other targets
  std::map<std::string, ModuleNumbers, std::less<>>
      operations;  // with the modules that perform them
  ModuleNumbers failing;
  ModuleNumbers stopping;
};

// The design refers to the program. InputError if check_modules refuses, or if hardware cannot do
// what the machine can; `rewritten` are targets that change at run time.
WiredDesign wired(const CountActionProgram& program, const Targets& targets,
                  const Hardware& hardware, const std::set<std::string, std::less<>>& rewritten);

// word.due or stream DAC.data as an identifier.
std::string identifier(const std::string& name);

}  // namespace loom::photonic
