#include "loom/photonic/datapath/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loom::photonic {
namespace {

constexpr auto kWheel = static_cast<std::size_t>(kLongestDelay) + 1;  // cycles per revolution
constexpr std::int64_t kMaxPending = 1'000'000;

Hardware hardware_of(const CountActionMachine::Operations& operations,
                     const std::vector<std::string>& signals) {
  Hardware hardware;
  for (const auto& [name, operation] : operations) hardware.operations.insert(name);
  hardware.signals.insert(signals.begin(), signals.end());
  return hardware;
}

}  // namespace

CountActionMachine::CountActionMachine(CountActionProgram program, Targets targets,
                                       Operations operations,
                                       const std::vector<std::string>& signals)
    : program_(std::move(program)),
      targets_(std::move(targets)),
      operations_(std::move(operations)),
      wheel_(kWheel) {
  check_modules(program_, targets_, hardware_of(operations_, signals));
  for (const std::string& name : signals) signal(name);
  link();
}

int CountActionMachine::signal(std::string_view owner_and_field) {
  const auto found = signal_numbers_.find(owner_and_field);
  if (found != signal_numbers_.end()) return found->second;
  const auto number = static_cast<int>(signal_numbers_.size());
  signal_numbers_.emplace(owner_and_field, number);
  signal_names_.emplace_back(owner_and_field);
  listeners_.emplace_back();
  halted_.push_back(0);
  return number;
}

CountActionMachine::Counter CountActionMachine::linked(const Count& count) {
  const IndexRange indices = indices_of(count.signal, targets_, program_.source);
  Counter counter{count.kind, signal(plain_name(count.signal)), indices, {}, 0};
  counter.counted.assign(static_cast<std::size_t>(indices.high - indices.low) + 1, 0);
  return counter;
}

CountActionMachine::Step CountActionMachine::linked(const Action& action) {
  using Kind = Step::Kind;
  Step step{action.verb == "raise"   ? Kind::raise
            : action.verb == "halt"  ? Kind::halt
            : action.verb == "reset" ? Kind::reset
            : action.verb == "fail"  ? Kind::fail
            : action.verb == "stop"  ? Kind::stop
                                     : Kind::operate};
  step.action = &action;
  if (step.kind == Kind::raise || step.kind == Kind::halt) {
    step.signal = signal(plain_name(action.signal));
    step.indices = indices_of(action.signal, targets_, program_.source);
  }
  if (step.kind == Kind::raise) step.delay = delay_of(action, targets_, program_.source);
  if (step.kind == Kind::operate) {
    step.operation = &operations_.find(action.verb + " " + plain_name(action.signal))->second;
  }
  for (std::size_t m = 0; step.kind == Kind::reset && m < program_.modules.size(); ++m) {
    if (program_.modules[m].name == action.subject) step.module = m;
  }
  return step;
}

// Resolves everything that depends on names and targets. A counter keeps its counts if its indices
// are unchanged.
void CountActionMachine::link() {
  std::vector<Module> modules;
  for (const CountActionModule& from : program_.modules) {
    Module module;
    for (const Count& count : from.counts) module.counters.push_back(linked(count));
    for (const Target& target : from.targets) {
      module.targets.push_back(value_of(target.value, targets_));
    }
    for (const Action& action : from.actions) module.steps.push_back(linked(action));
    modules.push_back(std::move(module));
  }
  for (auto& listeners : listeners_) listeners.clear();
  for (std::size_t m = 0; m < modules.size(); ++m) {
    for (std::size_t c = 0; c < modules[m].counters.size(); ++c) {
      Counter& counter = modules[m].counters[c];
      listeners_[static_cast<std::size_t>(counter.signal)].emplace_back(m, c);
      if (modules_.empty()) continue;
      const Counter& before = modules_[m].counters[c];
      if (before.indices != counter.indices) continue;
      counter.counted = before.counted;
      counter.result = before.result;
    }
    if (!modules_.empty()) modules[m].stirred = modules_[m].stirred;
  }
  modules_ = std::move(modules);
  relink_ = false;
}

void CountActionMachine::raise(int signal, int index, std::int64_t delay) {
  LOOM_CHECK(delay >= 0 && delay < static_cast<std::int64_t>(kWheel),
             "a delay fits the timing wheel");
  const auto slot = static_cast<std::size_t>(cycle_ + delay) % kWheel;
  wheel_[slot].push_back({signal, index, raised_++});
  if (++pending_ > kMaxPending) fail("more than a million signals are pending");
}

void CountActionMachine::set_target(std::string_view name, std::int64_t value) {
  const auto found = targets_.find(name);
  LOOM_CHECK(found != targets_.end(), "only known targets are rewritten");
  relink_ = relink_ || found->second != value;
  found->second = value;
}

