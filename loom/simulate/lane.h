// A channel of a collective in the fluid engine: its route, and its messages on the way.
//
// A lane is reserved while its links serve nothing else. The end of a message on a reserved lane is
// known when the message is released, so it is one event: it needs no event for its latency, no
// transfer and no share (fluid_lanes.cc).
#pragma once

#include <array>
#include <cstdint>

#include "loom/base/units.h"

namespace loom::simulate {

struct Lane {
  // A message on a reserved lane: when its latency is over, when it starts to flow, when it ends.
  struct Known {
    TimePoint ready;
    TimePoint start;
    TimePoint end;
    Bytes size;
  };

  std::uint32_t first_hop = 0;
  std::uint32_t hop_count = 0;
  Duration latency{0};
  int link_set = -1;   // value of Fluid::link_set_ when the route was found
  int in_latency = 0;  // messages whose latency is an event
  int queued = 0;      // messages whose latency is over but which wait for earlier messages
  int weight = 1;      // of its messages
  bool busy = false;   // a message is a transfer

  bool reserved = false;
  bool shared = false;       // cannot be reserved, or not any more
  std::uint8_t count = 0;    // of known messages, earliest first
  int left = 0;              // messages until the last one ends
  std::int64_t speed = 0;    // quanta per picosecond
  Bytes even_size;           // of every message; 0 if sizes differ
  Duration even_time{0};     // time for even_size
  std::int64_t carried = 0;  // bytes that are not yet credited to the links
  std::array<Known, 2> known;
};

}  // namespace loom::simulate
