#include "loom/simulate/streams.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "loom/simulate/neighborhood.h"
#include "loom/workload/schedule.h"

namespace loom::simulate {
namespace {

// Number of links that leave each device.
std::vector<int> egress_links(const fabric::Network& network) {
  std::vector<int> links(static_cast<std::size_t>(network.devices), 0);
  for (const fabric::Link& link : network.links) {
    if (link.from < network.devices) ++links[static_cast<std::size_t>(link.from)];
  }
  return links;
}

// Whether all messages of a device leave over the same link.
bool one_egress_each(const fabric::Network& network) {
  const std::vector<int> egress = egress_links(network);
  return std::all_of(egress.begin(), egress.end(), [](int links) { return links <= 1; });
}

// The largest number of channels of equal depth that leave one rank.
int max_concurrent(const workload::Phase& phase) {
  const std::vector<int> depths = channel_depths(phase);
  std::map<std::pair<int, int>, int> counts;  // by source and depth
  int max = 0;
  for (std::size_t c = 0; c < depths.size(); ++c) {
    max = std::max(max, ++counts[{phase.channels[c].source, depths[c]}]);
  }
  return max;
}

// What the streams of a collective depend on: everything but its size.
using Shape = std::tuple<workload::CollectiveKind, workload::Algorithm, std::vector<int>,
                         std::vector<int>, int, int>;

Shape shape_of(const workload::Collective& collective, int groups) {
  return {collective.kind,  collective.algorithm, collective.levels,
          collective.steps, collective.chunks,    groups};
}

using PhaseSizes = std::vector<std::pair<Bandwidth, int>>;

// Collects the sizes of streams, the largest for each bandwidth of the first link.
class LargestStreams {
 public:
  explicit LargestStreams(const fabric::Network& network) : network_(network) {}

  void begin_group() { counts_.clear(); }

  void add(DeviceId source, DeviceId destination, int depth) {
    route_.hops.clear();
    const bool found = network_.router->find(source, destination, 0, {}, route_);
    if (!found || route_.hops.empty()) return;
    const LinkId first = route_.hops.front().link;
    int& size = largest_[network_.links[static_cast<std::size_t>(first)].bandwidth.bits_per_second];
    size = std::max(size, ++counts_[{first, depth}]);
  }

  PhaseSizes sizes() const {
    PhaseSizes sizes;
    for (const auto& [bandwidth, size] : largest_) sizes.emplace_back(Bandwidth{bandwidth}, size);
    return sizes;
  }

 private:
  const fabric::Network& network_;
  std::map<std::int64_t, int> largest_;           // by bandwidth
  std::map<std::pair<LinkId, int>, int> counts_;  // by first link and depth
  fabric::Route route_;
};

PhaseSizes phase_sizes(const workload::Phase& phase, const workload::Groups& groups,
                       const fabric::Network& network) {
  const std::vector<int> depths = channel_depths(phase);
  LargestStreams streams(network);
  for (const EquivalentGroups& it : equivalent_groups(groups, network)) {
    streams.begin_group();
    for (std::size_t c = 0; c < depths.size(); ++c) {
      const workload::Channel& channel = phase.channels[c];
      streams.add(groups.device(it.first, channel.source),
                  groups.device(it.first, channel.destination), depths[c]);
    }
  }
  return streams.sizes();
}

// The sizes if every rank sends to every other at once.
PhaseSizes exchange_sizes(const workload::Groups& groups, const fabric::Network& network) {
  LargestStreams streams(network);
  for (const EquivalentGroups& it : equivalent_groups(groups, network)) {
    for (int source = 0; source < groups.size; ++source) {
      streams.begin_group();
      for (int destination = 0; destination < groups.size; ++destination) {
        if (source == destination) continue;
        streams.add(groups.device(it.first, source), groups.device(it.first, destination), 0);
      }
    }
  }
  return streams.sizes();
}

}  // namespace

Streams::Streams(const workload::Workload& workload, const fabric::Network& network,
                 bool each_message) {
  if (each_message) return;
  const bool one_egress = one_egress_each(network);
  std::map<Shape, int> known;
  bool messages = false;
  for (const workload::Operation& it : workload.operations) {
    messages |= it.kind == workload::OperationKind::message;
    pattern_of_.push_back(-1);
    if (it.kind != workload::OperationKind::collective) continue;
    const auto& collective = workload.collectives[static_cast<std::size_t>(it.collective)];
    const auto [at, first] =
        known.try_emplace(shape_of(collective, it.groups), static_cast<int>(sizes_.size()));
    pattern_of_.back() = at->second;
    if (!first) continue;
    const workload::Groups& groups = workload.groups[static_cast<std::size_t>(it.groups)];
    Sizes& sizes = sizes_.emplace_back();
    if (const auto exchange = even_exchange(collective, groups.size)) {
      sizes.assign(exchange->phases.size(), one_egress ? PhaseSizes{{Bandwidth{}, groups.size - 1}}
                                                       : exchange_sizes(groups, network));
      continue;
    }
    for (const workload::Phase& phase : schedule(collective, groups.size).phases) {
      sizes.push_back(one_egress ? PhaseSizes{{Bandwidth{}, max_concurrent(phase)}}
                                 : phase_sizes(phase, groups, network));
    }
  }
  if (messages) sizes_.push_back({{{Bandwidth{}, 1}}});
  choose_weight();
}

// Chooses the weight of a stream so that fractions of it are integers, nearly. If all streams have
// the same size, messages have weight 1.
void Streams::choose_weight() {
  constexpr int kFine = 8;         // a message of the largest stream has this weight,
  constexpr int kWeights = 4'096;  // or less, so that the sum of all weights stays small
  int min = 0;
  int max = 0;
  for (const Sizes& pattern : sizes_) {
    for (const PhaseSizes& phase : pattern) {
      for (const auto& it : phase) {
        min = min == 0 ? it.second : std::min(min, it.second);
        max = std::max(max, it.second);
      }
    }
  }
  whole_ = min == max ? std::max(max, 1) : max * std::clamp(kWeights / max, 1, kFine);
}

int Streams::weight(OperationId operation, int phase, Bandwidth first_link) const {
  if (pattern_of_.empty()) return 1;
  const PhaseSizes& sizes =
      sizes_[static_cast<std::size_t>(pattern_of_[operation])][static_cast<std::size_t>(phase)];
  int size = sizes.empty() ? 1 : sizes.front().second;
  for (const auto& it : sizes) {
    if (it.first == first_link) size = it.second;
  }
  return std::max(1, (whole_ + size / 2) / size);
}

}  // namespace loom::simulate
