// Fair sharing: every job has the same weight.
#pragma once

#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {

double fair_weight(const Sender& sender, double left, const JobTransport& transport);

inline constexpr Transport kFair{
    .name = "fair", .summary = "same weight for every job", .weight = fair_weight};

}  // namespace loom::jobs
