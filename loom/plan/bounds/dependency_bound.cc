#include "loom/plan/bounds/dependency_bound.h"

#include <algorithm>
#include <map>
#include <optional>

namespace loom::plan {
namespace {

using workload::CollectiveKind;
using workload::OperationKind;

// End times of an operation: one per member of its groups, or one for all of them.
struct Ends {
  Duration all{0};  // if of_member is empty; else the latest
  std::vector<Duration> of_member;
};

// The operations, each after the ones that it waits for. Operations that wait for each other never
// begin and are left out.
std::vector<std::uint32_t> in_order(const workload::Workload& workload) {
  const std::size_t count = workload.operations.size();
  std::vector<std::uint32_t> waiting(count);
  std::vector<std::uint32_t> first(count + 1, 0);
  for (std::size_t o = 0; o < count; ++o) {
    waiting[o] = workload.operations[o].after_count;
    for (const std::uint32_t before : workload.waits_for(o)) ++first[before + 1];
  }
  for (std::size_t o = 0; o < count; ++o) first[o + 1] += first[o];
  std::vector<std::uint32_t> dependents(first[count]);
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  std::vector<std::uint32_t> order;
  order.reserve(count);
  for (std::size_t o = 0; o < count; ++o) {
    for (const std::uint32_t before : workload.waits_for(o)) {
      dependents[next[before]++] = static_cast<std::uint32_t>(o);
    }
    if (waiting[o] == 0) order.push_back(static_cast<std::uint32_t>(o));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::uint32_t d = first[order[i]]; d < first[order[i] + 1]; ++d) {
      if (--waiting[dependents[d]] == 0) order.push_back(dependents[d]);
    }
  }
  return order;
}

class Chains {
 public:
  Chains(const workload::Workload& workload, const Capacity& capacity)
      : workload_(workload),
        capacity_(capacity),
        ends_(workload.operations.size()),
        members_(workload.groups.size()) {
    double lowest = 0;
    for (const std::vector<double>* side : {&capacity.egress, &capacity.ingress}) {
      for (const double it : *side) lowest = std::max(lowest, it);
    }
    fastest_ = lowest;
  }

  Duration longest() {
    Duration longest{0};
    for (const std::uint32_t o : in_order(workload_)) {
      ends_[o] = end_of(o);
      longest = std::max(longest, ends_[o].all);
    }
    return longest;
  }

 private:
  Ends end_of(std::uint32_t o) {
    const workload::Operation& it = workload_.operations[o];
    if (it.kind == OperationKind::message || it.kind == OperationKind::receive) {
      const int device = it.kind == OperationKind::message ? it.source : it.destination;
      Duration end = std::max(it.start, ready_on(o, device));
      if (it.kind == OperationKind::message && it.size.count > 0 && it.source != it.destination) {
        end = add(end, time_of(static_cast<double>(it.size.count), it.source, it.destination));
      }
      return {end, {}};
    }
    Ends ends = ready_members(o, it);
    if (it.kind == OperationKind::compute) {
      const auto work = [&](Duration ready) { return add(std::max(ready, it.start), it.time); };
      ends.all = work(ends.all);
      for (Duration& end : ends.of_member) end = work(end);
      return ends;
    }
    return joined(it, std::move(ends));
  }

  // When each member of the operation may begin. A named operation that is not on a device must
  // have ended on all its devices.
  Ends ready_members(std::uint32_t o, const workload::Operation& it) {
    const auto before = workload_.waits_for(o);
    const bool differ = std::any_of(before.begin(), before.end(),
                                    [&](std::uint32_t b) { return !ends_[b].of_member.empty(); });
    Ends ready;
    if (!differ) {
      for (const std::uint32_t b : before) ready.all = std::max(ready.all, ends_[b].all);
      return ready;
    }
    for (const int device : workload_.groups[static_cast<std::size_t>(it.groups)].members) {
      ready.of_member.push_back(ready_on(o, device));
      ready.all = std::max(ready.all, ready.of_member.back());
    }
    return ready;
  }

  Duration ready_on(std::uint32_t o, int device) {
    Duration ready{0};
    for (const std::uint32_t b : workload_.waits_for(o)) ready = std::max(ready, end_on(b, device));
    return ready;
  }

