// Converts a task graph to a workload.
//
// A flow ends when its last byte is acknowledged, so it becomes two messages: the data, and an
// empty message in the opposite direction, for which dependent tasks wait. An all-reduce runs
// around a ring in rounds; a round starts when all flows of the previous round have ended. Our ring
// collectives have no such barrier, so every round becomes a set of flows. If the fabric chooses
// the rings, the all-reduce becomes a collective instead.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "loom/foreign/flexflow.h"

namespace loom::foreign {
namespace {

using Index = std::uint32_t;  // index of an operation

// Packet size of the authors' simulator in bytes. There, an all-reduce with less than one packet
// per flow ends after one round, which costs only latency.
constexpr std::int64_t kPacket = 9000;

constexpr std::string_view kNames[] = {"forward", "backward", "transfer",  "update",
                                       "barrier", "transfer", "all_reduce"};

std::string name_of(const GraphTask& task, std::size_t index) {
  return fmt::format("{}{}", kNames[static_cast<std::size_t>(task.kind)], index);
}

bool tiny(const GraphTask& all_reduce) {
  return all_reduce.size.count < kPacket * static_cast<std::int64_t>(all_reduce.next.size());
}

std::int64_t rounds(const GraphTask& all_reduce) {
  const auto ranks = static_cast<std::int64_t>(all_reduce.next.size());
  if (ranks == 1) return 0;
  return tiny(all_reduce) ? 1 : 2 * (ranks - 1);
}

// True if the task transfers data between two different servers.
bool crosses(const TaskGraph& graph, const GraphTask& task) {
  if (task.device < 0) return false;
  const TaskDevice& device = graph.devices[static_cast<std::size_t>(task.device)];
  return device.pair() && device.node != device.destination;
}

bool is_collective(const GraphTask& task, AllReduces all_reduces) {
  return all_reduces == AllReduces::collectives && task.next.size() > 1 && !tiny(task);
}

std::int64_t operations_of(const TaskGraph& graph, const GraphTask& task, AllReduces all_reduces) {
  if (task.kind != TaskKind::all_reduce) return crosses(graph, task) ? 2 : 1;
  if (is_collective(task, all_reduces)) return 2;
  const auto flows = 2 * static_cast<std::int64_t>(task.next.size());
  return 1 + std::max<std::int64_t>(0, rounds(task) * (flows + 1) - 1);
}

class Builder {
 public:
  Builder(const TaskGraph& graph, int servers, AllReduces all_reduces)
      : graph_(graph), all_reduces_(all_reduces) {
    made_.devices = servers;
    place_devices(servers);
    find_waits();
  }

  workload::Workload take() {
    for (std::size_t i = 0; i < graph_.tasks.size(); ++i) write(i);
    return std::move(made_);
  }

 private:
  // Assigns a device of the workload to each device of the graph. The first device of a server
  // becomes the server itself.
  void place_devices(int servers) {
    std::vector<bool> taken(static_cast<std::size_t>(servers), false);
    for (const TaskDevice& it : graph_.devices) {
      const auto node = static_cast<std::size_t>(it.node);
      const bool first = !it.pair() && !taken[node];
      if (first) taken[node] = true;
      place_.push_back(first || it.pair() ? it.node : made_.devices++);
    }
  }

  // Finds the first and last operation of every task, and the operations for which each task waits.
  void find_waits() {
    Index next = 0;
    for (const GraphTask& task : graph_.tasks) {
      first_.push_back(next);
      next += static_cast<Index>(operations_of(graph_, task, all_reduces_));
    }
    first_.push_back(next);
    waits_.resize(graph_.tasks.size());
    for (std::size_t i = 0; i < graph_.tasks.size(); ++i) {
      if (graph_.tasks[i].kind == TaskKind::all_reduce) continue;
      for (const int after : graph_.tasks[i].next) {
        waits_[static_cast<std::size_t>(after)].push_back(first_[i + 1] - 1);
      }
    }
    made_.operations.reserve(next);
    made_.names.reserve(next);
  }

  void write(std::size_t index) {
    const GraphTask& task = graph_.tasks[index];
    const std::string name = name_of(task, index);
    if (task.kind == TaskKind::all_reduce) return all_reduce(task, waits_[index], name);
    if (crosses(graph_, task)) {
      const TaskDevice& pair = graph_.devices[static_cast<std::size_t>(task.device)];
      return flow(pair.node, pair.destination, task.size, waits_[index], name);
    }
    if (task.device < 0) return nowhere(task.runtime, 0, waits_[index], name);
    const TaskDevice& device = graph_.devices[static_cast<std::size_t>(task.device)];
    if (device.pair()) return gate(device.node, waits_[index], name);
    const int at = place_[static_cast<std::size_t>(task.device)];
    if (task.kind == TaskKind::barrier && task.runtime.count() == 0) {
      return gate(at, waits_[index], name);
    }
    compute(at, time_on(device, task), waits_[index], name);
  }

