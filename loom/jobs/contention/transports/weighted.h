// Weighted sharing: every job has a constant weight, such as 60 and 40.
#pragma once

#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {

double constant_weight(const Sender& sender, double left, const JobTransport& transport);

inline constexpr Transport kWeighted{.name = "weighted",
                                     .summary = "constant weight for every job",
                                     .weight = constant_weight,
                                     .needs_weights = true};

}  // namespace loom::jobs
