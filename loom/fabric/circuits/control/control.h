// Circuit control: decides when a fabric changes its circuits during a simulation, and to which
// circuits.
//
// The engine calls decide() at next_time(), and whenever no message moves although some wait.
// Circuits that change carry nothing for the fabric's switch time; the other circuits keep working.
// The engine does not call decide() again until the change is complete.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::fabric {

// The new bandwidth of a link.
struct LinkState {
  LinkId link;
  Bandwidth bandwidth;
};

struct CircuitChange {
  std::vector<LinkState> switching;  // links that change at the start of the switch time
  std::vector<LinkState> switched;   // links that change at the end of the switch time
};

// State of the engine that a control can query.
struct Waiting {
  std::vector<OperationId> held;  // operations whose messages are not admitted, in order
  std::function<workload::Demand()> outstanding;  // unsent bytes of operations that have started
  // outstanding bytes of messages that wait only for a path
  std::function<workload::Demand()> ready;
};

// The sets of circuits that a control uses, if known in advance: the bandwidth of every link under
// each set, and the set that the messages of each operation need. Nothing is sent while one set
// replaces another.
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
  virtual bool admits(OperationId /*operation*/) const { return true; }

  // Time of the next call to decide(), unless the engine becomes idle earlier.
  virtual TimePoint next_time() const { return kNever; }

  // Returns the change to make now, if any. `idle`: no message moves, and some message is held or
  // has no path.
  virtual std::optional<CircuitChange> decide(TimePoint now, bool idle, const Waiting& waiting) = 0;

  // Called when the last change is complete.
  virtual void switched(TimePoint /*now*/) {}
};

// Bandwidth of every link under these circuits; links of a packet switch keep their bandwidth.
std::vector<Bandwidth> link_bandwidths(const CircuitFabric& fabric, const Network& network,
                                       const Circuits& circuits);

// The links that differ between two sets of circuits. During the change a link keeps only the
// circuits that both sets contain, with the same plane and wavelength. Needs a network with a link
// for every pair of either set, sorted by (from, to).
CircuitChange change_between(const CircuitFabric& fabric, const Network& network,
                             const Circuits& before, const Circuits& after);

}  // namespace loom::fabric
