// Improves uniform strategies operator by operator: the tensor ranks of a strategy divide some of
// its operators by samples or by tokens instead (parallelize/operator_split.h).
//
// Starts from the best uniform strategies with data ranks turned into tensor ranks, whose operators
// are then divided by samples (the same job), by parameters, or by whichever moves fewer bytes.
// Descends by local changes: of one kind of operator, a run of kinds, the micro-batch or ZeRO. Each
// change is evaluated by the coarse engine. On circuits, which take long to provision, the first
// descents run on an ideal switch of the same bandwidth; what they find is evaluated, and improved
// further, on circuits.
#pragma once

#include "loom/plan/strategies.h"

namespace loom::plan {

// Strategies with splits, fastest first as the coarse engine estimates them; `uniform` is the
// search for uniform ones. Does not depend on the number of threads.
StrategySearch search_splits(const JobSpec& spec, NetworkProvider& provider,
                             const StrategySearch& uniform, const SearchOptions& options);

}  // namespace loom::plan
