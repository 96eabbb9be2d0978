// Count-action modules as hardware that could be built: what is wired to what.
//
// A signal is a wire for each who raises it, since two may do so in one cycle and both count.
// Delays and indices are built in; other targets are inputs, which may change while the hardware
// runs. Modules that act in one cycle do so in the order in which they are written: a halt or a
// reset therefore comes before or after what it is about, and that is known when the hardware is
// made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "loom/photonic/datapath/count_action.h"

namespace loom {

using ModuleNumbers = std::vector<std::size_t>;

struct WiredSignal {
  IndexRange indices;    // of all who raise or count it
  bool outside = false;  // operations raise it, too: its first source
  int sources = 0;
};

struct WiredRaise {
  std::string signal;
  int source = 0;
  IndexRange indices;
  std::int64_t delay = 1;
  ModuleNumbers halted_by;
  ModuleNumbers undone_by;  // those whose halt comes after it in the same cycle
};

struct WiredModule {
  const CountActionModule* from = nullptr;
  std::vector<IndexRange> counted;  // for each count
  std::vector<WiredRaise> raises;   // in the order of the actions
  ModuleNumbers cleared_before;     // by modules that act before it
  ModuleNumbers cleared_after;
  ModuleNumbers failed_before;
};

struct WiredDesign {
  std::map<std::string, WiredSignal, std::less<>> signals;
  std::vector<WiredModule> modules;
  std::set<std::string, std::less<>> inputs;                     // targets
  Targets built_in;                                              // all others
  std::map<std::string, ModuleNumbers, std::less<>> operations;  // and who does them
  ModuleNumbers failing;
  ModuleNumbers stopping;
};

// The design points into the program. InputError where check_modules refuses, and where hardware
// cannot do what the machine can; `rewritten` are targets that change while it runs.
WiredDesign wired(const CountActionProgram& program, const Targets& targets,
                  const Hardware& hardware, const std::set<std::string, std::less<>>& rewritten);

// word.due or stream DAC.data as an identifier.
std::string identifier(const std::string& name);

}  // namespace loom
