// A rotating network slot by slot, as plainly as it can be written: what is sent in a slot is there
// at its end and may be passed on from then. Bytes are real numbers.
#pragma once

#include <vector>

#include "loom/fabric/circuits/rotation.h"

namespace loom::oracle {

struct SlotMessage {
  int from = 0;
  int to = 0;
  double bytes = 0;
  double start = 0;  // seconds
};

enum class SlotRouting {
  direct,    // a message waits for its own circuit
  valiant,   // an n-th of it over each device, two over the circuit itself; own bytes go first
  rotor_lb,  // relayed bytes first, then direct ones, then others' by what they have room for
};

// When each message has arrived, in seconds.
std::vector<double> slot_run(const Rotation& rotation, const RotationClock& clock, Bandwidth egress,
                             const std::vector<SlotMessage>& messages, SlotRouting routing);

}  // namespace loom::oracle
