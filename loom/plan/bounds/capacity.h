// Capacity of a fabric: an upper limit on the bytes that it carries per second, whatever circuits
// it sets up, whatever routes traffic takes, and whatever changes during the run.
//
// A byte that crosses h hops takes up h times its size of the total capacity. The distance between
// two devices is the minimum of h over all circuits and routes.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/simulate/engine.h"

namespace loom::plan {

// Every pair of devices is one hop apart.
struct OneHop {};

// At most degree^h devices are h hops away from a device (Moore's bound).
struct MooreHops {
  int degree = 1;
};

// Hops are segments of a ring: circuits from one device to another cross all segments in between,
// and so do relayed bytes.
struct RingHops {
  int devices = 0;
  int directions = 2;

  int between(int from, int to) const;
};

// Hops are links of a fixed network.
struct LinkHops {
  int devices = 0;
  std::vector<std::uint16_t> hops;  // by source and destination

  int between(int from, int to) const {
    return hops[static_cast<std::size_t>(from) * static_cast<std::size_t>(devices) +
                static_cast<std::size_t>(to)];
  }
};

using Hops = std::variant<OneHop, MooreHops, RingHops, LinkHops>;

struct Capacity {
  int devices = 0;
  std::vector<double> egress;  // bit/s per device
  std::vector<double> ingress;
  double total = 0;  // bit/s of all hops together
  Hops hops;
  Duration latency{0};    // min latency of a message that is not empty
  bool by_phase = false;  // circuits change between kinds of traffic: distances hold for each kind

  double mean_egress() const;
};

Capacity capacity_of(const fabric::CircuitFabric& fabric);

// The capacity of the links at their highest bandwidth during the changes.
Capacity capacity_of(const fabric::Network& network,
                     std::span<const simulate::LinkChange> changes = {});

}  // namespace loom::plan
