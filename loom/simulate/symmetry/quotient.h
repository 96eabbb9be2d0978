// A run in which one device, link and channel of each class stands for all, and what comes out of
// it for the whole.
//
// The quotient is a workload and a network like any other and the fluid engine runs it as it is:
// its devices and links are classes, its collectives have a channel for each class of channels,
// whose way is known beforehand. Of what flows over a class of links it sees as much as flows over
// one of them. All groups of a Groups are one in it, whose ranks are their classes: a schedule's
// channels never lead from one group to another, so nobody notices.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "loom/simulate/collective_run.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/symmetry/symmetry.h"

namespace loom {

struct Quotient {
  Workload workload;  // the same operations; its collectives are patterns
  Network network;
  std::vector<LinkChange> changes;
  std::vector<std::shared_ptr<const CollectivePlan>> plans;  // by collective
  std::vector<int> representatives;                          // by class of devices
  std::int64_t messages = 0;                                 // that the whole sends
  Int128 bytes = 0;
};

Quotient quotient(const Workload& workload, const Network& network,
                  std::span<const LinkChange> changes, const Symmetry& symmetry);

// What simulate_fluid() gives, by way of a quotient. Nothing where there is none, or where the work
// cannot finish: who waits for whom is then for the whole to say.
std::optional<Outcome> simulate_folded(const Workload& workload, const Network& network,
                                       std::span<const LinkChange> changes,
                                       const EngineOptions& options);

}  // namespace loom
