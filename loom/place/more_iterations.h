// Extends a lowered job by repeating its last iteration.
#pragma once

#include <optional>
#include <span>

#include "loom/place/lower.h"

namespace loom::place {

// The job with `iterations` iterations, at least as many as `tags` have now. Nothing if the last
// two iterations have different operations, or depend on iterations before them; they cannot be
// repeated then.
std::optional<LoweredJob> more_iterations(const workload::Workload& workload,
                                          std::span<const OperationTag> tags, int iterations);

}  // namespace loom::place
