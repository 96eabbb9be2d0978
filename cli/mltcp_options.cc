#include "cli/mltcp_options.h"

#include <fmt/format.h>

#include <optional>

#include "loom/base/error.h"

namespace loom::cli {
namespace {

template <typename Value>
Value must(std::string_view option, const std::string& text, const std::optional<Value>& value,
           const std::string& why) {
  if (value) return *value;
  throw InputError({}, fmt::format("{} is '{}'; {}", option, text, why));
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
  // F is kept in 1/1024 in 32 bits; above a thousand nothing is gained.
  command.add_option("--slope", flags.slope, "of F(r) = slope r + intercept")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command.add_option("--intercept", flags.intercept, "of F; 1 with a slope of 0 is plain TCP")
      ->check(CLI::Range(0.001, 1000.0))
      ->capture_default_str();
  command.add_option("--idle", flags.idle, "silence that parts iterations")->capture_default_str();
  command
      .add_option("--least", flags.least, "bytes of an iteration; what sends less is no training")
      ->capture_default_str();
  command.add_option("--needed", flags.needed, "iterations alike before F is used")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
}

bpf::MltcpSettings mltcp_settings_of(const MltcpFlags& flags) {
  return {.slope = flags.slope,
          .intercept = flags.intercept,
          .idle = duration_of("--idle", flags.idle),
          .least = bytes_of("--least", flags.least),
          .needed = flags.needed};
}

}  // namespace loom::cli
