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
constexpr Duration kMinIdle = std::chrono::milliseconds(1);
constexpr Duration kMaxIdle = std::chrono::minutes(1);
// The ten packets of a first window: what is smaller is sent before any window can grow.
constexpr Bytes kMinBytes = 15_KB;
constexpr Bytes kMaxBytes = 1000_GB;

Duration idle_of(const std::string& text) {
  const Duration idle = duration_of("--idle", text);
  if (idle >= kMinIdle && idle <= kMaxIdle) return idle;
  throw InputError({}, fmt::format("--idle is {}; a time from {} to {} is needed, more than a "
                                   "round trip and less than the computing of an iteration",
                                   exact(idle), exact(kMinIdle), exact(kMaxIdle)));
}

Bytes min_bytes_of(const std::string& text) {
  const Bytes min_bytes = bytes_of("--min-bytes", text);
  if (min_bytes >= kMinBytes && min_bytes <= kMaxBytes) return min_bytes;
  throw InputError({}, fmt::format("--min-bytes is {}; a size from {} to {} is needed, more than "
                                   "the packets of a first window",
                                   exact(min_bytes), exact(kMinBytes), exact(kMaxBytes)));
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

void add_mltcp_options(Command command, MltcpOptions& args) {
  const bpf::MltcpSettings published;
  // F is kept in 1/1024 in 32 bits; above a thousand nothing is gained.
  command.add_option("--slope", args.slope, "of F(r) = slope r + intercept")
      .range(0.0, 1000.0)
      .default_str(fmt::format("{}", published.slope));
  command.add_option("--intercept", args.intercept, "of F; 1 with a slope of 0 is plain TCP")
      .range(0.001, 1000.0)
      .default_str(fmt::format("{}", published.intercept));
  command.add_option("--idle", args.idle, "silence that parts iterations").default_str("10ms");
  command
      .add_option("--min-bytes", args.min_bytes,
                  "bytes of an iteration; what sends less is no training")
      .default_str("64KB");
  command.add_option("--needed", args.needed, "iterations alike before F is used")
      .range(2, 1000)
      .default_str(fmt::format("{}", published.needed));
}

bpf::MltcpChange mltcp_change_of(const MltcpOptions& args) {
  bpf::MltcpChange change{.slope = args.slope, .intercept = args.intercept, .needed = args.needed};
  if (args.idle) change.idle = idle_of(*args.idle);
  if (args.min_bytes) change.min_bytes = min_bytes_of(*args.min_bytes);
  return change;
}

}  // namespace loom::cli
