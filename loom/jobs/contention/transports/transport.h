// Interface of a transport, which weights the jobs that contend for a link.
//
// To add a transport, write a header and a source in this folder that define a Transport, and add
// it to kTransports in transports.h.
#pragma once

#include <string_view>

#include "loom/jobs/contention/contention.h"

namespace loom::jobs {

struct Transport {
  std::string_view name;
  std::string_view summary;
  // Weight of a sender in max-min fair sharing when `left` picoseconds of its stage remain at full
  // rate. nullptr: strict priority for the sender with the fewest bytes left in its iteration.
  double (*weight)(const Sender& sender, double left, const JobTransport& transport) = nullptr;
  // Whether weights change during a stage, so that speeds follow a differential equation. nullptr:
  // they never change.
  bool (*weights_change)(const JobTransport& transport) = nullptr;
  bool needs_weights = false;  // every job needs a weight from the user

  bool strict_priority() const { return weight == nullptr; }
};

}  // namespace loom::jobs
