// Free ports of optical switches during provisioning.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

// Number of free ports per device, in and out, over all switches.
class PortCounts {
 public:
  explicit PortCounts(const OcsLimits& limits);

  bool take(int from, int to);

 private:
  std::vector<int> out_;
  std::vector<int> in_;
};

// Ports in use per switch, where devices are wired to some switches only.
class WiredPorts {
 public:
  explicit WiredPorts(const OcsLimits& limits);

  // Adds a circuit if two ports are free, or can be freed by moving one circuit to another switch.
  // Takes O(switches²).
  bool take(int from, int to);

  int common_switches(int from, int to) const;
  Circuits circuits() const;  // sorted

 private:
  bool wired(int device, int plane) const;
  int free_switch(int from, int to) const;
  void connect(int from, int to, int plane);
  bool move_away(int from, int to, int plane);

  int switches_;
  std::vector<bool> wired_;    // per device and switch
  std::vector<int> receiver_;  // per device and switch: destination; -1: none
  std::vector<int> sender_;    // per device and switch: source; -1: none
};

}  // namespace loom::fabric
