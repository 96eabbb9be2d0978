// Counts of the control messages of a run with request-grant control (request_grant.h).
#pragma once

#include <cstdint>
#include <vector>

#include "loom/base/units.h"

namespace loom::fabric {

struct GrantTally {
  std::int64_t requests = 0;
  std::int64_t grants = 0;
  std::int64_t declines = 0;
  std::int64_t forwarded = 0;      // messages relayed by another device
  Duration longest_wait{0};        // max time a message waited for a grant at its port
  std::vector<std::int64_t> sent;  // control messages per device

  std::int64_t messages() const { return requests + grants + declines; }
};

}  // namespace loom::fabric
