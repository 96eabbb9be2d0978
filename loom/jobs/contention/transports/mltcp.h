// MLTCP (HotNets 2024): the weight of a job is its constant weight times F(r) = slope * r +
// intercept, or times the square root of F(r); r is the fraction of the iteration's bytes already
// sent.
//
// A flow whose congestion window grows F times as fast gets a share of the bandwidth proportional
// to F if all flows see the same losses, and to sqrt(F) if each flow sees losses of its own (the
// mean window of AIMD is proportional to the square root of its increase).
#pragma once

#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {

// F(r) when `left` picoseconds of the sender's stage remain at full rate.
double mltcp_factor(const Sender& sender, double left, const JobTransport& transport);

double mltcp_weight(const Sender& sender, double left, const JobTransport& transport);
bool mltcp_weights_change(const JobTransport& transport);

inline constexpr Transport kMltcp{.name = "mltcp",
                                  .summary = "weight that grows with the bytes a job has sent",
                                  .weight = mltcp_weight,
                                  .weights_change = mltcp_weights_change};

}  // namespace loom::jobs
