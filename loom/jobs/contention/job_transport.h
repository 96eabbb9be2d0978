// How jobs that send over the same links at the same time share them.
//
// A job sends as one: its bandwidth is its stage's largest rate times the speed at which the stage
// goes, at most 1. Bandwidths are weighted max-min fair, and the weight is what differs:
//   fair      1 for all.
//   weighted  a number for each job, as 60 and 40.
//   mltcp     F(r) = slope * r + intercept, or its square root, times the job's number, where r is
//             the part of the iteration's bytes that is sent. A congestion window that grows F
//             times as fast holds a share that goes with F where all flows see a loss together,
//             and with sqrt(F) where each sees its own (the window of AIMD goes with the root of
//             its increase).
//   srpt      an ideal: who has the fewest bytes of its iteration left goes first, whole.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loom {

enum class TransportKind : std::uint8_t { fair, weighted, mltcp, srpt };

inline constexpr std::array<std::string_view, 4> kTransportNames = {"fair", "weighted", "mltcp",
                                                                    "srpt"};

enum class MltcpShare : std::uint8_t { linear, square_root };

inline constexpr std::array<std::string_view, 2> kMltcpShareNames = {"linear", "square_root"};

struct JobTransport {
  TransportKind kind = TransportKind::fair;
  // MLTCP, HotNets 2024: 1.75 and 0.25; another published variant has 4.0 and 0.25.
  double slope = 1.75;
  double intercept = 0.25;
  MltcpShare share = MltcpShare::linear;
  // The part of a link's capacity that is lost while several jobs ask more of it than it has. None
  // is lost under srpt, where they take turns.
  double contention_loss = 0;

  bool operator==(const JobTransport&) const = default;
};

}  // namespace loom