  // The time of a task on its device: at least 1 ps, because a task of zero time would not occupy
  // the device.
  static Duration time_on(const TaskDevice& device, const GraphTask& task) {
    const bool by_size = task.runtime.count() == 0 && device.bandwidth.bits_per_second > 0;
    const Duration time = by_size ? transfer_time(task.size, device.bandwidth) : task.runtime;
    return std::max(time, Duration(1));
  }

  void add(workload::Operation operation, std::span<const Index> waits, std::string name) {
    operation.first_after = static_cast<Index>(made_.after.size());
    operation.after_count = static_cast<Index>(waits.size());
    made_.after.insert(made_.after.end(), waits.begin(), waits.end());
    made_.operations.push_back(operation);
    made_.names.push_back(std::move(name));
  }

  void compute(int device, Duration time, std::span<const Index> waits, std::string name) {
    own_groups_.resize(static_cast<std::size_t>(made_.devices), -1);
    int& groups = own_groups_[static_cast<std::size_t>(device)];
    if (groups < 0) {
      groups = static_cast<int>(made_.groups.size());
      made_.groups.push_back({1, {device}});
    }
    add({.kind = workload::OperationKind::compute, .groups = groups, .time = time}, waits,
        std::move(name));
  }

  void gate(int device, std::span<const Index> waits, std::string name) {
    compute(device, Duration(0), waits, std::move(name));
  }

  // Adds a computation that keeps no existing device busy: it gets a new device, unless its time is
  // zero.
  void nowhere(Duration time, int gate_at, std::span<const Index> waits, std::string name) {
    const int device = time.count() == 0 ? gate_at : made_.devices++;
    compute(device, time, waits, std::move(name));
  }

  Index next() const { return static_cast<Index>(made_.operations.size()); }

  void flow(int source, int destination, Bytes size, std::span<const Index> waits,
            const std::string& name) {
    const Index sent = next();
    message(source, destination, size, waits, name);
    message(destination, source, Bytes{0}, {&sent, 1}, name + ".acknowledged");
  }

  void message(int source, int destination, Bytes size, std::span<const Index> waits,
               std::string name) {
    add({.kind = workload::OperationKind::message,
         .source = source,
         .destination = destination,
         .size = size},
        waits, std::move(name));
  }

  void all_reduce(const GraphTask& task, std::span<const Index> waits, const std::string& name) {
    nowhere(task.runtime, task.next.front(), waits, name);
    if (is_collective(task, all_reduces_)) return collective(task, next() - 1, name + ".servers");
    for (std::int64_t round = 0; round < rounds(task); ++round) {
      const Index before = next() - 1;
      if (round == 0) {
        one_round(task, round, before, name);
        continue;
      }
      std::vector<Index> ended;
      for (std::size_t rank = 0; rank < task.next.size(); ++rank) {
        ended.push_back(before - static_cast<Index>(2 * rank));
      }
      gate(task.next.front(), ended, fmt::format("{}.{}", name, round));
      one_round(task, round, next() - 1, name);
    }
  }

  void collective(const GraphTask& task, Index after, std::string name) {
    const auto [at, is_new] =
        together_.try_emplace(task.next, static_cast<int>(made_.groups.size()));
    if (is_new) made_.groups.push_back({static_cast<int>(task.next.size()), task.next});
    const auto number = static_cast<std::int32_t>(made_.collectives.size());
    made_.collectives.push_back({.kind = workload::CollectiveKind::all_reduce, .size = task.size});
    add({.kind = workload::OperationKind::collective, .groups = at->second, .collective = number},
        {&after, 1}, std::move(name));
  }

  // Adds the flows of one round: rank r sends block r - round to the next rank, as in
  // workload/rings.cc.
  void one_round(const GraphTask& task, std::int64_t round, Index after, const std::string& name) {
    const auto ranks = static_cast<std::int64_t>(task.next.size());
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const std::int64_t block = (rank - round % ranks + ranks) % ranks;
      const Bytes size = tiny(task) ? Bytes{0} : piece(task.size, ranks, block);
      flow(task.next[static_cast<std::size_t>(rank)],
           task.next[static_cast<std::size_t>((rank + 1) % ranks)], size, {&after, 1},
           fmt::format("{}.{}.{}", name, round, rank));
    }
  }

  const TaskGraph& graph_;
  AllReduces all_reduces_;
  workload::Workload made_;
  std::vector<int> place_;                 // per device of the graph: device of the workload
  std::vector<Index> first_;               // per task: its first operation
  std::vector<std::vector<Index>> waits_;  // per task: operations for which it waits
  std::vector<int> own_groups_;            // per device: the group that contains only that device
  std::map<std::vector<int>, int> together_;  // group of a collective by its members
};

}  // namespace

std::int64_t operation_count(const TaskGraph& graph) {
  std::int64_t count = 0;
  for (const GraphTask& task : graph.tasks) {
    count += operations_of(graph, task, AllReduces::written_out);
  }
  return count;
}

workload::Workload to_workload(const TaskGraph& graph, int servers, AllReduces all_reduces) {
  LOOM_CHECK(servers >= graph.nodes, "a network connects all servers of a task graph");
  return Builder(graph, servers, all_reduces).take();
}

}  // namespace loom::foreign
