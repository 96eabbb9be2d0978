#include "loom/jobs/contention/transports/fair.h"

namespace loom::jobs {

double fair_weight(const Sender& /*sender*/, double /*left*/, const JobTransport& /*transport*/) {
  return 1;
}

}  // namespace loom::jobs
