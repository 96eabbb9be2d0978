// Parser for count-action modules: one entry per line, as in count_action.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

#include "loom/base/csv.h"
#include "loom/base/text.h"
#include "loom/photonic/datapath/count_action.h"

namespace loom::photonic {
namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 20;

bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

// One line, consumed from the left.
class Line {
 public:
  Line(std::string_view text, SourceLocation location)
      : whole_(text), rest_(text), location_(std::move(location)) {}

  [[noreturn]] void refuse(std::string_view needed) const {
    throw InputError(location_, fmt::format("'{}'; {} is needed", shortened(whole_), needed));
  }

  bool done() {
    rest_ = trimmed(rest_);
    return rest_.empty();
  }

  bool take(std::string_view text) {
    rest_ = trimmed(rest_);
    const bool partial_word = !text.empty() && word_character(text.back()) &&
                              rest_.size() > text.size() && word_character(rest_[text.size()]);
    if (!rest_.starts_with(text) || partial_word) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void need(std::string_view text, std::string_view needed) {
    if (!take(text)) refuse(needed);
  }

  std::string word(std::string_view needed) {
    rest_ = trimmed(rest_);
    std::size_t size = 0;
    while (size < rest_.size() && word_character(rest_[size])) ++size;
    if (size == 0) refuse(needed);
    std::string result(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return result;
  }

  std::string quoted() {
    rest_ = trimmed(rest_);
    if (rest_.size() < 2 || rest_.front() != '"' || rest_.back() != '"' ||
        rest_.substr(1, rest_.size() - 2).find('"') != std::string_view::npos) {
      refuse("a reason in double quotes, such as fail \"no preamble\",");
    }
    std::string result(rest_.substr(1, rest_.size() - 2));
    rest_ = {};
    return result;
  }

  void end() {
    if (!done()) refuse(fmt::format("the end of the line before '{}'", shortened(rest_)));
  }

 private:
  std::string_view whole_;
  std::string_view rest_;
  SourceLocation location_;
};

bool begins_with_digit(std::string_view term) {
  return std::isdigit(static_cast<unsigned char>(term.front())) != 0;
}

Quantity quantity(Line& line) {
  Quantity result;
  do {
    std::string term = line.word("a name, a number or a sum of those");
    const bool digits = std::all_of(term.begin(), term.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (begins_with_digit(term) && (!digits || term.size() > 12)) {
      line.refuse("a name, or a number of at most 12 digits");
    }
    result.terms.push_back(std::move(term));
  } while (line.take("+"));
  return result;
}

SignalName signal_name(Line& line) {
  SignalName signal;
  signal.owner = line.word("a signal, such as ADC.valid or DAC[i].valid (i = 1 to 2),");
  if (line.take("[")) {
    signal.index = line.word("an index");
    line.need("]", "']' after the index");
  }
  line.need(".", "a signal, such as ADC.valid,");
  signal.field = line.word("a signal, such as ADC.valid,");
  if (signal.index.empty() || begins_with_digit(signal.index)) return signal;
  line.need("(", fmt::format("a range such as ({} = 1 to 2)", signal.index));
  line.need(signal.index, fmt::format("the range of '{}'", signal.index));
  line.need("=", "'=' in the range");
  signal.from = quantity(line);
  line.need("to", "'to' in the range");
  signal.to = quantity(line);
  line.need(")", "')' after the range");
  return signal;
}

Count count_in(Line& line) {
  Count count;
  if (line.take("sum")) {
    count.kind = CountKind::sum;
  } else if (line.take("max")) {
    count.kind = CountKind::max;
  } else if (line.take("most")) {
    line.refuse("max, the new name of most,");
  } else {
    line.need("count", "sum, count or max of a signal");
  }
  count.signal = signal_name(line);
  return count;
}

Action action_in(Line& line) {
  Action action;
  action.verb = line.word("an action, such as raise ADC.valid after 2 cycles,");
  if (action.verb == "stop") return action;
  if (action.verb == "reset") {
    action.subject = line.word("the name of a module");
  } else if (action.verb == "fail") {
    action.subject = line.quoted();
  } else {
    action.signal = signal_name(line);
  }
  if (action.verb != "raise") return action;
  line.need("after", "'after' and a number of cycles");
  action.after = quantity(line);
  if (!line.take("cycles")) line.need("cycle", "'cycles' after the number");
  return action;
}

class Parser {
 public:
  Parser(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  CountActionProgram program() {
    CountActionProgram result;
    result.source = source_;
    for (Notes notes = take_notes(); !at_end(); notes = take_notes()) {
      result.modules.push_back(module(std::move(notes)));
    }
    if (result.modules.empty()) refuse("the text has no modules; at least one is needed");
    return result;
  }

 private:
  using Notes = std::vector<std::string>;

  SourceLocation location() const { return location_of(source_, line_); }
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(location(), message);
  }

  bool at_end() const { return begin_ >= text_.size(); }

  // Advances to the next line and returns it.
  std::string_view next(std::string_view needed) {
    if (at_end()) refuse(fmt::format("the text ends; {} is needed", needed));
    const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
    const std::string_view line = text_.substr(begin_, end - begin_);
    begin_ = end + 1;
    ++line_;
    return trimmed(line);
  }

  Line next_line(std::string_view needed) {
    const std::string_view text = next(needed);
    return {text, location()};
  }

  // Collects comments up to the next entry; empty lines are skipped.
  Notes take_notes() {
    Notes notes;
    while (!at_end()) {
      const std::size_t before = begin_;
      const std::string_view line = next("an entry");
      if (line.starts_with("//")) {
        notes.emplace_back(trimmed(line.substr(2)));
      } else if (!line.empty()) {
        begin_ = before;
        --line_;
        break;
      }
    }
    return notes;
  }

  void need(std::string_view text, std::string_view needed) {
    Line line = next_line(needed);
    line.need(text, needed);
    line.end();
  }

  template <typename Entry, typename Read>
  std::vector<Entry> block(std::string_view name, const Read& read) {
    take_notes();
    const std::string opening = fmt::format("'{}: {{'", name);
    Line head = next_line(opening);
    head.need(name, opening);
    head.need(":", opening);
    head.need("{", opening);
    head.end();
    std::vector<Entry> entries;
    for (Notes notes = take_notes();; notes = take_notes()) {
      Line line = next_line("'}'");
      if (line.take("}")) {
        line.end();
        if (entries.empty()) refuse(fmt::format("there are no {}; at least one is needed", name));
        return entries;
      }
      Entry entry = read(line);
      line.end();
      entry.notes = std::move(notes);
      entry.line = line_;
      entries.push_back(std::move(entry));
    }
  }

  CountActionModule module(Notes notes) {
    CountActionModule result;
    Line head = next_line("a module");
    head.need("module", "'module NAME {'");
    result.name = head.word("'module NAME {'");
    head.need("{", "'module NAME {'");
    head.end();
    result.notes = std::move(notes);
    result.line = line_;
    result.counts = block<Count>("counts", count_in);
    result.targets = block<Target>("targets", [](Line& line) {
      return Target{quantity(line), {}, 0};
    });
    result.actions = block<Action>("actions", action_in);
    take_notes();
    need("};", "'};' at the end of a module");
    return result;
  }

  std::string_view text_;
  std::string source_;
  std::size_t begin_ = 0;
  int line_ = 0;
};

}  // namespace

bool Count::operator==(const Count& other) const {
  return std::tie(kind, signal, notes) == std::tie(other.kind, other.signal, other.notes);
}

bool Target::operator==(const Target& other) const {
  return std::tie(value, notes) == std::tie(other.value, other.notes);
}

bool Action::operator==(const Action& other) const {
  return std::tie(verb, signal, after, subject, notes) ==
         std::tie(other.verb, other.signal, other.after, other.subject, other.notes);
}

bool CountActionModule::operator==(const CountActionModule& other) const {
  return std::tie(name, counts, targets, actions, notes) ==
         std::tie(other.name, other.counts, other.targets, other.actions, other.notes);
}

bool CountActionProgram::operator==(const CountActionProgram& other) const {
  return modules == other.modules;
}

CountActionProgram parse_modules(std::string_view text, const std::string& source) {
  if (text.size() > kLongestText || first_not_utf8(text) != text.size()) {
    throw InputError(location_of(source), "this is not text of at most 1 MiB; modules are needed");
  }
  return Parser(without_byte_order_mark(text), source).program();
}

}  // namespace loom::photonic
