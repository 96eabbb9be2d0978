// Records when a control changes circuits during a run, and to which circuits.
//
// RecordedControl adds the record to a control; a run that is restarted begins a new record. A
// record ends early rather than fill the memory.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "loom/fabric/circuits/control/control.h"

namespace loom::run {

// From `start` the circuits of the previous set are replaced by those of `set`, which carry traffic
// from `end`.
struct CircuitSwitch {
  TimePoint start;
  TimePoint end;
  std::size_t set = 0;
};

struct CircuitHistory {
  std::vector<fabric::Circuits> sets;   // distinct; empty if the plan has the sets
  std::vector<CircuitSwitch> switches;  // in time order; the run begins with set 0
  bool complete = true;                 // false: later changes are missing
};

// A control that records each change into `history`. Needs current_set(), the number of its present
// circuits, or current(), its present circuits.
template <typename Inner>
class RecordedControl final : public Inner {
 public:
  template <typename... Arguments>
  explicit RecordedControl(CircuitHistory& history, Arguments&&... arguments)
      : Inner(std::forward<Arguments>(arguments)...), history_(history) {
    begin();
  }

  void restart() override {
    Inner::restart();
    begin();
  }

  std::optional<fabric::CircuitChange> decide(TimePoint now, bool idle,
                                              const fabric::Waiting& waiting) override {
    std::optional<fabric::CircuitChange> change = Inner::decide(now, idle, waiting);
    if (!change || !history_.complete) return change;
    const bool none = change->switching.empty() && change->switched.empty();
    const TimePoint end = none ? now : add(now, Inner::switch_time());
    if (kept_ > kMaxCircuits || history_.switches.size() == kMaxSwitches) {
      history_.complete = false;
    } else {
      history_.switches.push_back({now, end, present_set()});
    }
    return change;
  }

 private:
  static constexpr std::size_t kMaxCircuits = 2'000'000;  // in all sets together
  static constexpr std::size_t kMaxSwitches = 100'000;

  void begin() {
    history_ = {};
    number_.clear();
    kept_ = 0;
    present_set();
  }

  std::size_t present_set() {
    if constexpr (requires(const Inner& it) { it.current_set(); }) {
      return static_cast<std::size_t>(Inner::current_set());
    } else {
      const fabric::Circuits& circuits = Inner::current();
      const auto [at, added] = number_.try_emplace(circuits, history_.sets.size());
      if (added) {
        history_.sets.push_back(circuits);
        kept_ += circuits.size();
      }
      return at->second;
    }
  }

  CircuitHistory& history_;
  std::map<fabric::Circuits, std::size_t> number_;
  std::size_t kept_ = 0;  // circuits in all sets
};

}  // namespace loom::run
