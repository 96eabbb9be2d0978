// What it took to ask for and to grant the messages of a run (request_grant.h).
#pragma once

#include <cstdint>
#include <vector>

#include "loom/base/units.h"

namespace loom {

struct GrantTally {
  std::int64_t requests = 0;
  std::int64_t grants = 0;
  std::int64_t declines = 0;
  std::int64_t forwarded = 0;      // messages that were stored on their way
  Duration longest_wait{0};        // of a message for a grant, from when it came to the port
  std::vector<std::int64_t> sent;  // control messages, by device

  std::int64_t messages() const { return requests + grants + declines; }
};

}  // namespace loom
