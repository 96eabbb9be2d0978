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

// Round trips in a training network and TCP's timer ticks take about a millisecond. A shorter gap
// between packets does not indicate computation.
constexpr Duration kMinIdle = std::chrono::milliseconds(1);
constexpr Duration kMaxIdle = std::chrono::minutes(1);
// The ten packets of the initial window: a smaller transfer ends before any window can grow.
constexpr Bytes kMinBytes = 15_KB;
constexpr Bytes kMaxBytes = 1000_GB;

Duration idle_of(const std::string& text) {
  const Duration idle = duration_of("--idle", text);
  if (idle >= kMinIdle && idle <= kMaxIdle) return idle;
  throw InputError({}, fmt::format("--idle is {}; a time from {} to {} is needed, longer than "
                                   "a round trip and shorter than the computation of an iteration",
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
  // F is stored in units of 1/1024 in 32 bits; values above 1000 bring no benefit.
  command.add_option("--slope", args.slope, "slope of MLTCP's F(r) = slope r + intercept")
      .range(0.0, 1000.0)
      .default_str(fmt::format("{}", published.slope));
  command
      .add_option("--intercept", args.intercept, "intercept of F; 1 with a slope of 0 is plain TCP")
      .range(0.001, 1000.0)
      .default_str(fmt::format("{}", published.intercept));
  command.add_option("--idle", args.idle, "minimum idle time between two iterations")
      .default_str("10ms");
  command
      .add_option("--min-bytes", args.min_bytes,
                  "minimum bytes per iteration; flows that send less are not training traffic")
      .default_str("64KB");
  command
      .add_option("--needed", args.needed,
                  "number of similar iterations in a row before F is applied")
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
