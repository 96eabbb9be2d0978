#include "loom/plan/bounds/traffic_bound.h"

#include <algorithm>
#include <functional>

namespace loom::plan {
namespace {

using workload::CollectiveKind;

// Time rounded down, minus a margin for the rounding of floating-point sums.
Duration time_of(double bytes, double bits_per_second) {
  if (bytes <= 0 || bits_per_second <= 0) return Duration(0);
  constexpr double kRoundedDown = 1 - 1e-9;
  const double picoseconds = bytes * 8e12 / bits_per_second * kRoundedDown;
  return Duration(
      static_cast<std::int64_t>(std::min(picoseconds, static_cast<double>(kForever.count()) / 4)));
}

// Bytes that all ranks of a group together send at least, with any algorithm.
double min_bytes(const workload::Collective& it, int ranks) {
  const double size = static_cast<double>(it.size.count) * (ranks - 1);
  switch (it.kind) {
    case CollectiveKind::all_reduce:
      return 2 * size;
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_gather:
    case CollectiveKind::broadcast:
      return size;
    case CollectiveKind::all_to_all:
    case CollectiveKind::point_to_point:
      break;
  }
  return 0;  // these have fixed pairs
}

// Number of hops × bytes of a group on a ring, relative to the size of its collective. Any two gaps
// between neighbors in the group separate its ranks into two sides; an all-reduce carries its size
// over them in each direction, the others at least in one. So all gaps but one carry it twice or
// all once.
double ring_crossings(const RingHops& ring, const workload::Collective& it,
                      std::vector<int> members) {
  std::sort(members.begin(), members.end());
  const auto ranks = static_cast<int>(members.size());
  int shortest = ring.devices;
  int longest = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const int next = i + 1 < members.size() ? members[i + 1] : members[0] + ring.devices;
    shortest = std::min(shortest, next - members[i]);
    longest = std::max(longest, next - members[i]);
  }
  const double by_rank = min_bytes(it, ranks) * shortest;
  const double separated = std::min(ring.devices, 2 * (ring.devices - longest));
  const double both = it.kind == CollectiveKind::all_reduce ? 1 : 0.5;
  return std::max(by_rank, both * separated * static_cast<double>(it.size.count));
}

// The distance of the two nearest ranks.
int nearest(const LinkHops& links, const int* members, int ranks) {
  int hops = links.between(members[0], members[1]);
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < ranks; ++b) {
      if (a != b) hops = std::min(hops, links.between(members[a], members[b]));
    }
  }
  return hops;
}

// Whether each group is the first one moved along the ring.
bool moved_copies(const workload::Groups& groups, int devices) {
  for (std::size_t i = static_cast<std::size_t>(groups.size); i < groups.members.size(); ++i) {
    const std::size_t rank = i % static_cast<std::size_t>(groups.size);
    const int moved = groups.members[i] - groups.members[i - rank];
    const int first = groups.members[rank] - groups.members[0];
    if ((moved - first) % devices != 0) return false;
  }
  return true;
}

template <class Between>
double sum_of_pairs(const int* members, int ranks, const Between& between) {
  double sum = 0;
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < ranks; ++b) {
      if (a != b) sum += between(members[a], members[b]);
    }
  }
  return sum;
}

// Sum of the distances of all pairs of a group on a ring. Groups with even spacing, which are most,
// have as many pairs of a distance as they have pairs that many ranks apart.
double sum_on_ring(const RingHops& ring, const int* members, int ranks) {
  const int step = members[1] - members[0];
  for (int i = 1; i < ranks; ++i) {
    if (step < 1 || members[i] - members[i - 1] != step) {
      return sum_of_pairs(members, ranks, [&](int a, int b) { return ring.between(a, b); });
    }
  }
  double sum = 0;
  for (int apart = 1; apart < ranks; ++apart) {
    sum += (ranks - apart) * (static_cast<double>(ring.between(0, apart * step % ring.devices)) +
                              ring.between(apart * step % ring.devices, 0));
  }
  return sum;
}

// The minimum sum of hops for messages of equal size to so many devices.
double min_hops(int peers, int degree) {
  double sum = 0;
  double around = 1;
  for (int hops = 1; peers > 0; ++hops) {
    around = std::min<double>(peers, around * degree);
    sum += around * hops;
    peers -= static_cast<int>(around);
  }
  return sum;
}

}  // namespace

double min_byte_hops(std::vector<double> sizes, int degree) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0;
  std::size_t reached = 0;  // devices closer than this distance
  std::size_t around = 1;   // devices at this distance
  for (int hops = 1; reached < sizes.size(); ++hops) {
    around = std::min(sizes.size(), around * static_cast<std::size_t>(degree));
    const std::size_t end = std::min(sizes.size(), reached + around);
    for (; reached < end; ++reached) sum += sizes[reached] * hops;
  }
  return sum;
}

TrafficBound::TrafficBound(const Capacity& capacity, int devices)
    : capacity_(capacity), out_(static_cast<std::size_t>(devices), 0), in_(out_) {}

void TrafficBound::add(const workload::Collective& it, const workload::Groups& groups, double times,
                       int kind) {
  if (groups.size < 2 || groups.members.empty()) return;
  const bool even = it.kind == CollectiveKind::all_to_all && it.sizes.empty();
  if (!even && (it.kind == CollectiveKind::all_to_all || !it.sizes.empty() ||
                it.kind == CollectiveKind::point_to_point)) {
    return add_pairs(it, groups, times, kind);
  }
  add_ends(it, groups, times);
  if (even) {
    const auto block = static_cast<double>(it.size.count / groups.size);
    carried_ += hops_of_exchange(groups, block * times);
    return;
  }
  const auto* ring = std::get_if<RingHops>(&capacity_.hops);
  const auto* links = std::get_if<LinkHops>(&capacity_.hops);
  for (int g = 0; g < groups.count(); ++g) {
    const int* first = groups.members.data() + std::ptrdiff_t{g} * groups.size;
    if (ring != nullptr) {
      carried_ += times * ring_crossings(*ring, it, {first, first + groups.size});
    } else {
      const int hops = links != nullptr ? nearest(*links, first, groups.size) : 1;
      carried_ += times * hops * min_bytes(it, groups.size);
    }
  }
}

