// Executes count-action modules cycle by cycle.
//
// Modules see a signal at least one cycle after it is raised. The order of modules therefore
// matters only if several act in the same cycle; these act in the order in which they are written.
// If no signal is pending and no module has stopped the machine, the machine reports a deadlock,
// with the signals that the modules wait for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loom/photonic/datapath/count_action.h"

namespace loom::photonic {

enum class MachineEnd : std::uint8_t { stopped, failed, deadlock, limit };

struct MachineOutcome {
  MachineEnd end = MachineEnd::stopped;
  std::string why;  // reason of the end; "" if stopped
  std::int64_t cycles = 0;
};

// The events of one cycle, for the callback of watch().
struct MachineCycle {
  struct Seen {
    std::string_view signal;
    int index;
  };

  std::vector<Seen> seen;
  std::vector<std::size_t> acted;  // numbers of the modules that acted, in order
};

class CountActionMachine {
 public:
  using Operation = std::function<void()>;
  using Operations = std::map<std::string, Operation, std::less<>>;

  // Throws InputError if check_modules() does. `signals` are the signals that operations raise.
  CountActionMachine(CountActionProgram program, Targets targets, Operations operations,
                     const std::vector<std::string>& signals);
  CountActionMachine(const CountActionMachine&) = delete;
  CountActionMachine& operator=(const CountActionMachine&) = delete;

  // The number of a signal, as raise() needs it. Numbers never change.
  int signal(std::string_view owner_and_field);

  // Raises a signal, which modules see `delay` cycles from now. Needs delay ≥ 1, or ≥ 0 before the
  // first cycle.
  void raise(int signal, int index, std::int64_t delay);

  // Rewrites a target; modules use the new value from the next cycle on. Needs a known name.
  void set_target(std::string_view name, std::int64_t value);
  std::int64_t target(std::string_view name) const;

  void fail(std::string why);

  // Sets a callback for the end of every cycle.
  void watch(std::function<void(const MachineCycle&)> watcher) { watcher_ = std::move(watcher); }

  // Runs from cycle 0 until a module stops or fails, a deadlock, or `max_cycles`. Needs a new
  // machine or a reset() before the run; signals raised since then are kept.
  MachineOutcome run(std::int64_t max_cycles);

  // Returns to cycle 0: clears counts and signals, and keeps targets.
  void reset();

  // The current cycle or, between runs, the last one.
  std::int64_t cycle() const { return cycle_; }

 private:
  struct Event {
    int signal;
    int index;
    std::uint64_t raised;  // sequence number; a halt drops all events with lower numbers
  };

  struct Counter {
    CountKind kind;
    int signal;
    IndexRange indices;
    std::vector<std::int64_t> counted;  // count of each index
    std::int64_t result = 0;
  };

  struct Step {  // an action with resolved names
    enum class Kind : std::uint8_t { raise, halt, reset, fail, stop, operate } kind;
    int signal = 0;
    IndexRange indices;
    std::int64_t delay = 0;
    std::size_t module = 0;  // module of a reset
    const Action* action = nullptr;
    const Operation* operation = nullptr;
  };

  struct Module {
    std::vector<Counter> counters;
    std::vector<std::int64_t> targets;
    std::vector<Step> steps;
    bool stirred = false;  // a signal that the module counts was raised in this cycle
  };

  void link();
  Counter linked(const Count& count);
  Step linked(const Action& action);
  void deliver(const Event& event);
  static void count_event(Counter& counter, int index);
  static void clear(Module& module);
  bool reached(const Module& module) const;
  void act(std::size_t number);
  void take(const Step& step);
  bool act_all();  // returns false if an action failed
  void tell();
  std::string waiting() const;

  CountActionProgram program_;
  Targets targets_;
  Operations operations_;
  std::map<std::string, int, std::less<>> signal_numbers_;
  std::vector<Module> modules_;
  // Per signal: module and counter of each count of the signal.
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> listeners_;
  std::vector<std::uint64_t> halted_;      // per signal: first sequence number not dropped
  std::vector<std::vector<Event>> wheel_;  // timing wheel: pending events by cycle
  std::int64_t cycle_ = 0;
  std::int64_t pending_ = 0;
  std::uint64_t raised_ = 0;
  std::function<void(const MachineCycle&)> watcher_;
  std::vector<std::string> signal_names_;  // by number
  MachineCycle happened_;                  // recorded only for a watcher
  bool relink_ = false;
  bool stopped_ = false;
  std::string failure_;
};

}  // namespace loom::photonic
