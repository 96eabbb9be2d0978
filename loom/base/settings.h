// Typed parameters described once: the same description parses and validates values, supplies
// defaults, completes keys in an editor (JSON Schema) and generates reference tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loom/base/tree.h"
#include "loom/base/units.h"

namespace loom {

// A shape is a list of positive integers separated by x, such as 8x8x16.
enum class ValueType {
  integer,
  real,
  duration,
  size,
  bandwidth,
  flop_rate,
  money,
  power,
  decibel,
  decibel_milliwatt,
  percentage,
  shape,
  choice,
  text,
  boolean,
};

// One key of a map in an input file.
struct Parameter {
  std::string_view name;
  ValueType type;
  std::string_view summary;
  std::string_view fallback = "";  // the default as the user would write it; "" if none
  bool required = false;
  // Minimum: of an integer, of a decibel, or of a duration, size, bandwidth or flop_rate in base
  // units. The other types ignore it.
  std::int64_t min = 0;
  std::int64_t max = 1'000'000'000;                // integer: maximum
  std::span<const std::string_view> choices = {};  // choice: the valid values
  bool automatic = false;  // "auto" is also valid: the program chooses the value
};

// The values of one map, validated against its parameters. Getters return the default if the user
// wrote no value. Reading a parameter that has neither is a programming error: test has() first.
class Settings {
 public:
  Settings() = default;

  // `title` names the map in messages ("fabric"); `ignored` are keys read elsewhere. Throws an
  // InputError for an unknown key, a missing required one, or an invalid value.
  Settings(const Tree& map, std::span<const Parameter> parameters, std::string title,
           std::span<const std::string_view> ignored = {});

  bool has(std::string_view name) const;    // the user wrote it, or it has a default
  bool given(std::string_view name) const;  // the user wrote it
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;  // at least 0
  Duration duration(std::string_view name) const;
  Bytes size(std::string_view name) const;
  Bandwidth bandwidth(std::string_view name) const;
  FlopRate flop_rate(std::string_view name) const;
  Money money(std::string_view name) const;
  Power power(std::string_view name) const;
  double decibel(std::string_view name) const;
  double decibel_milliwatt(std::string_view name) const;
  double percentage(std::string_view name) const;  // as a fraction: 0.05 for 5%
  std::string text(std::string_view name) const;   // types text and choice
  std::vector<int> shape(std::string_view name) const;
  bool boolean(std::string_view name) const;
  bool automatic(std::string_view name) const;  // the value is "auto"

  SourceLocation location(std::string_view name) const;  // location of the value, or of the map
  const SourceLocation& location() const { return location_; }

  // Throws an InputError at the value: "fabric.radix is 7; an even number is needed".
  [[noreturn]] void refuse(std::string_view name, const std::string& needed) const;

  // Key and text of each value that the user wrote, in the order of the parameters.
  std::vector<std::pair<std::string, std::string>> written() const;

 private:
  struct Value {
    const Parameter* parameter;
    std::string text;  // as written or the default; empty if neither
    SourceLocation location;
    bool given = false;
  };

  const Value& value(std::string_view name) const;
  void check(const Value& value) const;

  std::vector<Value> values_;
  std::string title_;
  SourceLocation location_;
};

// " (did you mean 'radix'?)", or "" if no name is close.
std::string suggestion(std::string_view given, std::span<const std::string_view> known);

}  // namespace loom