  Duration end_on(std::uint32_t o, int device) {
    const Ends& ends = ends_[o];
    if (ends.of_member.empty()) return ends.all;
    const auto groups = static_cast<std::size_t>(workload_.operations[o].groups);
    std::vector<int>& index = members_[groups];
    if (index.empty()) {
      index.assign(static_cast<std::size_t>(workload_.devices), -1);
      const std::vector<int>& members = workload_.groups[groups].members;
      for (std::size_t m = 0; m < members.size(); ++m) {
        index[static_cast<std::size_t>(members[m])] = static_cast<int>(m);
      }
    }
    const int member = index[static_cast<std::size_t>(device)];
    return member < 0 ? ends.all : ends.of_member[static_cast<std::size_t>(member)];
  }

  // Every rank of a collective needs data from every other rank, except in a broadcast.
  Ends joined(const workload::Operation& it, Ends ready) {
    const auto& collective = workload_.collectives[static_cast<std::size_t>(it.collective)];
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    const Duration transfer = last_transfer(collective, groups);
    const auto ended = [&](Duration begun) { return add(std::max(begun, it.start), transfer); };
    if (ready.of_member.empty()) return {ended(ready.all), {}};
    const auto size = static_cast<std::size_t>(groups.size);
    ready.all = Duration(0);
    for (std::size_t first = 0; first < ready.of_member.size(); first += size) {
      const auto begin = ready.of_member.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(size);
      const bool from_first = collective.kind == CollectiveKind::broadcast ||
                              collective.kind == CollectiveKind::point_to_point;
      const Duration last = ended(from_first ? *begin : *std::max_element(begin, end));
      if (collective.kind == CollectiveKind::broadcast) {
        // A rank may leave before the others join, but not before it has joined itself.
        for (auto at = begin; at != end; ++at) *at = std::max(*at, *begin);
      } else {
        std::fill(begin, end, last);
      }
      ready.all = std::max({ready.all, last, *std::max_element(begin, end)});
    }
    return ready;
  }

  // Time of the bytes that the rank that joins last must still send: its share of what the others
  // need. Of an all-reduce it may be the root, which adds the sums of the others to its own.
  Duration last_transfer(const workload::Collective& it, const workload::Groups& groups) const {
    if (groups.size < 2 || it.kind == CollectiveKind::broadcast) return Duration(0);
    const std::int64_t block = it.size.count / groups.size;
    std::int64_t bytes = it.size.count;
    if (it.kind == CollectiveKind::all_gather) bytes = block;
    if (it.kind == CollectiveKind::reduce_scatter || it.kind == CollectiveKind::all_to_all) {
      bytes = it.sizes.empty() ? block * (groups.size - 1) : 0;
    }
    return bytes == 0 ? Duration(0) : transfer_time(static_cast<double>(bytes), fastest_);
  }

  Duration time_of(double bytes, int from, int to) const {
    const auto source = static_cast<std::size_t>(from);
    const auto destination = static_cast<std::size_t>(to);
    if (source >= capacity_.egress.size() || destination >= capacity_.ingress.size()) {
      return Duration(0);
    }
    return transfer_time(bytes, std::min(capacity_.egress[source], capacity_.ingress[destination]));
  }

  Duration transfer_time(double bytes, double bits_per_second) const {
    if (bits_per_second <= 0) return Duration(0);
    constexpr double kRoundedDown = 1 - 1e-9;
    return add(capacity_.latency,
               Duration(static_cast<std::int64_t>(bytes * 8e12 / bits_per_second * kRoundedDown)));
  }

  const workload::Workload& workload_;
  const Capacity& capacity_;
  std::vector<Ends> ends_;
  std::vector<std::vector<int>> members_;  // per groups: index of a device's member, or -1
  double fastest_ = 0;                     // highest bandwidth of a device, bit/s
};

}  // namespace

Duration busiest_device(const workload::Workload& workload) {
  std::vector<Duration> of_groups(workload.groups.size(), Duration(0));
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != OperationKind::compute) continue;
    Duration& sum = of_groups[static_cast<std::size_t>(it.groups)];
    sum = add(sum, it.time);
  }
  std::vector<Duration> sums(static_cast<std::size_t>(workload.devices), Duration(0));
  Duration busiest{0};
  for (std::size_t g = 0; g < of_groups.size(); ++g) {
    if (of_groups[g].count() == 0) continue;
    for (const int device : workload.groups[g].members) {
      Duration& sum = sums[static_cast<std::size_t>(device)];
      sum = add(sum, of_groups[g]);
      busiest = std::max(busiest, sum);
    }
  }
  return busiest;
}

Duration longest_chain(const workload::Workload& workload, const Capacity& capacity) {
  return Chains(workload, capacity).longest();
}

}  // namespace loom::plan
