// What a fabric does while messages run: when it lights other circuits, and which.
//
// The engine asks at the moment that the control has named, and when nothing moves though messages
// wait. Circuits that change are dark from then on for the fabric's switching time; those that stay
// carry on. While the change lasts the control is not asked again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom {

// A link's bandwidth from now on.
struct LinkState {
  int link = 0;
  Bandwidth bandwidth;
};

struct CircuitChange {
  std::vector<LinkState> switching;  // while circuits are moved
  std::vector<LinkState> switched;   // after
};

// What the engine knows.
struct Waiting {
  std::vector<std::size_t> held;        // operations with messages that were not admitted, in order
  std::function<Demand()> outstanding;  // what is still to be sent of what has begun
  std::function<Demand()> ready;        // of that, messages that wait for nothing but a way
};

// All that a control will ever light, where it is known beforehand: the bandwidth of every link
// under each set of circuits, and the set under which an operation's messages leave. While sets
// change nothing moves.
struct CircuitPlan {
  std::vector<std::vector<Bandwidth>> sets;  // by set and link; the first is lit at first
  std::vector<int> set_of;                   // by operation
};

class Control {
 public:
  virtual ~Control() = default;

  virtual std::optional<CircuitPlan> plan() const { return std::nullopt; }

  // Forgets all that it was told.
  virtual void restart() = 0;

  // How long a change takes.
  virtual Duration switch_time() const = 0;

  // Whether messages of the operation may leave; else they are held.
  virtual bool admits(std::size_t /*operation*/) const { return true; }

  // When to ask at the latest.
  virtual Duration next_time() const { return kForever; }

  // `idle`: nothing moves, and something is held or has no way.
  virtual std::optional<CircuitChange> decide(Duration now, bool idle, const Waiting& waiting) = 0;

  // The last change is over.
  virtual void switched(Duration /*now*/) {}
};

// By link: what these circuits give it; a packet switch stays.
std::vector<Bandwidth> link_bandwidths(const CircuitFabric& fabric, const Network& network,
                                       const Circuits& circuits);

// The links that differ between two sets of circuits: while they move a link has the circuits that
// stay, plane and wavelength too. The network has a link for every pair, by (from, to).
CircuitChange change_between(const CircuitFabric& fabric, const Network& network,
                             const Circuits& before, const Circuits& after);

}  // namespace loom
