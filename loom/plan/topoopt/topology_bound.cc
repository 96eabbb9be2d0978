#include "loom/plan/topoopt/topology_bound.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

#include "loom/simulate/readiness.h"

namespace loom::plan {
namespace {

// Length of the longest dependency chain if devices run any number of tasks at once and the network
// takes no time.
class Chains {
 public:
  explicit Chains(const workload::Workload& workload)
      : workload_(workload), readiness_(workload), joined_(workload.operations.size()) {}

  Duration longest() {
    for (OperationId o(0); o < workload_.operations.size(); ++o) {
      const Duration start = workload_.operations[o].start;
      if (start.count() > 0) events_.push({start, o, DeviceId(-1)});
    }
    begin_ready();
    while (!events_.empty()) {
      const Event it = events_.top();
      events_.pop();
      now_ = std::get<0>(it);
      const DeviceId device = std::get<2>(it);
      if (device < 0) {
        readiness_.start_time_has_come(std::get<1>(it));
      } else {
        readiness_.finish(std::get<1>(it), device);
      }
      begin_ready();
    }
    return now_;
  }

 private:
  using Event = std::tuple<Duration, OperationId, DeviceId>;

  void begin_ready() {
    while (!readiness_.ready().empty()) {
      std::vector<simulate::RankTask> ready;
      std::swap(ready, readiness_.ready());
      for (const simulate::RankTask& task : ready) begin(task);
    }
  }

  void begin(const simulate::RankTask& task) {
    const workload::Operation& it = workload_.operations[task.operation];
    if (it.kind == workload::OperationKind::message)
      return readiness_.finish_message(task.operation);
    if (it.kind == workload::OperationKind::collective) return join(task, it);
    const DeviceId device = readiness_.device(task.operation, task.index);
    if (it.kind == workload::OperationKind::receive || it.time.count() == 0) {
      return readiness_.finish(task.operation, device);
    }
    events_.push({now_ + it.time, task.operation, device});
  }

  // Every rank of a collective needs data from every other rank, except in a broadcast.
  void join(const simulate::RankTask& task, const workload::Operation& it) {
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    const auto kind = workload_.collectives[static_cast<std::size_t>(it.collective)].kind;
    if (kind == workload::CollectiveKind::broadcast) {
      return readiness_.finish(task.operation, readiness_.device(task.operation, task.index));
    }
    std::vector<int>& ranks = joined_[task.operation];
    ranks.resize(static_cast<std::size_t>(groups.count()), 0);
    const int group = task.index / groups.size;
    if (++ranks[static_cast<std::size_t>(group)] < groups.size) return;
    for (int rank = 0; rank < groups.size; ++rank) {
      readiness_.finish(task.operation, groups.device(group, rank));
    }
  }

  const workload::Workload& workload_;
  simulate::Readiness readiness_;
  std::vector<std::vector<int>> joined_;  // ranks that have arrived, by operation and group
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Duration now_{0};
};

Duration busiest_computer(const workload::Workload& workload) {
  std::vector<Duration> sums(static_cast<std::size_t>(workload.devices), Duration(0));
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::compute) continue;
    for (const int device : workload.groups[static_cast<std::size_t>(it.groups)].members) {
      sums[static_cast<std::size_t>(device)] += it.time;
    }
  }
  return sums.empty() ? Duration(0) : *std::max_element(sums.begin(), sums.end());
}

// Minimum bytes that a workload sends, with any routes.
struct Needed {
  std::map<std::pair<int, int>, std::int64_t> pairs;  // of messages and all-to-alls
  std::vector<double> out;  // sent by each device in other collectives, with any algorithm
  std::vector<double> in;   // received by each device in these collectives
  double collective = 0;    // total of these collectives
};

// Adds one group of a collective that runs `times` times.
void add_group(const workload::Collective& it, const workload::Groups& groups, int group,
               double times, Needed& needed) {
  const auto n = static_cast<double>(groups.size);
  const double size = static_cast<double>(it.size.count) * times;
  if (groups.size < 2) return;
  const auto each = [&](double out, double in) {
    for (int rank = 0; rank < groups.size; ++rank) {
      needed.out[static_cast<std::size_t>(groups.device(group, rank))] += out;
      needed.in[static_cast<std::size_t>(groups.device(group, rank))] += in;
    }
  };
  // Blocks differ by a byte if the number of ranks does not divide the size; the smaller size is a
  // lower bound.
  const std::int64_t min_bytes = it.size.count / groups.size;
  const double min_block = static_cast<double>(min_bytes) * times;
  switch (it.kind) {
    case workload::CollectiveKind::all_reduce:
      needed.collective += 2 * (n - 1) * size;
      return each(size, size);
    case workload::CollectiveKind::reduce_scatter:
      needed.collective += (n - 1) * size;
      return each((n - 1) * min_block, min_block);
    case workload::CollectiveKind::all_gather:
      needed.collective += (n - 1) * size;
      return each(min_block, (n - 1) * min_block);
    case workload::CollectiveKind::broadcast:
      needed.collective += (n - 1) * size;
      each(0, size);
      needed.in[static_cast<std::size_t>(groups.device(group, 0))] -= size;
      needed.out[static_cast<std::size_t>(groups.device(group, 0))] += size;
      return;
    case workload::CollectiveKind::all_to_all:
    case workload::CollectiveKind::point_to_point:
      return;
  }
}

