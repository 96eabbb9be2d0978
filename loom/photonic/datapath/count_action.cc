#include "loom/photonic/datapath/count_action.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace loom::photonic {
namespace {

constexpr std::int64_t kMaxIndices = 4096;

bool is_number(const std::string& term) {
  return std::isdigit(static_cast<unsigned char>(term.front())) != 0;
}

std::string with_range(const SignalName& signal) {
  if (signal.from.terms.empty()) return to_text(signal);
  return fmt::format("{} ({} = {} to {})", to_text(signal), signal.index, to_text(signal.from),
                     to_text(signal.to));
}

std::string_view name_of(CountKind kind) {
  return kind == CountKind::sum ? "sum" : kind == CountKind::count ? "count" : "max";
}

std::string line_of(const Count& count) {
  return fmt::format("{} {}", name_of(count.kind), with_range(count.signal));
}

std::string line_of(const Target& target) { return to_text(target.value); }

std::string line_of(const Action& action) {
  if (action.verb == "stop") return action.verb;
  if (action.verb == "reset") return "reset " + action.subject;
  if (action.verb == "fail") return fmt::format("fail \"{}\"", action.subject);
  std::string whole = fmt::format("{} {}", action.verb, with_range(action.signal));
  if (action.verb != "raise") return whole;
  const bool one = action.after.terms == std::vector<std::string>{"1"};
  return fmt::format("{} after {} {}", whole, to_text(action.after), one ? "cycle" : "cycles");
}

void append_notes(std::string& text, const std::vector<std::string>& notes, int indent) {
  for (const std::string& note : notes) {
    text += fmt::format("{:{}}//{}{}\n", "", indent, note.empty() ? "" : " ", note);
  }
}

template <typename Entry>
void append_block(std::string& text, std::string_view name, const std::vector<Entry>& entries) {
  text += fmt::format("    {}: {{\n", name);
  for (const Entry& entry : entries) {
    append_notes(text, entry.notes, 8);
    text += fmt::format("        {}\n", line_of(entry));
  }
  text += "    }\n";
}

// Checks a program against its targets and the hardware.
class Checker {
 public:
  Checker(const CountActionProgram& program, const Targets& targets, const Hardware& hardware)
      : program_(program), targets_(targets), hardware_(hardware), raised_(hardware.signals) {
    for (const CountActionModule& module : program.modules) {
      for (const Action& action : module.actions) {
        if (action.verb == "raise") raised_.insert(plain_name(action.signal));
      }
    }
  }

  void check() {
    for (const CountActionModule& module : program_.modules) {
      if (!names_.insert(module.name).second) {
        refuse(module.line,
               fmt::format("module '{}' is defined twice; a unique name is needed", module.name));
      }
    }
    for (const CountActionModule& module : program_.modules) check(module);
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& message) const {
    throw InputError(location_of(program_.source, line), message);
  }

  void check(const Quantity& quantity, int line) const {
    for (const std::string& term : quantity.terms) {
      if (is_number(term) || targets_.contains(term)) continue;
      std::vector<std::string_view> known;
      for (const auto& [name, value] : targets_) known.push_back(name);
      refuse(line,
             fmt::format("there is no target '{}'; known are {}", term, fmt::join(known, ", ")));
    }
  }

  void check_range(const SignalName& signal, int line) const {
    check(signal.from, line);
    check(signal.to, line);
  }

  void check(const CountActionModule& module) const {
    if (module.counts.size() != module.targets.size()) {
      refuse(module.line,
             fmt::format("module '{}' has {} counts and {} targets; one target per count is needed",
                         module.name, module.counts.size(), module.targets.size()));
    }
    for (const Count& count : module.counts) check(count);
    for (const Target& target : module.targets) check_target(target);
    for (const Action& action : module.actions) check(action);
  }

  void check(const Count& count) const {
    check_range(count.signal, count.line);
    if (!raised_.contains(plain_name(count.signal))) {
      refuse(count.line,
             fmt::format("nothing raises '{}'; an action or a hardware signal is needed",
                         plain_name(count.signal)));
    }
  }