std::int64_t CountActionMachine::target(std::string_view name) const {
  return targets_.find(name)->second;
}

void CountActionMachine::fail(std::string why) {
  if (failure_.empty()) failure_ = std::move(why);
}

void CountActionMachine::count_event(Counter& counter, int index) {
  const IndexRange& indices = counter.indices;
  if (index < indices.low || index > indices.high) return;
  std::int64_t& counted = counter.counted[static_cast<std::size_t>(index - indices.low)];
  if (counter.kind == CountKind::sum) {
    counter.result += counted == 0 ? 1 : 0;
    counted = 1;
    return;
  }
  ++counted;
  counter.result =
      counter.kind == CountKind::count ? counter.result + 1 : std::max(counter.result, counted);
}

void CountActionMachine::deliver(const Event& event) {
  const auto number = static_cast<std::size_t>(event.signal);
  if (event.raised < halted_[number]) return;
  if (watcher_) happened_.seen.push_back({signal_names_[number], event.index});
  for (const auto& [m, c] : listeners_[number]) {
    count_event(modules_[m].counters[c], event.index);
    modules_[m].stirred = true;
  }
}

void CountActionMachine::clear(Module& module) {
  for (Counter& counter : module.counters) {
    std::fill(counter.counted.begin(), counter.counted.end(), 0);
    counter.result = 0;
  }
}

bool CountActionMachine::reached(const Module& module) const {
  for (std::size_t i = 0; i < module.counters.size(); ++i) {
    if (module.counters[i].result < module.targets[i]) return false;
  }
  return true;
}

void CountActionMachine::take(const Step& step) {
  switch (step.kind) {
    case Step::Kind::raise:
      for (int i = step.indices.low; i <= step.indices.high; ++i) {
        raise(step.signal, i, step.delay);
      }
      break;
    case Step::Kind::halt:
      halted_[static_cast<std::size_t>(step.signal)] = raised_;
      break;
    case Step::Kind::reset:
      clear(modules_[step.module]);
      break;
    case Step::Kind::fail:
      fail(step.action->subject);
      break;
    case Step::Kind::stop:
      stopped_ = true;
      break;
    case Step::Kind::operate:
      (*step.operation)();
      break;
  }
}

void CountActionMachine::act(std::size_t number) {
  if (watcher_) happened_.acted.push_back(number);
  clear(modules_[number]);
  for (const Step& step : modules_[number].steps) take(step);
}

bool CountActionMachine::act_all() {
  for (std::size_t m = 0; m < modules_.size(); ++m) {
    if (!std::exchange(modules_[m].stirred, false) || !reached(modules_[m])) continue;
    act(m);
    if (!failure_.empty()) return false;
  }
  return true;
}

void CountActionMachine::tell() {
  if (!watcher_) return;
  watcher_(happened_);
  happened_ = {};
}

std::string CountActionMachine::waiting() const {
  std::string text;
  for (std::size_t m = 0; m < modules_.size(); ++m) {
    for (std::size_t c = 0; c < modules_[m].counters.size(); ++c) {
      const Counter& counter = modules_[m].counters[c];
      if (counter.result == 0) continue;
      text += fmt::format("{}{} has counted {} of {} ({})", text.empty() ? "" : ", ",
                          program_.modules[m].name, counter.result, modules_[m].targets[c],
                          to_text(program_.modules[m].counts[c].signal));
    }
  }
  return text.empty() ? "no module has counted anything" : text;
}

MachineOutcome CountActionMachine::run(std::int64_t max_cycles) {
  for (; cycle_ < max_cycles; ++cycle_) {
    if (relink_) link();
    std::vector<Event> now;
    now.swap(wheel_[static_cast<std::size_t>(cycle_) % kWheel]);
    pending_ -= static_cast<std::int64_t>(now.size());
    for (const Event& event : now) deliver(event);
    const bool failed = !act_all();
    tell();
    if (failed) return {MachineEnd::failed, failure_, cycle_};
    if (stopped_) return {MachineEnd::stopped, "", cycle_};
    if (pending_ == 0) return {MachineEnd::deadlock, "no signal is pending: " + waiting(), cycle_};
  }
  return {MachineEnd::limit, fmt::format("not done after {} cycles", max_cycles), cycle_};
}

void CountActionMachine::reset() {
  for (Module& module : modules_) {
    clear(module);
    module.stirred = false;
  }
  for (auto& slot : wheel_) slot.clear();
  cycle_ = pending_ = 0;
  stopped_ = false;
  failure_.clear();
}

}  // namespace loom::photonic
