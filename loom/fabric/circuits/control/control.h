// Circuit control: when a fabric changes its circuits during a simulation, and to which.
//
// The engine calls decide() at next_time(), and when nothing moves although messages wait. Circuits
// that change carry nothing for the fabric's switching time; the others keep working. The control
// is not called again until the change is complete.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::fabric {

// The new bandwidth of a link.
struct LinkState {
  int link = 0;
  Bandwidth bandwidth;
};

struct CircuitChange {
  std::vector<LinkState> switching;  // during the switching time
  std::vector<LinkState> switched;   // afterward
};

// State of the engine that a control can query.
struct Waiting {
  std::vector<std::size_t> held;                  // operations with messages not admitted, in order
  std::function<workload::Demand()> outstanding;  // unsent bytes of operations that have started
  std::function<workload::Demand()> ready;  // the part of it whose messages wait only for a path
};

// All circuits a control will ever use, if known in advance: the bandwidth of every link under each
// set of circuits, and the set that each operation's messages need. Nothing moves while sets
// change.
struct CircuitPlan {
  std::vector<std::vector<Bandwidth>> sets;  // per set and link; the first is set up initially
  std::vector<int> set_of;                   // set per operation
};

class Control {
 public:
  virtual ~Control() = default;

  virtual std::optional<CircuitPlan> plan() const { return std::nullopt; }

  // Returns to the initial state.
  virtual void restart() = 0;

  // Duration of a change.
  virtual Duration switch_time() const = 0;

  // Whether messages of the operation may be sent; otherwise they are held.
  virtual bool admits(std::size_t /*operation*/) const { return true; }

  // Time of the next call to decide(), unless the engine becomes idle earlier.
  virtual Duration next_time() const { return kForever; }

  // `idle`: nothing moves, and some message is held or has no path.
  virtual std::optional<CircuitChange> decide(Duration now, bool idle, const Waiting& waiting) = 0;

  // The last change is complete.
  virtual void switched(Duration /*now*/) {}
};

// Bandwidth of every link under these circuits; links of a packet switch keep theirs.
std::vector<Bandwidth> link_bandwidths(const CircuitFabric& fabric, const Network& network,
                                       const Circuits& circuits);

// The links that differ between two sets of circuits. During the change a link keeps only the
// circuits that both sets contain, with the same plane and wavelength. Needs a network with a link
// for every pair of either set, sorted by (from, to).
CircuitChange change_between(const CircuitFabric& fabric, const Network& network,
                             const Circuits& before, const Circuits& after);

}  // namespace loom::fabric
