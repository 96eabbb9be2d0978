// The ports of optical switches as circuits take them.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuits.h"

namespace loom {

// How many ports each device has left, in and out, whatever the switch.
class PortCounts {
 public:
  explicit PortCounts(const OcsLimits& limits);

  bool take(int from, int to);

 private:
  std::vector<int> out_;
  std::vector<int> in_;
};

// Which port of which switch each circuit takes, where devices are wired to some switches only.
class WiredPorts {
 public:
  explicit WiredPorts(const OcsLimits& limits);

  // Lights a circuit from one to the other where two ports are free, or can be made free by moving
  // one circuit to another switch. Takes O(switches²).
  bool take(int from, int to);

  int common_switches(int from, int to) const;
  Circuits circuits() const;  // in order

 private:
  bool wired(int device, int plane) const;
  int free_switch(int from, int to) const;
  void connect(int from, int to, int plane);
  bool move_away(int from, int to, int plane);

  int switches_;
  std::vector<bool> wired_;    // by device and switch
  std::vector<int> receiver_;  // by device and switch: whom it sends to; -1: nobody
  std::vector<int> sender_;    // by device and switch: whom it receives from; -1: nobody
};

}  // namespace loom
