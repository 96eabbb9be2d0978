// The circuits that may suit a workload: the answers of several provisioners, for a search to
// choose from.
//
// Max-min circuits serve pairs in proportion to their bytes, or the kinds of communication in
// proportion to a power of their bytes: kinds that take turns on circuits set once wait least if
// each gets bandwidth by the square root of its bytes, and kinds that send at once if each gets
// bandwidth by its bytes. TopologyFinder arranges circuits in rings for the groups that reduce over
// rings, and in matchings for the rest. Circuits at the same shifts from every device are searched
// for all kinds of communication together (shift_layout.h). All may forward traffic.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "loom/base/recent_answers.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/workload/workload.h"

namespace loom::plan {

struct CircuitLayout {
  std::shared_ptr<const fabric::Network> network;
  fabric::Provisioned provisioned;
  std::optional<Infeasible> infeasible = {};  // why the circuits do not carry the workload
  std::vector<fabric::GroupRings> rings =
      {};               // that mutable collectives use (provision_workload.h)
  Duration busiest{0};  // time in which the busiest link carries its bytes; 0 if infeasible
};

// How many layouts are worth their time: those of a strategy among thousands, or of the best ones.
enum class LayoutEffort : std::uint8_t { quick, thorough };

class CircuitLayouts {
 public:
  using List = std::vector<std::shared_ptr<const CircuitLayout>>;

  // `fabric` must outlive this object.
  CircuitLayouts(const fabric::CircuitFabric& fabric, LayoutEffort effort)
      : fabric_(fabric), effort_(effort) {}

  // Those that carry the workload, least busy first; if none does, one that says why. Of those with
  // balanced routes, only the most promising. Thread-safe.
  List of(const workload::Workload& workload) const;

 private:
  static constexpr std::size_t kRecent = 32;

  fabric::TopologyDemand topology_demand(const workload::Workload& workload) const;
  // With circuits that are provisioned for `shares`: the demand with other numbers of bytes.
  std::shared_ptr<const CircuitLayout> for_demand(const workload::Demand& demand,
                                                  const workload::Demand& shares) const;
  std::shared_ptr<const List> for_rings(const fabric::TopologyDemand& demand,
                                        const fabric::TopologyDemand& shares) const;
  // With circuits at the same shifts from every device; none if the devices form no grid.
  List for_shifts(const workload::Workload& workload) const;

  const fabric::CircuitFabric& fabric_;
  const LayoutEffort effort_;
  // By hashes of the demand and of the shares.
  mutable RecentAnswers<std::uint64_t, CircuitLayout> for_demand_{kRecent};
  mutable RecentAnswers<std::uint64_t, List> for_rings_{kRecent};
  mutable RecentAnswers<std::uint64_t, List> for_shifts_{kRecent};
};

// The workload with its mutable collectives on the rings of the layout.
workload::Workload on_layout(workload::Workload workload, const CircuitLayout& layout);

// States how well circuits that were chosen for something else serve this demand.
void rate_for(const workload::Demand& demand, const fabric::CircuitFabric& fabric,
              fabric::Provisioned& provisioned);

}  // namespace loom::plan
