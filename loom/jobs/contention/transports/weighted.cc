#include "loom/jobs/contention/transports/weighted.h"

namespace loom::jobs {

double constant_weight(const Sender& sender, double /*left*/, const JobTransport& /*transport*/) {
  return sender.weight;
}

}  // namespace loom::jobs
