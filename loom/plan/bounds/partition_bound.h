// Lower bound on the iteration time of a job, however its operators are partitioned and placed: the
// mean over all devices of the computation that no partition avoids, and of the update of every
// parameter once. The shards of an operator together never take less time than the operator
// without the rounding of its tiles (model/operator_time.h).
#pragma once

#include "loom/plan/job_spec.h"

namespace loom::plan {

// Zero if the job is given by measured times.
Duration bound_of_any_partition(const JobSpec& spec, int devices);

}  // namespace loom::plan
