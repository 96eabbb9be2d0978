// Reconfigurable count-action (Lightning, SIGCOMM 2023): a datapath described as modules that count
// events, compare the counts with targets and act, without a processor.
//
// A module has counts, one target per count, and actions. When every count has reached its target,
// the module takes its actions and counting restarts. The text form is that of the authors' SIGCOMM
// 2023 talk on Lightning, with one entry per line:
//
//   module synchronized_data_streamer {
//       counts: {
//           sum DAC[i].valid (i = 1 to num_DACs)
//       }
//       targets: {
//           num_DACs
//       }
//       actions: {
//           stream DAC[i].data (i = 1 to num_DACs)
//       }
//   };
//
// Counts:   sum S     number of indices of signal S raised since the module last acted
//           count S   number of times S was raised since the module last acted
//           max S     largest count of one index of S since the module last acted
// Actions:  raise S after N cycles, halt S (cancels raises of S that are still delayed),
//           reset MODULE (clears its counts), fail "why", stop; any other verb is an operation
//           of the hardware that runs the modules.
// A number may be a sum of names and numbers, such as memory + 2. A name refers to an entry of
// Targets, which can be rewritten while the modules run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"

namespace loom::photonic {

// Value of each named target. Loading a network rewrites some of them.
using Targets = std::map<std::string, std::int64_t, std::less<>>;

// A sum of names and numbers.
struct Quantity {
  std::vector<std::string> terms;

  bool operator==(const Quantity&) const = default;
};

// Name of a signal: ADC.valid, DAC[1].valid, or DAC[i].valid with a range of i.
struct SignalName {
  std::string owner;
  std::string index;  // a variable such as "i", a number, or "" for a signal without index
  std::string field;
  Quantity from;  // range of the index; empty unless the index is a variable
  Quantity to;

  bool operator==(const SignalName&) const = default;
};

enum class CountKind : std::uint8_t { sum, count, max };

struct Count {
  CountKind kind = CountKind::count;
  SignalName signal;
  std::vector<std::string> notes;  // comments above the entry
  int line = 0;

  bool operator==(const Count& other) const;  // ignores the line
};

struct Target {
  Quantity value;
  std::vector<std::string> notes;
  int line = 0;

  bool operator==(const Target& other) const;
};

struct Action {
  std::string verb;
  SignalName signal;    // signal of a raise, halt or operation
  Quantity after;       // delay of a raise in cycles
  std::string subject;  // module of a reset, or reason of a fail
  std::vector<std::string> notes;
  int line = 0;

  bool operator==(const Action& other) const;
};

struct CountActionModule {
  std::string name;
  std::vector<Count> counts;
  std::vector<Target> targets;
  std::vector<Action> actions;
  std::vector<std::string> notes;
  int line = 0;

  bool operator==(const CountActionModule& other) const;
};

struct CountActionProgram {
  std::string source;  // for error messages
  std::vector<CountActionModule> modules;

  bool operator==(const CountActionProgram& other) const;
};

CountActionProgram parse_modules(std::string_view text, const std::string& source);

// Text that parses back to the same modules.
std::string to_text(const CountActionProgram& program);

std::string to_text(const Quantity& quantity);
std::string to_text(const SignalName& signal);     // without the range of its index
std::string plain_name(const SignalName& signal);  // without its index: DAC.valid

// Capabilities of the hardware: operations that actions can name, such as "stream DAC.data", and
// signals that the hardware itself raises, such as "window.match".
struct Hardware {
  std::set<std::string, std::less<>> operations;
  std::set<std::string, std::less<>> signals;
};

// Throws InputError if a module cannot work: an unknown target, a signal that nothing raises, or an
// operation that the hardware lacks.
void check_modules(const CountActionProgram& program, const Targets& targets,
                   const Hardware& hardware);

// The value of a sum of names and numbers. This function and those below need names that
// check_modules has accepted.
std::int64_t value_of(const Quantity& quantity, const Targets& targets);

struct IndexRange {
  int low = 0;
  int high = 0;

  bool operator==(const IndexRange&) const = default;
};

// The indices that a signal name covers. Throws InputError if the range descends or is too large.
IndexRange indices_of(const SignalName& signal, const Targets& targets, const std::string& source);

// Maximum delay of a signal, in cycles.
inline constexpr std::int64_t kLongestDelay = 4095;

// The delay of a raise; InputError if it is zero or too long.
std::int64_t delay_of(const Action& action, const Targets& targets, const std::string& source);

}  // namespace loom::photonic
