// Quotient of a run by its symmetry: one device, link and channel per class represents all of it.
//
// The quotient is an ordinary workload and network, which the fluid engine runs unchanged: its
// devices and links are classes, its collectives have one channel per class of channels with a
// precomputed route. A class of links carries as much as one of its links does. All groups of a
// Groups become one group whose ranks are their classes: a schedule's channels never connect two
// groups, so merging them changes nothing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "loom/simulate/collective_run.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/symmetry/symmetry.h"

namespace loom::simulate {

struct Quotient {
  workload::Workload workload;  // the same operations; its collectives are the patterns
  fabric::Network network;
  std::vector<LinkChange> changes;
  std::vector<std::shared_ptr<const CollectivePlan>> plans;  // by collective
  std::vector<int> representatives;                          // per class of devices
  std::int64_t messages = 0;                                 // sent in the full run
  Int128 bytes = 0;
};

Quotient quotient(const workload::Workload& workload, const fabric::Network& network,
                  std::span<const LinkChange> changes, const Symmetry& symmetry);

// The result of simulate_fluid(), computed from the quotient. Empty if there is no symmetry, or if
// the workload cannot finish: the full run then reports which devices wait.
std::optional<Outcome> simulate_folded(const workload::Workload& workload,
                                       const fabric::Network& network,
                                       std::span<const LinkChange> changes,
                                       const EngineOptions& options);

}  // namespace loom::simulate
