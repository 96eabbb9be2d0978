#include "loom/simulate/neighborhood.h"

#include <algorithm>
#include <map>

namespace loom::simulate {

// A single switch looks the same from every device if all its links are equal.
int neighborhood(const fabric::Network& network) {
  if (network.period > 0) return network.period;
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

workload::Groups moved_to_front(workload::Groups groups, int neighborhood) {
  const int lowest = *std::min_element(groups.members.begin(), groups.members.end());
  for (int& member : groups.members) member -= lowest - lowest % neighborhood;
  return groups;
}

std::vector<EquivalentGroups> equivalent_groups(const workload::Groups& groups,
                                                const fabric::Network& network) {
  const int period = neighborhood(network);
  std::map<std::vector<int>, std::size_t> known;  // by members, moved to the front
  std::vector<EquivalentGroups> found;
  for (GroupId group(0); group < groups.count(); ++group) {
    const auto begin = groups.members.begin() + std::ptrdiff_t{group} * groups.size;
    workload::Groups one = moved_to_front({groups.size, {begin, begin + groups.size}}, period);
    const auto [at, first] = known.try_emplace(std::move(one.members), found.size());
    if (first) found.push_back({group});
    ++found[at->second].count;
  }
  return found;
}

}  // namespace loom::simulate
