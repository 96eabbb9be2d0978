// Options of the transport, which divides the bandwidth of a link among the jobs that send over it.
//
// A job sends as one flow: its bandwidth is the largest rate of its stage times the speed of the
// stage, which is at most 1. Bandwidths are weighted max-min fair; transports
// (transports/transports.h) differ in the weights.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loom::jobs {

struct Transport;

const Transport& default_transport();

enum class MltcpShare : std::uint8_t { linear, square_root };

inline constexpr std::array<std::string_view, 2> kMltcpShareNames = {"linear", "square_root"};

struct JobTransport {
  const Transport* kind = &default_transport();
  // Slope and intercept of MLTCP's aggressiveness function F. HotNets 2024 uses 1.75 and 0.25;
  // another published variant uses 4.0 and 0.25.
  double slope = 1.75;
  double intercept = 0.25;
  MltcpShare share = MltcpShare::linear;
  // Fraction of a link's capacity lost while the demand of several jobs exceeds it. Nothing is lost
  // under strict priority, where jobs send one after another.
  double contention_loss = 0;

  bool operator==(const JobTransport&) const = default;
};

}  // namespace loom::jobs
