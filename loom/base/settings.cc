#include "loom/base/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "loom/base/renamed.h"
#include "loom/base/text.h"

namespace loom {
namespace {

constexpr std::int64_t kLargestInShape = 1'000'000'000;

// Levenshtein distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string list_of(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", name);
  return out;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_real(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value >= 0 && value <= 1e9 ? std::optional(value) : std::nullopt;
}

// Parses a shape, such as 8x16; returns an empty list if the text is not a shape.
std::vector<int> parse_shape(std::string_view text) {
  std::vector<int> sizes;
  while (true) {
    const std::string_view word = text.substr(0, text.find('x'));
    const auto size = parse_integer(word);
    if (!size || *size < 1 || *size > kLargestInShape) return {};
    sizes.push_back(static_cast<int>(*size));
    if (word.size() == text.size()) return sizes;
    text.remove_prefix(word.size() + 1);
  }
}

// Returns nothing if `well` holds, otherwise the message `wrong`.
std::optional<std::string> unless(bool well, std::string_view wrong) {
  if (well) return std::nullopt;
  return std::string(wrong);
}

std::optional<std::string> check_integer(const Parameter& parameter, std::string_view text) {
  const auto number = parse_integer(text);
  if (!number) return "an integer is needed";
  if (*number < parameter.min) return fmt::format("at least {} is needed", parameter.min);
  if (*number > parameter.max) return fmt::format("at most {} is possible", parameter.max);
  return std::nullopt;
}

template <class Quantity>
std::optional<std::string> check_parsed(std::optional<Quantity> (*parse)(std::string_view,
                                                                         std::string&),
                                        std::string_view text) {
  std::string why;
  if (parse(text, why)) return std::nullopt;
  return why;
}

template <class Quantity>
std::optional<std::string> check_min(const std::optional<Quantity>& quantity,
                                     const std::string& why, std::int64_t value, std::int64_t min,
                                     const Quantity& min_quantity) {
  if (!quantity) return why;
  if (value < min) return fmt::format("at least {} is needed", exact(min_quantity));
  return std::nullopt;
}

std::optional<std::string> check_decibel(const Parameter& parameter, std::string_view text) {
  std::string why;
  const auto loss = parse_decibel(text, why);
  if (!loss) return why;
  if (*loss >= static_cast<double>(parameter.min)) return std::nullopt;
  return fmt::format("at least {} dB is needed", parameter.min);
}

// The reason why the text is not a valid value of the parameter; nothing if it is valid.
std::optional<std::string> objection(const Parameter& parameter, std::string_view text) {
  if (parameter.automatic) {
    Parameter plain = parameter;
    plain.automatic = false;
    auto wrong = text == "auto" ? std::nullopt : objection(plain, text);
    if (wrong) *wrong += ", or auto";
    return wrong;
  }
  std::string why;
  switch (parameter.type) {
    case ValueType::integer:
      return check_integer(parameter, text);
    case ValueType::real:
      return unless(parse_real(text).has_value(), "a number from 0 to 1e9 is needed, such as 1.5");
    case ValueType::duration: {
      const auto time = parse_duration(text, why);
      return check_min(time, why, time ? time->count() : 0, parameter.min, Duration(parameter.min));
    }
    case ValueType::size: {
      const auto size = parse_bytes(text, why);
      return check_min(size, why, size ? size->count : 0, parameter.min, Bytes{parameter.min});
    }
    case ValueType::bandwidth: {
      const auto rate = parse_bandwidth(text, why);
      return check_min(rate, why, rate ? rate->bits_per_second : 0, parameter.min,
                       Bandwidth{parameter.min});
    }
    case ValueType::flop_rate: {
      const auto rate = parse_flop_rate(text, why);
      return check_min(rate, why, rate ? rate->per_second : 0, parameter.min,
                       FlopRate{parameter.min});
    }
    case ValueType::money:
      return check_parsed(parse_money, text);
    case ValueType::power:
      return check_parsed(parse_power, text);
    case ValueType::decibel:
      return check_decibel(parameter, text);
    case ValueType::decibel_milliwatt:
      return check_parsed(parse_decibel_milliwatt, text);
    case ValueType::percentage:
      return check_parsed(parse_percentage, text);
    case ValueType::shape:
      return unless(!parse_shape(text).empty(),
                    "positive integers separated by x are needed, such as 8x16");
    case ValueType::choice:
      if (std::find(parameter.choices.begin(), parameter.choices.end(), text) !=
          parameter.choices.end()) {
        return std::nullopt;
      }
      return choice_objection(text, parameter.choices);
    case ValueType::text:
      return unless(!text.empty(), "text is needed");
    case ValueType::boolean:
      return unless(text == "true" || text == "false", "true or false is needed");
  }
  return std::nullopt;
}

}  // namespace

std::string suggestion(std::string_view given, std::span<const std::string_view> known) {
  if (given.size() > 100) return "";  // cost: its length times the length of all names
  std::string_view best;
  // Names that share no character with `given` are excluded: their distance is at least its length.
  std::size_t nearest = std::min(given.size() / 3 + 2, given.size());
  for (const std::string_view name : known) {
    const std::size_t apart = distance(given, name);
    if (apart < nearest) {
      nearest = apart;
      best = name;
    }
  }
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", best);
}

Settings::Settings(const Tree& map, std::span<const Parameter> parameters, std::string title,
                   std::span<const std::string_view> ignored)
    : title_(std::move(title)), location_(map.location) {
  std::vector<std::string_view> known(ignored.begin(), ignored.end());
  for (const Parameter& parameter : parameters) {
    values_.push_back({&parameter, std::string(parameter.fallback), location_, false});
    known.push_back(parameter.name);
  }
  for (const auto& [key, tree] : map.entries) {
    if (std::find(ignored.begin(), ignored.end(), key) != ignored.end()) continue;
    const auto found =
        std::find_if(values_.begin(), values_.end(),
                     [&key = key](const Value& value) { return value.parameter->name == key; });
    if (found == values_.end()) {
      if (const auto now = renamed(key, known)) {
        throw InputError(tree.location,
                         fmt::format("{}.{} was renamed; write {}", title_, key, *now));
      }
      throw InputError(tree.location, fmt::format("{} has no key '{}'{}; known are {}", title_, key,
                                                  suggestion(key, known), list_of(known)));
    }
    if (tree.kind != Tree::Kind::scalar) {
      throw InputError(tree.location,
                       fmt::format("{}.{} is a {}; a single value is needed", title_, key,
                                   tree.kind == Tree::Kind::list ? "list" : "map"));
    }
    found->text = tree.text;
    found->location = tree.location;
    found->given = true;
  }
  for (const Value& value : values_) check(value);
}

void Settings::check(const Value& value) const {
  if (!value.given && value.parameter->required) {
    throw InputError(location_, fmt::format("{} lacks '{}' ({})", title_, value.parameter->name,
                                            value.parameter->summary));
  }
  if (!value.given && value.text.empty()) return;
  if (const auto wrong = objection(*value.parameter, value.text)) {
    refuse(value.parameter->name, *wrong);
  }
}

const Settings::Value& Settings::value(std::string_view name) const {
  for (const Value& value : values_) {
    if (value.parameter->name == name) return value;
  }
  LOOM_CHECK(false, "only described parameters are accessed");
  return values_.front();
}

bool Settings::has(std::string_view name) const { return !value(name).text.empty(); }
bool Settings::given(std::string_view name) const { return value(name).given; }
std::int64_t Settings::integer(std::string_view name) const {
  return parse_integer(text(name)).value();
}
double Settings::real(std::string_view name) const { return parse_real(text(name)).value(); }
std::vector<int> Settings::shape(std::string_view name) const { return parse_shape(text(name)); }
bool Settings::automatic(std::string_view name) const { return text(name) == "auto"; }

bool Settings::boolean(std::string_view name) const { return value(name).text == "true"; }

Duration Settings::duration(std::string_view name) const {
  std::string why;
  return parse_duration(text(name), why).value();
}

Bytes Settings::size(std::string_view name) const {
  std::string why;
  return parse_bytes(text(name), why).value();
}

Bandwidth Settings::bandwidth(std::string_view name) const {
  std::string why;
  return parse_bandwidth(text(name), why).value();
}

FlopRate Settings::flop_rate(std::string_view name) const {
  std::string why;
  return parse_flop_rate(text(name), why).value();
}

Money Settings::money(std::string_view name) const {
  std::string why;
  return parse_money(text(name), why).value();
}

Power Settings::power(std::string_view name) const {
  std::string why;
  return parse_power(text(name), why).value();
}

double Settings::decibel(std::string_view name) const {
  std::string why;
  return parse_decibel(text(name), why).value();
}

double Settings::decibel_milliwatt(std::string_view name) const {
  std::string why;
  return parse_decibel_milliwatt(text(name), why).value();
}

double Settings::percentage(std::string_view name) const {
  std::string why;
  return parse_percentage(text(name), why).value();
}

std::string Settings::text(std::string_view name) const {
  LOOM_CHECK(has(name), "a parameter that is read has a value");
  return value(name).text;
}

SourceLocation Settings::location(std::string_view name) const { return value(name).location; }

void Settings::refuse(std::string_view name, const std::string& needed) const {
  const Value& wrong = value(name);
  throw InputError(wrong.location,
                   fmt::format("{}.{} is {}; {}", title_, name,
                               wrong.text.empty() ? "empty" : shortened(wrong.text), needed));
}

std::vector<std::pair<std::string, std::string>> Settings::written() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Value& value : values_) {
    if (value.given) out.emplace_back(value.parameter->name, value.text);
  }
  return out;
}

}  // namespace loom
