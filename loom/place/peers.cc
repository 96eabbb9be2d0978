#include "loom/place/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace loom::place {

Peers::Peers(int group, int replicas, const PlacementLimits& limits, bool ring)
    : group_(group),
      replicas_(replicas),
      limits_(limits),
      known_(static_cast<std::size_t>(group) * static_cast<std::size_t>(group), 0),
      sends_to_(static_cast<std::size_t>(group), replicas > 1 ? 1 : 0),
      gets_from_(sends_to_) {
  if (!ring || group == 1) return;
  for (int d = 0; d < group; ++d) connect(d, (d + 1) % group);
}

std::optional<Infeasible> Peers::objection() const {
  const int needed = *std::max_element(sends_to_.begin(), sends_to_.end());
  if (limits_.degree && needed > *limits_.degree) {
    return Infeasible{fmt::format("degree {}; {} {} needed, one per ring ({})", *limits_.degree,
                                  needed, needed == 1 ? "is" : "are",
                                  needed == 2      ? "group and replicas"
                                  : replicas_ == 1 ? "group"
                                                   : "replicas")};
  }
  if (limits_.ring_distance && replicas_ > 1 && group_ > *limits_.ring_distance) {
    return Infeasible{fmt::format("ring distance {}; replicas of {} devices are {} apart",
                                  *limits_.ring_distance, group_, group_)};
  }
  if (limits_.ring_distance && group_ > 1 && *limits_.ring_distance < 1) {
    return Infeasible{
        fmt::format("ring distance {}; neighbors are 1 apart", *limits_.ring_distance)};
  }
  return std::nullopt;
}

bool Peers::connect(int from, int to) {
  char& known = known_[static_cast<std::size_t>(from) * static_cast<std::size_t>(group_) +
                       static_cast<std::size_t>(to)];
  if (known != 0 || from == to) return true;
  known = 1;
  const int sends = ++sends_to_[static_cast<std::size_t>(from)];
  const int gets = ++gets_from_[static_cast<std::size_t>(to)];
  const int apart = std::abs(from - to);
  const int distance = std::min(apart, group_ * replicas_ - apart);
  return (!limits_.degree || std::max(sends, gets) <= *limits_.degree) &&
         (!limits_.ring_distance || distance <= *limits_.ring_distance);
}

bool Peers::add(const parallelize::Transfer& transfer) {
  const std::vector<int>& devices = transfer.devices;
  if (transfer.kind == workload::CollectiveKind::point_to_point)
    return connect(devices[0], devices[1]);
  bool allowed = true;
  for (std::size_t i = 0; i < devices.size() && allowed; ++i) {
    if (transfer.kind != workload::CollectiveKind::all_to_all) {
      allowed = connect(devices[i], devices[(i + 1) % devices.size()]);
      continue;
    }
    for (const int to : devices) allowed = allowed && connect(devices[i], to);
  }
  return allowed;
}

std::optional<Peers> Peers::with(const std::vector<parallelize::Transfer>& transfers) const {
  Peers more = *this;
  for (const parallelize::Transfer& it : transfers) {
    if (!more.add(it)) return std::nullopt;
  }
  return more;
}

}  // namespace loom::place
