#include "cli/mltcp_options.h"

#include <fmt/format.h>

#include "loom/base/error.h"

namespace loom::cli {
namespace {

template <typename Value>
Value must(std::string_view option, const std::string& text, const std::optional<Value>& value,
           const std::string& why) {
  if (value) return *value;
  throw InputError({}, fmt::format("{} is '{}'; {}", option, text, why));
}

// Round trips in a training network, and the ticks of TCP's timers, are below a millisecond or
// little above: a shorter silence is no sign of computing.
constexpr Duration kLeastIdle = std::chrono::milliseconds(1);
constexpr Duration kMostIdle = std::chrono::minutes(1);
// The ten packets of a first window: what is smaller is sent before any window can grow.
constexpr Bytes kLeastBytes = 15_KB;
constexpr Bytes kMostBytes = 1000_GB;

Duration idle_of(const std::string& text) {
  const Duration idle = duration_of("--idle", text);
  if (idle >= kLeastIdle && idle <= kMostIdle) return idle;
  throw InputError({}, fmt::format("--idle is {}; a time from {} to {} is needed, more than a "
                                   "round trip and less than the computing of an iteration",
                                   exact(idle), exact(kLeastIdle), exact(kMostIdle)));
}

Bytes least_of(const std::string& text) {
  const Bytes least = bytes_of("--least", text);
  if (least >= kLeastBytes && least <= kMostBytes) return least;
  throw InputError({}, fmt::format("--least is {}; a size from {} to {} is needed, more than "
                                   "the packets of a first window",
                                   exact(least), exact(kLeastBytes), exact(kMostBytes)));
}

}  // namespace

Duration duration_of(std::string_view option, const std::string& text) {
  std::string why;
  const auto value = parse_duration(text, why);
  return must(option, text, value, why);
}

Bytes bytes_of(std::string_view option, const std::string& text) {
  std::string why;
  const auto value = parse_bytes(text, why);
  return must(option, text, value, why);
}

Bandwidth bandwidth_of(std::string_view option, const std::string& text) {
  std::string why;
  const auto value = parse_bandwidth(text, why);
  return must(option, text, value, why);
}

void add_mltcp_flags(CLI::App& command, MltcpFlags& flags) {
  const bpf::MltcpSettings published;
  // F is kept in 1/1024 in 32 bits; above a thousand nothing is gained.
  command.add_option("--slope", flags.slope, "of F(r) = slope r + intercept")
      ->check(CLI::Range(0.0, 1000.0))
      ->default_str(fmt::format("{}", published.slope));
  command.add_option("--intercept", flags.intercept, "of F; 1 with a slope of 0 is plain TCP")
      ->check(CLI::Range(0.001, 1000.0))
      ->default_str(fmt::format("{}", published.intercept));
  command.add_option("--idle", flags.idle, "silence that parts iterations")->default_str("10ms");
  command
      .add_option("--least", flags.least, "bytes of an iteration; what sends less is no training")
      ->default_str("64KB");
  command.add_option("--needed", flags.needed, "iterations alike before F is used")
      ->check(CLI::Range(2, 1000))
      ->default_str(fmt::format("{}", published.needed));
}

bpf::MltcpChange mltcp_change_of(const MltcpFlags& flags) {
  bpf::MltcpChange change{
      .slope = flags.slope, .intercept = flags.intercept, .needed = flags.needed};
  if (flags.idle) change.idle = idle_of(*flags.idle);
  if (flags.least) change.least = least_of(*flags.least);
  return change;
}

}  // namespace loom::cli
