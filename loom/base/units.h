// Strong types for time, bytes, bandwidth, money and power, so that every number has a unit.
//
// All are int64: time in picoseconds (up to 106 days), training spans in microseconds, sizes in
// bytes, bandwidth in bit/s, money and power in millionths of a dollar and of a watt. Products are
// computed in 128 bits. Only functions that combine two quantities round, and each says in which
// direction.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loom {

__extension__ using Int128 = __int128;  // not ISO C++, but in every compiler we use

using Duration = std::chrono::duration<std::int64_t, std::pico>;

inline constexpr Duration kForever = Duration::max();
inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

inline double seconds(Duration time) {
  return static_cast<double>(time.count()) / static_cast<double>(kPicosecondsPerSecond);
}

// The clock of a simulation, which begins at zero.
struct SimulationClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SimulationClock, duration>;
  static constexpr bool is_steady = true;
};

using TimePoint = SimulationClock::time_point;

inline constexpr TimePoint kNever = TimePoint::max();

// The time since the simulation began.
constexpr Duration elapsed(TimePoint time) { return time.time_since_epoch(); }

// Duration of a training run, which may exceed the range of the picosecond clock.
struct TrainingSpan {
  std::int64_t microseconds = 0;

  auto operator<=>(const TrainingSpan&) const = default;
};

struct Bytes {
  std::int64_t count = 0;

  auto operator<=>(const Bytes&) const = default;
  Bytes& operator+=(Bytes other) { return count += other.count, *this; }
  Bytes& operator-=(Bytes other) { return count -= other.count, *this; }
  friend Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
};

// The smallest integer number of bytes that is not below `bytes`.
Bytes rounded_up(double bytes);

// Bits per second.
struct Bandwidth {
  std::int64_t bits_per_second = 0;

  auto operator<=>(const Bandwidth&) const = default;
};

// Floating-point operations per second.
struct FlopRate {
  std::int64_t per_second = 0;

  auto operator<=>(const FlopRate&) const = default;
};

struct Money {
  std::int64_t microdollars = 0;

  auto operator<=>(const Money&) const = default;
};

struct Power {
  std::int64_t microwatts = 0;

  auto operator<=>(const Power&) const = default;
};

// Upper bounds for quantities read from input, so that sums of many stay within 63 bits.
inline constexpr Bytes kLargestSize{1'000'000'000'000'000};             // 1 PB
inline constexpr Bandwidth kLargestBandwidth{1'000'000'000'000'000};    // 1 Pbps
inline constexpr Duration kLongestDuration{1'000'000'000'000'000'000};  // 11.6 days
inline constexpr FlopRate kLargestFlopRate{1'000'000'000'000'000'000};  // 1 Eflop/s
inline constexpr double kMaxDecibels = 1000;
inline constexpr Money kLargestPrice{1'000'000'000'000'000};  // 1 GUSD
inline constexpr Power kLargestPower{1'000'000'000'000'000};  // 1 GW

// Time to transfer `size` at `rate`, rounded up so that no transfer ends early. Requires rate > 0.
Duration transfer_time(Bytes size, Bandwidth rate);

// The rate that transfers `size` in `time`, rounded down. Requires time > 0.
Bandwidth rate_of(Bytes size, Duration time);

// a + b; LimitError beyond the range of the clock.
Duration add(Duration a, Duration b);
TimePoint add(TimePoint a, Duration b);

// n times a; LimitError beyond the range of the clock. Requires n >= 0.
Duration times(std::int64_t n, Duration a);

// Total time of the iterations, rounded up to a microsecond; LimitError above 292,000 years.
// Requires both to be at least 0.
TrainingSpan training_span(std::int64_t iterations, Duration iteration);

// n times a, or a + b; LimitError above 9.2 trillion dollars or watts. Requires n >= 0.
Money times(std::int64_t n, Money a);
Power times(std::int64_t n, Power a);
Money add(Money a, Money b);
Power add(Power a, Power b);

// The size of piece `index` if `size` is divided into `pieces` as evenly as possible, larger pieces
// first.
Bytes piece(Bytes size, std::int64_t pieces, std::int64_t index);

// "25 Gbps", "20 us", "4 GiB": a decimal number, optional spaces, a unit. The value must be an
// integer number of base units; nothing is rounded. On failure `why` says what is needed.
std::optional<Duration> parse_duration(std::string_view text, std::string& why);
std::optional<Bytes> parse_bytes(std::string_view text, std::string& why);
std::optional<Bandwidth> parse_bandwidth(std::string_view text, std::string& why);
std::optional<FlopRate> parse_flop_rate(std::string_view text, std::string& why);
std::optional<Money> parse_money(std::string_view text, std::string& why);
std::optional<Power> parse_power(std::string_view text, std::string& why);

// Optical levels: "0.05 dB" is a loss, "-17 dBm" is a power relative to 1 mW. Both may be negative.
// Each function accepts only its own unit.
std::optional<double> parse_decibel(std::string_view text, std::string& why);
std::optional<double> parse_decibel_milliwatt(std::string_view text, std::string& why);

// "5%" or "5 %" as a fraction, 0.05; from 0 to 100 %.
std::optional<double> parse_percentage(std::string_view text, std::string& why);

// For people: four significant digits in the best-fitting unit.
std::string readable(Duration time);
std::string readable(TimePoint time);  // since the simulation began
std::string readable(Bytes size);
std::string readable(Bandwidth rate);
std::string readable(FlopRate rate);
std::string readable(TrainingSpan span);
std::string readable(Money price);
std::string readable(Power power);

// For files: exact, in the largest unit that gives an integer; money and power in USD and W with
// decimals. The text parses back to the same value, except that no parser reads a TrainingSpan.
std::string exact(Duration time);
std::string exact(Bytes size);
std::string exact(Bandwidth rate);
std::string exact(FlopRate rate);
std::string exact(TrainingSpan span);
std::string exact(Money price);
std::string exact(Power power);

inline namespace literals {
constexpr Duration operator""_ps(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n));
}
constexpr Duration operator""_ns(unsigned long long n) { return std::chrono::nanoseconds(n); }
constexpr Duration operator""_us(unsigned long long n) { return std::chrono::microseconds(n); }
constexpr Duration operator""_ms(unsigned long long n) { return std::chrono::milliseconds(n); }
constexpr Bytes operator""_B(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Bytes operator""_KB(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000};
}
constexpr Bytes operator""_MB(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000'000};
}
constexpr Bytes operator""_GB(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000'000'000};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return {static_cast<std::int64_t>(n) << 10};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return {static_cast<std::int64_t>(n) << 20};
}
constexpr Bandwidth operator""_bps(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Bandwidth operator""_Gbps(unsigned long long n) {
  return {static_cast<std::int64_t>(n) * 1'000'000'000};
}
}  // namespace literals

}  // namespace loom
