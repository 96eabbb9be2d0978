// Quotient of a run by its symmetry: one device, link or channel represents each class.
//
// The quotient is an ordinary workload and network, which the fluid engine runs unchanged: its
// devices and links are classes, and its collectives have one channel, with a precomputed route,
// per class of channels. A class of links carries as much as one of its links. All groups of a
// Groups become one group, whose ranks are classes of devices: no channel connects two groups, so
// merging them changes nothing.
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
  std::vector<DeviceId> representatives;                     // per class of devices
  std::int64_t messages = 0;                                 // sent in the full run
  Int128 bytes = 0;
};

Quotient quotient(const workload::Workload& workload, const fabric::Network& network,
                  std::span<const LinkChange> changes, const Symmetry& symmetry);

// A run reduced by its symmetry, ready to be simulated. Refers to the workload, the network and the
// objects in the options.
class FoldedRun {
 public:
  // Nothing if there is no symmetry.
  static std::optional<FoldedRun> of(const workload::Workload& workload,
                                     const fabric::Network& network,
                                     std::span<const LinkChange> changes,
                                     const EngineOptions& options);

  // Number of messages that the run follows.
  std::int64_t messages() const;

  // The result of simulate_fluid(). Nothing if the workload cannot finish: the full run then
  // reports which devices wait.
  std::optional<Outcome> simulate() const;

 private:
  FoldedRun() = default;

  const workload::Workload* workload_ = nullptr;
  const fabric::Network* network_ = nullptr;
  EngineOptions options_;
  bool by_plan_ = false;  // circuits are reconfigured by a plan
  Symmetry symmetry_;
  Quotient folded_;
};

}  // namespace loom::simulate
