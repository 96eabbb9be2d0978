#include "loom/plan/job_collectives.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::plan {
namespace {

// Returns the groups shifted toward device 0 by an integer number of neighborhoods.
workload::Groups moved_to_front(workload::Groups groups, int neighborhood) {
  const int lowest = *std::min_element(groups.members.begin(), groups.members.end());
  for (int& member : groups.members) member -= lowest - lowest % neighborhood;
  return groups;
}

}  // namespace

const AlgorithmEstimate& JobCollectives::choose(const workload::Collective& wanted,
                                                const workload::Groups& groups) {
  std::uint64_t lie = mix(groups.members.size(),
                          static_cast<std::uint64_t>(groups.members.front() % neighborhood_));
  for (const int member : groups.members) {
    lie = mix(lie, static_cast<std::uint64_t>(member - groups.members.front()));
  }
  const Key key = {wanted.kind, wanted.size.count, groups.size, lie};
  return known_.answer(key, [&] { return best(wanted, moved_to_front(groups, neighborhood_)); });
}

int JobCollectives::neighborhood(const fabric::Network& network) {
  if (!network.levels.empty()) return std::max(1, network.devices / network.levels.back());
  // A single switch looks the same from every device if all its links are equal. Other networks
  // without levels may differ from device to device.
  const int center = network.devices;
  const bool plain =
      network.nodes == network.devices + 1 &&
      std::all_of(network.links.begin(), network.links.end(), [&](const fabric::Link& it) {
        const fabric::Link& first = network.links.front();
        const fabric::Link& reference =
            (it.to == center) == (first.to == center) ? first : network.links[1];
        return (it.from == center || it.to == center) && it.bandwidth == first.bandwidth &&
               it.latency == reference.latency;
      });
  return plain ? 1 : network.devices;
}

AlgorithmEstimate JobCollectives::best(const workload::Collective& wanted,
                                       const workload::Groups& groups) const {
  const std::vector<AlgorithmEstimate> estimates = estimate_algorithms(wanted, groups, network_);
  LOOM_CHECK(!estimates.empty(), "every collective of a job has an algorithm");
  for (const AlgorithmEstimate& it : estimates) {
    if (algorithm_ && it.collective.algorithm == *algorithm_) return it;
  }
  return estimates.front();
}

}  // namespace loom::plan
