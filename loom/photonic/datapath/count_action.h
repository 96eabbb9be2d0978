// Reconfigurable count-action (Lightning, SIGCOMM 2023): a datapath as modules that count, compare
// and act without a controller.
//
// A module has counts, one target per count, and actions, which it takes whenever every count has
// reached its target; counting then restarts. The text form is that of the talk, one entry per
// line:
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
// Counts:   sum S     number of flags raised; a flag stays up until the module acts
//           count S   number of times raised since the module last acted
//           max S     maximum over indices that are counted separately
// Actions:  raise S after N cycles, halt S (drops what was raised but not seen yet),
//           reset MODULE (its counts), fail "why", stop; any other verb is an operation of the
//           hardware that runs the modules.
// A number may be a sum of names and numbers, such as memory + 2; names are targets, which can be
// rewritten while the modules run.
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

// Values by name; a network is loaded by rewriting them.
using Targets = std::map<std::string, std::int64_t, std::less<>>;

// A sum of names and numbers.
struct Quantity {
  std::vector<std::string> terms;

  bool operator==(const Quantity&) const = default;
};

// DAC[i].valid with i from one quantity to another, or ADC.valid.
struct SignalName {
  std::string owner;
  std::string index;  // "i", a number, or "" if there is only one
  std::string field;
  Quantity from;  // range of the index; empty if it is not a letter
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
  SignalName signal;    // for raise, halt and operations
  Quantity after;       // for raise
  std::string subject;  // for reset: a module; for fail: the reason
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

// Capabilities of the hardware: its operations ("stream DAC.data"), and the signals that these
// raise themselves ("window.match").
struct Hardware {
  std::set<std::string, std::less<>> operations;
  std::set<std::string, std::less<>> signals;
};

// InputError if a module cannot work: an unknown target, a signal that nothing raises, or an
// operation that the hardware lacks.
void check_modules(const CountActionProgram& program, const Targets& targets,
                   const Hardware& hardware);

// This and the following functions need names that check_modules has accepted.
std::int64_t value_of(const Quantity& quantity, const Targets& targets);

struct IndexRange {
  int low = 0;
  int high = 0;

  bool operator==(const IndexRange&) const = default;
};

// The indices that a name covers; InputError if they descend or are too many.
IndexRange indices_of(const SignalName& signal, const Targets& targets, const std::string& source);

// Maximum delay of a signal, in cycles.
inline constexpr std::int64_t kLongestDelay = 4095;

// The delay of a raise; InputError if it is zero or too long.
std::int64_t delay_of(const Action& action, const Targets& targets, const std::string& source);

}  // namespace loom::photonic
