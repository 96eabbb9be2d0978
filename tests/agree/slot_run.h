// A reference slot-by-slot simulation of a rotating network: bytes sent in a slot arrive at its end
// and can be forwarded from then on. Bytes are real numbers.
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
  valiant,   // 1/n over each device, 2/n over the direct circuit; own bytes go first
  rotor_lb,  // relayed bytes, then direct ones, then bytes to relay where the relay has room
};

// Arrival times in seconds, per message.
std::vector<double> slot_run(const fabric::Rotation& rotation, const fabric::RotationClock& clock,
                             Bandwidth egress, const std::vector<SlotMessage>& messages,
                             SlotRouting routing);

}  // namespace loom::oracle
