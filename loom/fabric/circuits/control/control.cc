#include "loom/fabric/circuits/control/control.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "loom/base/error.h"

namespace loom::fabric {
namespace {

LinkId link_of(const Network& network, NodeId from, NodeId to) {
  const auto found = std::lower_bound(
      network.links.begin(), network.links.end(), std::pair(from, to),
      [](const Link& it, const auto& pair) { return std::pair(it.from, it.to) < pair; });
  LOOM_CHECK(found != network.links.end() && found->from == from && found->to == to,
             "every circuit connects a pair that has a link in the network");
  return LinkId(found - network.links.begin());
}

}  // namespace

std::vector<Bandwidth> link_bandwidths(const CircuitFabric& fabric, const Network& network,
                                       const Circuits& circuits) {
  std::vector<Bandwidth> bandwidths(network.links.size(), Bandwidth{0});
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    const Link& link = network.links[l];
    const bool packets = link.from >= network.devices || link.to >= network.devices;
    if (packets) bandwidths[l] = link.bandwidth;
  }
  for (const PairCircuits& it : by_pair(circuits)) {
    bandwidths[static_cast<std::size_t>(link_of(network, NodeId(it.from), NodeId(it.to)))] = {
        it.count * fabric.circuit.bits_per_second};
  }
  return bandwidths;
}

CircuitChange change_between(const CircuitFabric& fabric, const Network& network,
                             const Circuits& before, const Circuits& after) {
  Circuits stay;
  std::set_intersection(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(stay));
  struct Counts {
    int before = 0;
    int stay = 0;
    int after = 0;
  };
  std::map<std::pair<int, int>, Counts> pairs;
  for (const Circuit& it : before) ++pairs[{it.from, it.to}].before;
  for (const Circuit& it : stay) ++pairs[{it.from, it.to}].stay;
  for (const Circuit& it : after) ++pairs[{it.from, it.to}].after;
  CircuitChange change;
  for (const auto& pair : pairs) {
    const Counts& counts = pair.second;
    if (counts.stay == counts.before && counts.stay == counts.after) continue;
    const LinkId link = link_of(network, NodeId(pair.first.first), NodeId(pair.first.second));
    const auto bandwidth = [&](int circuits) {
      return Bandwidth{circuits * fabric.circuit.bits_per_second};
    };
    if (counts.stay != counts.before) change.switching.push_back({link, bandwidth(counts.stay)});
    if (counts.stay != counts.after) change.switched.push_back({link, bandwidth(counts.after)});
  }
  return change;
}

}  // namespace loom::fabric
