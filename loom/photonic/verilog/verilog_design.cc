#include "loom/photonic/verilog/verilog_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

namespace loom::photonic {
namespace {

constexpr std::int64_t kMaxCounted = std::numeric_limits<std::uint32_t>::max();

using Names = std::set<std::string, std::less<>>;

bool has(const CountActionModule& module, std::string_view verb) {
  return std::any_of(module.actions.begin(), module.actions.end(),
                     [&](const Action& action) { return action.verb == verb; });
}

bool is_operation(const Action& action) {
  static constexpr std::string_view kOwn[] = {"raise", "halt", "reset", "fail", "stop"};
  return std::find(std::begin(kOwn), std::end(kOwn), action.verb) == std::end(kOwn);
}

void widen(IndexRange& range, const IndexRange& more, bool first) {
  range.low = first ? more.low : std::min(range.low, more.low);
  range.high = first ? more.high : std::max(range.high, more.high);
}

class Wiring {
 public:
  Wiring(const CountActionProgram& program, const Targets& targets, const Hardware& hardware,
         const Names& rewritten)
      : program_(program), targets_(targets), hardware_(hardware), rewritten_(rewritten) {}

  WiredDesign design() {
    divide_targets();
    for (const std::string& name : hardware_.signals) {
      design_.signals[name] = {{}, true, 1};
    }
    for (const CountActionModule& module : program_.modules) add(module);
    for (std::size_t m = 0; m < program_.modules.size(); ++m) add_order(m);
    check_identifiers();
    return std::move(design_);
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& message) const {
    throw InputError(location_of(program_.source, line), message);
  }

  void build_in(const Quantity& quantity, int line, std::string_view what) {
    for (const std::string& term : quantity.terms) {
      if (rewritten_.contains(term)) {
        refuse(line, fmt::format("'{}' changes at run time; {} must be constant in hardware", term,
                                 what));
      }
      if (targets_.contains(term)) design_.built_in[term] = targets_.find(term)->second;
    }
  }

  void build_in(const SignalName& signal, int line) {
    build_in(signal.from, line, "an index");
    build_in(signal.to, line, "an index");
  }

  void divide_targets() {
    for (const CountActionModule& module : program_.modules) {
      for (const Count& count : module.counts) build_in(count.signal, count.line);
      for (const Action& action : module.actions) {
        build_in(action.signal, action.line);
        build_in(action.after, action.line, "a delay");
      }
    }
    for (const CountActionModule& module : program_.modules) {
      for (const Target& target : module.targets) divide(target);
    }
  }

  void divide(const Target& target) {
    Quantity known;
    for (const std::string& term : target.value.terms) {
      const bool input = targets_.contains(term) && !design_.built_in.contains(term);
      if (input) {
        design_.inputs.insert(term);
      } else {
        known.terms.push_back(term);
      }
    }
    const std::int64_t min_target = value_of(known, targets_);
    if (min_target >= 0 && min_target <= kMaxCounted) return;
    refuse(target.line,
           fmt::format("the target is {}; hardware counts from 0 to {}", min_target, kMaxCounted));
  }

  IndexRange use(const SignalName& name) {
    const IndexRange indices = indices_of(name, targets_, program_.source);
    const std::string signal = plain_name(name);
    widen(design_.signals[signal].indices, indices, used_.insert(signal).second);
    return indices;
  }

  void add(const CountActionModule& module) {
    const std::size_t number = design_.modules.size();
    WiredModule wired;
    wired.from = &module;
    for (const Count& count : module.counts) wired.counted.push_back(use(count.signal));
    for (std::size_t a = 0; a < module.actions.size(); ++a) {
      const Action& action = module.actions[a];
      if (action.verb == "raise") wired.raises.push_back(raise(action, number, a));
      if (action.verb == "halt") check_halt(action);
      if (!is_operation(action)) continue;
      ModuleNumbers& who = design_.operations[action.verb + " " + plain_name(action.signal)];
      if (who.empty() || who.back() != number) who.push_back(number);
    }
    if (has(module, "fail")) design_.failing.push_back(number);
    if (has(module, "stop")) design_.stopping.push_back(number);
    design_.modules.push_back(std::move(wired));
  }

  WiredRaise raise(const Action& action, std::size_t module, std::size_t place) {
    WiredRaise raise;
    raise.signal = plain_name(action.signal);
    raise.indices = use(action.signal);
    raise.source = design_.signals[raise.signal].sources++;
    raise.delay = delay_of(action, targets_, program_.source);
    for (std::size_t m = 0; m < program_.modules.size(); ++m) {
      const std::vector<Action>& actions = program_.modules[m].actions;
      for (std::size_t a = 0; a < actions.size(); ++a) {
        if (actions[a].verb != "halt" || plain_name(actions[a].signal) != raise.signal) continue;
        raise.halted_by.push_back(m);
        if (std::pair(m, a) > std::pair(module, place)) raise.undone_by.push_back(m);
      }
    }
    return raise;
  }

  void check_halt(const Action& action) const {
    const std::string name = plain_name(action.signal);
    if (!hardware_.signals.contains(name)) return;
    refuse(
        action.line,
        fmt::format("'{}' is raised outside the modules; hardware can halt only signals of modules",
                    name));
  }

  void add_order(std::size_t m) {
    WiredModule& wired = design_.modules[m];
    for (std::size_t other = 0; other < program_.modules.size(); ++other) {
      for (const Action& action : program_.modules[other].actions) {
        if (action.verb != "reset" || action.subject != wired.from->name) continue;
        (other < m ? wired.cleared_before : wired.cleared_after).push_back(other);
      }
    }
    for (const std::size_t other : design_.failing) {
      if (other < m) wired.failed_before.push_back(other);
    }
  }

  void check_identifiers() const {
    std::map<std::string, std::string> taken;
    const auto take = [&](const std::string& kind, const std::string& name) {
      const auto [found, is_new] = taken.emplace(kind + identifier(name), name);
      if (is_new) return;
      throw InputError(
          location_of(program_.source),
          fmt::format("'{}' and '{}' are both {} in SystemVerilog; different names are needed",
                      found->second, name, identifier(name)));
    };
    for (const auto& [name, signal] : design_.signals) take("seen ", name);
    for (const auto& [name, modules] : design_.operations) take("do ", name);
  }

  const CountActionProgram& program_;
  const Targets& targets_;
  const Hardware& hardware_;
  const Names& rewritten_;
  Names used_;  // signals whose index range is set
  WiredDesign design_;
};

}  // namespace

WiredDesign wired(const CountActionProgram& program, const Targets& targets,
                  const Hardware& hardware, const std::set<std::string, std::less<>>& rewritten) {
  check_modules(program, targets, hardware);
  return Wiring(program, targets, hardware, rewritten).design();
}

std::string identifier(const std::string& name) {
  std::string result = name;
  std::replace_if(
      result.begin(), result.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return result;
}

}  // namespace loom::photonic
