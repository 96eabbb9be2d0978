#include "loom/base/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "loom/base/error.h"

namespace loom {
namespace {

constexpr Int128 kPicosecondsPerMicrosecond = 1'000'000;

struct Unit {
  std::string_view name;
  std::int64_t worth;  // in base units
};

// Each table lists the units used for formatting first, from small to large.
constexpr std::array kTimes = {
    Unit{"ps", 1},
    Unit{"ns", 1'000},
    Unit{"us", 1'000'000},
    Unit{"ms", 1'000'000'000},
    Unit{"s", 1'000'000'000'000},
    Unit{"µs", 1'000'000},
    Unit{"min", 60'000'000'000'000},
    Unit{"h", 3'600'000'000'000'000},
};
constexpr int kPlainTimes = 5;

constexpr std::array kSpans = {
    Unit{"us", 1},           Unit{"ms", 1'000},        Unit{"s", 1'000'000},
    Unit{"min", 60'000'000}, Unit{"h", 3'600'000'000}, Unit{"days", 86'400'000'000},
};

constexpr std::array kSizes = {
    Unit{"B", 1},
    Unit{"kB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
    Unit{"PB", 1'000'000'000'000'000},
    Unit{"KB", 1'000},
    Unit{"KiB", std::int64_t{1} << 10},
    Unit{"MiB", std::int64_t{1} << 20},
    Unit{"GiB", std::int64_t{1} << 30},
    Unit{"TiB", std::int64_t{1} << 40},
};
constexpr int kPlainSizes = 6;

constexpr std::array kRates = {
    Unit{"bps", 1},
    Unit{"kbps", 1'000},
    Unit{"Mbps", 1'000'000},
    Unit{"Gbps", 1'000'000'000},
    Unit{"Tbps", 1'000'000'000'000},
    Unit{"Pbps", 1'000'000'000'000'000},
    Unit{"bit/s", 1},
    Unit{"Mbit/s", 1'000'000},
    Unit{"Gbit/s", 1'000'000'000},
    Unit{"Tbit/s", 1'000'000'000'000},
    Unit{"Mb/s", 1'000'000},
    Unit{"Gb/s", 1'000'000'000},
    Unit{"Tb/s", 1'000'000'000'000},
    Unit{"MB/s", 8'000'000},
    Unit{"GB/s", 8'000'000'000},
    Unit{"TB/s", 8'000'000'000'000},
};
constexpr int kPlainRates = 6;

constexpr std::array kFlopRates = {
    Unit{"flop/s", 1},
    Unit{"Mflop/s", 1'000'000},
    Unit{"Gflop/s", 1'000'000'000},
    Unit{"Tflop/s", 1'000'000'000'000},
    Unit{"Pflop/s", 1'000'000'000'000'000},
};

constexpr std::array kPrices = {
    Unit{"USD", 1'000'000},
    Unit{"kUSD", 1'000'000'000},
    Unit{"MUSD", 1'000'000'000'000},
    Unit{"GUSD", 1'000'000'000'000'000},
};

constexpr std::array kPowers = {
    Unit{"mW", 1'000},
    Unit{"W", 1'000'000},
    Unit{"kW", 1'000'000'000},
    Unit{"MW", 1'000'000'000'000},
    Unit{"GW", 1'000'000'000'000'000},
};

std::string unit_names(std::span<const Unit> units) {
  std::string names;
  for (const Unit& unit : units) names += fmt::format("{}{}", names.empty() ? "" : ", ", unit.name);
  return names;
}

// Parses a decimal number as digits / 10^decimals; returns false if the text is not a decimal
// number or has too many digits.
bool parse_decimal(std::string_view text, Int128& digits, int& decimals) {
  digits = 0;
  decimals = 0;
  bool seen_point = false;
  bool seen_digit = false;
  for (const char c : text) {
    if (c == '.' && !seen_point) {
      seen_point = true;
    } else if (c >= '0' && c <= '9') {
      if (digits > Int128{1'000'000'000'000'000'000}) return false;
      digits = digits * 10 + (c - '0');
      decimals += seen_point ? 1 : 0;
      seen_digit = true;
    } else {
      return false;
    }
  }
  return seen_digit;
}

const Unit* find_unit(std::string_view name, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

// A kind of quantity, for parsing and for messages: its name ("a time"), base unit, units and
// largest value.
struct Quantity {
  std::string_view what;
  std::string_view base;
  std::span<const Unit> units;
  std::int64_t largest;
  std::string largest_text;
};

std::optional<std::int64_t> parse(std::string_view text, const Quantity& quantity,
                                  std::string& why) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string_view number = text.substr(0, end);
  std::string_view name = end == std::string_view::npos ? "" : text.substr(end);
  while (name.starts_with(' ')) name.remove_prefix(1);
  Int128 digits = 0;
  int decimals = 0;
  if (!parse_decimal(number, digits, decimals)) {
    why = fmt::format("{} is a number and a unit, at least 0", quantity.what);
    return std::nullopt;
  }
  const Unit* unit = find_unit(name, quantity.units);
  if (unit == nullptr) {
    why = fmt::format("{} needs one of the units {}", quantity.what, unit_names(quantity.units));
    return std::nullopt;
  }
  Int128 value = digits * unit->worth;
  for (; decimals > 0; --decimals) {
    if (value % 10 != 0) {
      why = fmt::format("{} must be an integer number of {}", quantity.what, quantity.base);
      return std::nullopt;
    }
    value /= 10;
  }
  if (value > quantity.largest) {
    why = fmt::format("the largest is {}", quantity.largest_text);
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::optional<double> parse_level(std::string_view text, std::string_view what,
                                  std::string_view unit, std::string& why) {
  const bool with_unit = text.ends_with(unit);
  if (with_unit) text.remove_suffix(unit.size());
  while (text.ends_with(' ')) text.remove_suffix(1);
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, std::chars_format::fixed);
  if (!with_unit || error != std::errc() || end != last) {
    why = fmt::format("{} is a number with {}", what, unit);
    return std::nullopt;
  }
  if (!(std::abs(value) <= kMaxDecibels)) {
    why = fmt::format("it must be from {} to {} {}", -kMaxDecibels, kMaxDecibels, unit);
    return std::nullopt;
  }
  return value;
}

std::string readable(double value, std::span<const Unit> plain) {
  const Unit* unit = &plain.front();
  for (const Unit& candidate : plain) {
    if (value >= static_cast<double>(candidate.worth)) unit = &candidate;
  }
  const double scaled = value / static_cast<double>(unit->worth);
  const int decimals = scaled >= 999.95 ? 0 : scaled >= 99.995 ? 1 : scaled >= 9.9995 ? 2 : 3;
  return fmt::format("{:.{}f} {}", scaled, unit->worth == 1 ? 0 : decimals, unit->name);
}

std::string exact(std::int64_t value, std::span<const Unit> plain) {
  const Unit* unit = &plain.front();
  for (const Unit& candidate : plain) {
    if (value != 0 && value % candidate.worth == 0) unit = &candidate;
  }
  return fmt::format("{} {}", value / unit->worth, unit->name);
}

// Millionths of a unit as an exact decimal: "0.3 USD".
std::string exact_millionths(std::int64_t value, std::string_view unit) {
  std::string text = fmt::format("{}.{:06}", value / 1'000'000, value % 1'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return fmt::format("{} {}", text, unit);
}

std::int64_t within_sums(Int128 millionths, std::string_view what) {
  if (millionths > std::numeric_limits<std::int64_t>::max()) {
    throw LimitError(
        fmt::format("{} exceed 9.2 trillion, the largest sum that can be represented", what));
  }
  return static_cast<std::int64_t>(millionths);
}

Duration within_clock(Int128 picoseconds) {
  if (picoseconds > std::numeric_limits<std::int64_t>::max()) {
    throw LimitError("the simulated time exceeds 106 days, the range of the picosecond clock");
  }
  return Duration(static_cast<std::int64_t>(picoseconds));
}

}  // namespace

Bytes rounded_up(double bytes) { return {static_cast<std::int64_t>(std::ceil(bytes))}; }

Duration transfer_time(Bytes size, Bandwidth rate) {
  LOOM_CHECK(rate.bits_per_second > 0, "a transfer needs a rate");
  const Int128 work = Int128{size.count} * 8 * Int128{kPicosecondsPerSecond};
  return within_clock((work + rate.bits_per_second - 1) / rate.bits_per_second);
}

Bandwidth rate_of(Bytes size, Duration time) {
  LOOM_CHECK(time.count() > 0, "a rate needs a time");
  const Int128 rate = Int128{size.count} * 8 * Int128{kPicosecondsPerSecond} / time.count();
  const Int128 largest = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::int64_t>(rate < largest ? rate : largest)};
}

Duration add(Duration a, Duration b) { return within_clock(Int128{a.count()} + b.count()); }

TimePoint add(TimePoint a, Duration b) { return TimePoint(add(elapsed(a), b)); }

Duration times(std::int64_t n, Duration a) { return within_clock(Int128{n} * a.count()); }

Money times(std::int64_t n, Money a) {
  return {within_sums(Int128{n} * a.microdollars, "dollars")};
}
Power times(std::int64_t n, Power a) { return {within_sums(Int128{n} * a.microwatts, "watts")}; }
Money add(Money a, Money b) {
  return {within_sums(Int128{a.microdollars} + b.microdollars, "dollars")};
}
Power add(Power a, Power b) { return {within_sums(Int128{a.microwatts} + b.microwatts, "watts")}; }

TrainingSpan training_span(std::int64_t iterations, Duration iteration) {
  LOOM_CHECK(iterations >= 0 && iteration.count() >= 0, "training times are not negative");
  const Int128 picoseconds = Int128{iterations} * iteration.count();
  const Int128 span = (picoseconds + kPicosecondsPerMicrosecond - 1) / kPicosecondsPerMicrosecond;
  if (span > std::numeric_limits<std::int64_t>::max()) {
    throw LimitError(
        "the training takes more than 292000 years, the longest span that can be represented");
  }
  return {static_cast<std::int64_t>(span)};
}

Bytes piece(Bytes size, std::int64_t pieces, std::int64_t index) {
  return {size.count / pieces + (index < size.count % pieces ? 1 : 0)};
}

std::optional<Duration> parse_duration(std::string_view text, std::string& why) {
  const auto value = parse(
      text, {"a time", "picoseconds", kTimes, kLongestDuration.count(), exact(kLongestDuration)},
      why);
  return value ? std::optional(Duration(*value)) : std::nullopt;
}

std::optional<Bytes> parse_bytes(std::string_view text, std::string& why) {
  const auto value =
      parse(text, {"a size", "bytes", kSizes, kLargestSize.count, exact(kLargestSize)}, why);
  return value ? std::optional(Bytes{*value}) : std::nullopt;
}

std::optional<Bandwidth> parse_bandwidth(std::string_view text, std::string& why) {
  const auto value = parse(
      text,
      {"a bandwidth", "bit/s", kRates, kLargestBandwidth.bits_per_second, exact(kLargestBandwidth)},
      why);
  return value ? std::optional(Bandwidth{*value}) : std::nullopt;
}

std::optional<FlopRate> parse_flop_rate(std::string_view text, std::string& why) {
  const auto value = parse(
      text, {"a speed", "flop/s", kFlopRates, kLargestFlopRate.per_second, exact(kLargestFlopRate)},
      why);
  return value ? std::optional(FlopRate{*value}) : std::nullopt;
}

std::optional<Money> parse_money(std::string_view text, std::string& why) {
  const auto value = parse(text,
                           {"a price", "millionths of a USD", kPrices, kLargestPrice.microdollars,
                            readable(kLargestPrice)},
                           why);
  return value ? std::optional(Money{*value}) : std::nullopt;
}

std::optional<Power> parse_power(std::string_view text, std::string& why) {
  const auto value = parse(
      text,
      {"a power", "millionths of a W", kPowers, kLargestPower.microwatts, readable(kLargestPower)},
      why);
  return value ? std::optional(Power{*value}) : std::nullopt;
}

std::optional<double> parse_decibel(std::string_view text, std::string& why) {
  return parse_level(text, "a loss", "dB", why);
}

std::optional<double> parse_decibel_milliwatt(std::string_view text, std::string& why) {
  return parse_level(text, "an optical power", "dBm", why);
}

std::optional<double> parse_percentage(std::string_view text, std::string& why) {
  const std::size_t digits = text.find_last_not_of(" %") + 1;
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + digits, value, std::chars_format::fixed);
  if (!text.ends_with('%') || text.find('%') != text.size() - 1 || error != std::errc() ||
      end != text.data() + digits) {
    why = "a percentage is a number with %, such as 5%";
    return std::nullopt;
  }
  if (!(value >= 0 && value <= 100)) {
    why = "a percentage from 0% to 100% is needed";
    return std::nullopt;
  }
  return value / 100;
}

std::string readable(Duration time) {
  return readable(static_cast<double>(time.count()), std::span(kTimes).first(kPlainTimes));
}
std::string readable(TimePoint time) { return readable(elapsed(time)); }
std::string readable(Bytes size) {
  return readable(static_cast<double>(size.count), std::span(kSizes).first(kPlainSizes));
}
std::string readable(Bandwidth rate) {
  return readable(static_cast<double>(rate.bits_per_second), std::span(kRates).first(kPlainRates));
}

std::string readable(FlopRate rate) {
  return readable(static_cast<double>(rate.per_second), kFlopRates);
}

std::string readable(TrainingSpan span) {
  return readable(static_cast<double>(span.microseconds), kSpans);
}

std::string readable(Money price) {
  return readable(static_cast<double>(price.microdollars), kPrices);
}

std::string readable(Power power) {
  return readable(static_cast<double>(power.microwatts), kPowers);
}

std::string exact(Duration time) {
  return exact(time.count(), std::span(kTimes).first(kPlainTimes));
}
std::string exact(Bytes size) { return exact(size.count, std::span(kSizes).first(kPlainSizes)); }
std::string exact(Bandwidth rate) {
  return exact(rate.bits_per_second, std::span(kRates).first(kPlainRates));
}
std::string exact(FlopRate rate) { return exact(rate.per_second, kFlopRates); }
std::string exact(TrainingSpan span) { return exact(span.microseconds, kSpans); }
std::string exact(Money price) { return exact_millionths(price.microdollars, "USD"); }
std::string exact(Power power) { return exact_millionths(power.microwatts, "W"); }

}  // namespace loom