void TrafficBound::add_message(int from, int to, double bytes, int kind) {
  if (from == to || bytes <= 0) return;
  messages_[{capacity_.by_phase ? kind : 0, from, to}] += bytes;
  out_[static_cast<std::size_t>(from)] += bytes;
  in_[static_cast<std::size_t>(to)] += bytes;
}

// Blocks differ by a byte if the number of ranks does not divide the size; the smaller size is a
// lower bound.
void TrafficBound::add_ends(const workload::Collective& it, const workload::Groups& groups,
                            double times) {
  const double size = static_cast<double>(it.size.count) * times;
  const double block = static_cast<double>(it.size.count / groups.size) * times;
  const double others = block * (groups.size - 1);
  double out = others;
  double in = others;
  if (it.kind == CollectiveKind::all_reduce) out = in = size;
  if (it.kind == CollectiveKind::reduce_scatter) in = block;
  if (it.kind == CollectiveKind::all_gather) out = block;
  if (it.kind == CollectiveKind::broadcast) {
    out = 0;
    in = size;
  }
  for (const int device : groups.members) {
    out_[static_cast<std::size_t>(device)] += out;
    in_[static_cast<std::size_t>(device)] += in;
  }
  if (it.kind != CollectiveKind::broadcast) return;
  for (int g = 0; g < groups.count(); ++g) {
    in_[static_cast<std::size_t>(groups.device(g, 0))] -= size;
    out_[static_cast<std::size_t>(groups.device(g, 0))] += size;
  }
}

void TrafficBound::add_pairs(const workload::Collective& it, const workload::Groups& groups,
                             double times, int kind) {
  const auto ranks = static_cast<std::size_t>(groups.size);
  for (int g = 0; g < groups.count(); ++g) {
    if (it.kind == CollectiveKind::point_to_point) {
      add_message(groups.device(g, 0), groups.device(g, 1),
                  static_cast<double>(it.size.count) * times, kind);
      continue;
    }
    for (std::size_t b = 0; b < it.sizes.size(); ++b) {
      add_message(groups.device(g, static_cast<int>(b / ranks)),
                  groups.device(g, static_cast<int>(b % ranks)),
                  static_cast<double>(it.sizes[b].count) * times, kind);
    }
  }
}

// Bytes × hops of an exchange in which all ranks of each group send so many bytes to each other.
double TrafficBound::hops_of_exchange(const workload::Groups& groups, double bytes) const {
  const double pairs = static_cast<double>(groups.size) * (groups.size - 1);
  if (const auto* moore = std::get_if<MooreHops>(&capacity_.hops)) {
    const auto devices = static_cast<double>(groups.members.size());
    return bytes * devices * min_hops(groups.size - 1, moore->degree);
  }
  const auto* ring = std::get_if<RingHops>(&capacity_.hops);
  const auto* links = std::get_if<LinkHops>(&capacity_.hops);
  if (ring == nullptr && links == nullptr) return bytes * pairs * groups.count();
  const bool copies = ring != nullptr && moved_copies(groups, ring->devices);
  double sum = 0;
  for (int g = 0; g < (copies ? 1 : groups.count()); ++g) {
    const int* first = groups.members.data() + std::ptrdiff_t{g} * groups.size;
    sum += ring != nullptr ? sum_on_ring(*ring, first, groups.size)
                           : sum_of_pairs(first, groups.size,
                                          [&](int a, int b) { return links->between(a, b); });
  }
  return bytes * sum * (copies ? groups.count() : 1);
}

double TrafficBound::hops_of_messages() const {
  double sum = 0;
  const auto* moore = std::get_if<MooreHops>(&capacity_.hops);
  if (moore == nullptr) {
    for (const auto& [ends, bytes] : messages_) {
      const auto& [kind, from, to] = ends;
      int hops = 1;
      if (const auto* ring = std::get_if<RingHops>(&capacity_.hops)) hops = ring->between(from, to);
      if (const auto* links = std::get_if<LinkHops>(&capacity_.hops)) {
        hops = links->between(from, to);
      }
      sum += bytes * hops;
    }
    return sum;
  }
  std::map<std::pair<int, int>, std::vector<double>> leaving;  // by kind and device
  std::map<std::pair<int, int>, std::vector<double>> arriving;
  for (const auto& [ends, bytes] : messages_) {
    const auto& [kind, from, to] = ends;
    leaving[{kind, from}].push_back(bytes);
    arriving[{kind, to}].push_back(bytes);
  }
  const auto all = [&](const auto& sides) {
    double bytes = 0;
    for (const auto& it : sides) bytes += min_byte_hops(it.second, moore->degree);
    return bytes;
  };
  return std::max(all(leaving), all(arriving));
}

Duration TrafficBound::of_devices() const {
  Duration longest{0};
  const auto devices = std::min(out_.size(), capacity_.egress.size());
  for (std::size_t d = 0; d < devices; ++d) {
    longest = std::max(
        {longest, time_of(out_[d], capacity_.egress[d]), time_of(in_[d], capacity_.ingress[d])});
  }
  return longest;
}

Duration TrafficBound::of_hops() { return time_of(carried_ + hops_of_messages(), capacity_.total); }

}  // namespace loom::plan
