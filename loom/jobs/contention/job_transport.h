// How jobs that send over the same links at the same time share the bandwidth.
//
// A job sends as one flow: its bandwidth is its stage's largest rate times the stage's speed, which
// is at most 1. Bandwidths are weighted max-min fair; the kinds differ in the weight:
//   fair      1 for all.
//   weighted  a constant per job, such as 60 and 40.
//   mltcp     F(r) = slope * r + intercept, or its square root, times the job's constant; r is the
//             fraction of the iteration's bytes already sent. A congestion window that grows F
//             times as fast gets a share proportional to F if all flows see each loss together, and
//             to sqrt(F) if each sees its own (an AIMD window grows with the root of its increase).
//   srpt      an ideal: the job with the fewest bytes of its iteration left has strict priority.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loom::jobs {

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
  // Fraction of a link's capacity lost while the demand of several jobs exceeds it. Nothing is lost
  // under srpt, where jobs send one after another.
  double contention_loss = 0;

  bool operator==(const JobTransport&) const = default;
};

}  // namespace loom::jobs