  void check_target(const Target& target) const {
    check(target.value, target.line);
    const bool numbers = std::all_of(target.value.terms.begin(), target.value.terms.end(),
                                     [](const std::string& term) { return is_number(term); });
    if (numbers && value_of(target.value, targets_) < 1) {
      refuse(target.line, "the target is 0; at least 1 is needed");
    }
  }

  void check(const Action& action) const {
    check_range(action.signal, action.line);
    if (action.verb == "stop" || action.verb == "fail") return;
    if (action.verb == "reset") {
      if (!names_.contains(action.subject)) {
        refuse(action.line,
               fmt::format("there is no module '{}' to reset; an existing module is needed",
                           action.subject));
      }
      return;
    }
    if (action.verb == "raise") return check_delay(action);
    if (action.verb == "halt") return;
    const std::string operation = action.verb + " " + plain_name(action.signal);
    if (hardware_.operations.contains(operation)) return;
    refuse(action.line, fmt::format("there is no action '{}'; the hardware supports {}", operation,
                                    fmt::join(hardware_.operations, ", ")));
  }

  void check_delay(const Action& action) const {
    check(action.after, action.line);
    if (value_of(action.after, targets_) >= 1) return;
    refuse(action.line, fmt::format("'{}' is raised after 0 cycles; at least 1 is needed",
                                    plain_name(action.signal)));
  }

  const CountActionProgram& program_;
  const Targets& targets_;
  const Hardware& hardware_;
  std::set<std::string, std::less<>> raised_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

std::string to_text(const Quantity& quantity) {
  return fmt::format("{}", fmt::join(quantity.terms, " + "));
}

std::string to_text(const SignalName& signal) {
  if (signal.index.empty()) return signal.owner + "." + signal.field;
  return fmt::format("{}[{}].{}", signal.owner, signal.index, signal.field);
}

std::string plain_name(const SignalName& signal) { return signal.owner + "." + signal.field; }

std::string to_text(const CountActionProgram& program) {
  std::string text;
  for (const CountActionModule& module : program.modules) {
    if (!text.empty()) text += "\n";
    append_notes(text, module.notes, 0);
    text += fmt::format("module {} {{\n", module.name);
    append_block(text, "counts", module.counts);
    append_block(text, "targets", module.targets);
    append_block(text, "actions", module.actions);
    text += "};\n";
  }
  return text;
}

void check_modules(const CountActionProgram& program, const Targets& targets,
                   const Hardware& hardware) {
  Checker(program, targets, hardware).check();
}

std::int64_t value_of(const Quantity& quantity, const Targets& targets) {
  std::int64_t sum = 0;
  for (const std::string& term : quantity.terms) {
    sum += is_number(term) ? std::stoll(term) : targets.find(term)->second;
  }
  return sum;
}

IndexRange indices_of(const SignalName& signal, const Targets& targets, const std::string& source) {
  const bool letter = !signal.from.terms.empty();
  const std::int64_t from = letter                 ? value_of(signal.from, targets)
                            : signal.index.empty() ? 0
                                                   : value_of({{signal.index}}, targets);
  const std::int64_t to = letter ? value_of(signal.to, targets) : from;
  if (from < 0 || to < from || to >= kMaxIndices) {
    throw InputError(location_of(source),
                     fmt::format("{} goes from {} to {}; ascending indices below {} are needed",
                                 to_text(signal), from, to, kMaxIndices));
  }
  return {static_cast<int>(from), static_cast<int>(to)};
}

std::int64_t delay_of(const Action& action, const Targets& targets, const std::string& source) {
  const std::int64_t delay = value_of(action.after, targets);
  if (delay >= 1 && delay <= kLongestDelay) return delay;
  throw InputError(location_of(source, action.line),
                   fmt::format("'{}' is raised after {} cycles; 1 to {} are possible",
                               to_text(action.signal), delay, kLongestDelay));
}

}  // namespace loom::photonic
