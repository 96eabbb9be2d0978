// Shortest remaining processing time, an ideal: the job with the fewest bytes of its iteration left
// has strict priority.
#pragma once

#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {

inline constexpr Transport kSrpt{
    .name = "srpt", .summary = "the job with the fewest bytes left has strict priority"};

}  // namespace loom::jobs
