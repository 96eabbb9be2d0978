// MLTCP (HotNets 2024): F(r) = slope * r + intercept, or its square root, times the job's constant
// weight; r is the fraction of the iteration's bytes already sent.
//
// A congestion window that grows F times as fast gets a share proportional to F if all flows see
// each loss together, and to sqrt(F) if each sees its own (an AIMD window grows with the root of
// its increase).
#pragma once

#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {

// F(r) when `left` picoseconds of the sender's stage at full rate remain.
double mltcp_factor(const Sender& sender, double left, const JobTransport& transport);

double mltcp_weight(const Sender& sender, double left, const JobTransport& transport);
bool mltcp_weights_change(const JobTransport& transport);

inline constexpr Transport kMltcp{.name = "mltcp",
                                  .summary = "a job's weight grows with the bytes it has sent",
                                  .weight = mltcp_weight,
                                  .weights_change = mltcp_weights_change};

}  // namespace loom::jobs
