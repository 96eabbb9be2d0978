#include "bpf/statistics_in.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loom::bpf {
namespace {

using std::chrono::microseconds;

std::uint32_t fraction(double value) {
  return static_cast<std::uint32_t>(std::lround(value * MLTCP_ONE));
}

std::string end_of(std::uint16_t family, const std::uint8_t* address, std::uint16_t port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(family, address, text.data(), text.size());
  const std::string host = text.data();
  return fmt::format("{}:{}", family == AF_INET6 ? "[" + host + "]" : host, port);
}

std::int64_t integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Flow flow_of(const mltcp_flow_statistics& seen) {
  return {.local = end_of(seen.family, seen.local_address, seen.local_port),
          .remote = end_of(seen.family, seen.remote_address, seen.remote_port),
          .closed = seen.closed != 0,
          .iterations = integer(seen.iterations),
          .learned = {integer(seen.learned)},
          .last_bytes = {integer(seen.last_bytes)},
          .last_time = microseconds(integer(seen.last_time)),
          .acked = {integer(seen.acked)},
          .cwnd = seen.cwnd,
          .retransmits = integer(seen.retransmits),
          .marks = integer(seen.marks)};
}

}  // namespace

mltcp_settings to_kernel(const MltcpSettings& settings) {
  return {
      .slope = fraction(settings.slope),
      .intercept = fraction(settings.intercept),
      .idle = static_cast<std::uint64_t>(std::chrono::ceil<microseconds>(settings.idle).count()),
      .min_bytes = static_cast<std::uint64_t>(settings.min_bytes.count),
      .tolerance = fraction(settings.tolerance),
      .needed = static_cast<std::uint32_t>(settings.needed)};
}

MltcpSettings from_kernel(const mltcp_settings& raw) {
  const double one = MLTCP_ONE;
  return {.slope = raw.slope / one,
          .intercept = raw.intercept / one,
          .idle = microseconds(integer(raw.idle)),
          .min_bytes = {integer(raw.min_bytes)},
          .tolerance = raw.tolerance / one,
          .needed = static_cast<int>(raw.needed)};
}

Totals sum(std::span<const mltcp_totals> each) {
  Totals all;
  for (const mltcp_totals& it : each) {
    all.flows += integer(it.flows);
    all.closed += integer(it.closed);
    all.iterations += integer(it.iterations);
    all.scaled += integer(it.scaled);
    all.no_memory += integer(it.no_memory);
  }
  return all;
}

std::vector<Flow> flows_of(std::vector<std::pair<std::uint64_t, mltcp_flow_statistics>> raw) {
  std::stable_sort(raw.begin(), raw.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (i == 0 || raw[i].first != raw[i - 1].first) flows.push_back(flow_of(raw[i].second));
  }
  return flows;
}

}  // namespace loom::bpf
