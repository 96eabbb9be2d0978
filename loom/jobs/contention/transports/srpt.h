// Shortest remaining processing time, an idealized transport: the job with the fewest bytes left to
// send in its iteration has strict priority.
#pragma once

#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {

inline constexpr Transport kSrpt{
    .name = "srpt", .summary = "strict priority for the job with the fewest bytes left"};

}  // namespace loom::jobs