void add_pairs(const workload::Collective& it, const workload::Groups& groups, int group,
               std::int64_t times, Needed& needed) {
  const auto pair = [&](int from, int to, std::int64_t bytes) {
    if (from == to || bytes == 0) return;
    needed.pairs[{groups.device(group, from), groups.device(group, to)}] += bytes * times;
  };
  if (it.kind == workload::CollectiveKind::point_to_point) return pair(0, 1, it.size.count);
  if (it.kind != workload::CollectiveKind::all_to_all) return;
  for (int from = 0; from < groups.size; ++from) {
    for (int to = 0; to < groups.size; ++to) {
      const auto index = static_cast<std::size_t>(from) * static_cast<std::size_t>(groups.size) +
                         static_cast<std::size_t>(to);
      pair(from, to, it.sizes.empty() ? it.size.count / groups.size : it.sizes[index].count);
    }
  }
}

Needed needed_by(const workload::Workload& workload) {
  Needed needed;
  needed.out.resize(static_cast<std::size_t>(workload.devices), 0);
  needed.in = needed.out;
  std::map<std::pair<int, int>, std::int64_t> uses;  // number of uses, by collective and groups
  for (const workload::Operation& it : workload.operations) {
    if (it.kind == workload::OperationKind::message && it.source != it.destination &&
        it.size.count > 0) {
      needed.pairs[{it.source, it.destination}] += it.size.count;
    }
    if (it.kind == workload::OperationKind::collective) ++uses[{it.collective, it.groups}];
  }
  for (const auto& use : uses) {
    const workload::Collective& it =
        workload.collectives[static_cast<std::size_t>(use.first.first)];
    const workload::Groups& groups = workload.groups[static_cast<std::size_t>(use.first.second)];
    for (int group = 0; group < groups.count(); ++group) {
      add_group(it, groups, group, static_cast<double>(use.second), needed);
      add_pairs(it, groups, group, use.second, needed);
    }
  }
  return needed;
}

// Minimum sum of bytes × hops of all messages and all-to-alls: the larger of the bounds by source
// and by destination.
double min_traffic(const Needed& needed, int devices, int degree) {
  std::vector<std::vector<std::int64_t>> leaving(static_cast<std::size_t>(devices));
  std::vector<std::vector<std::int64_t>> arriving(static_cast<std::size_t>(devices));
  for (const auto& it : needed.pairs) {
    leaving[static_cast<std::size_t>(it.first.first)].push_back(it.second);
    arriving[static_cast<std::size_t>(it.first.second)].push_back(it.second);
  }
  double out = 0;
  double in = 0;
  for (std::vector<std::int64_t>& it : leaving) out += min_byte_hops(std::move(it), degree);
  for (std::vector<std::int64_t>& it : arriving) in += min_byte_hops(std::move(it), degree);
  return std::max(out, in);
}

// Time rounded down, minus a margin for the rounding of floating-point sums.
Duration time_of(double bytes, double bits_per_second) {
  return Duration(static_cast<std::int64_t>(bytes * 8e12 / bits_per_second * (1 - 1e-12)));
}

}  // namespace

Duration TopologyBound::time() const { return std::max({compute, servers, network}); }

double min_byte_hops(std::vector<std::int64_t> sizes, int degree) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0;
  std::size_t reached = 0;  // servers closer than this distance
  std::size_t around = 1;   // servers at this distance
  const std::size_t all = sizes.size();
  for (int hops = 1; reached < all; ++hops) {
    around = std::min(all, around * static_cast<std::size_t>(degree));
    const std::size_t end = std::min(all, reached + around);
    for (; reached < end; ++reached) sum += static_cast<double>(sizes[reached]) * hops;
  }
  return sum;
}

TopologyBound topology_bound(const workload::Workload& workload, int servers, int degree,
                             Bandwidth link) {
  Needed needed = needed_by(workload);
  const double carried = min_traffic(needed, workload.devices, degree) + needed.collective;
  for (const auto& it : needed.pairs) {
    needed.out[static_cast<std::size_t>(it.first.first)] += static_cast<double>(it.second);
    needed.in[static_cast<std::size_t>(it.first.second)] += static_cast<double>(it.second);
  }
  double max_bytes = 0;
  for (const double it : needed.out) max_bytes = std::max(max_bytes, it);
  for (const double it : needed.in) max_bytes = std::max(max_bytes, it);
  const double server = static_cast<double>(degree) * static_cast<double>(link.bits_per_second);
  TopologyBound bound;
  bound.compute = std::max(busiest_computer(workload), Chains(workload).longest());
  bound.servers = time_of(max_bytes, server);
  bound.network = time_of(carried, server * servers);
  return bound;
}

}  // namespace loom::plan
