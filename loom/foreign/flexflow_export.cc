// Converts a workload to a task graph.
//
// Expands all operations to computations and messages (workload/expand.cc), each of which becomes a
// task. Exception: a ring all-reduce on which no operation depends is not expanded; it becomes an
// all_reduce task. Stand-ins replace it during the expansion: one computation of zero time per
// member, which shows what that member waits for and becomes no task. A message that queues behind
// another waits for the end of that message.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "loom/foreign/flexflow.h"
#include "loom/workload/expanded_layout.h"

namespace loom::foreign {
namespace {

// Per operation: true for a ring all-reduce that becomes an all_reduce task. In the file format, no
// task can wait for such a task.
std::vector<bool> leaf_rings(const workload::Workload& workload) {
  std::vector<bool> leaf(workload.operations.size(), true);
  for (const workload::Index waited : workload.after) leaf[waited] = false;
  for (std::size_t o = 0; o < leaf.size(); ++o) {
    const workload::Operation& it = workload.operations[o];
    if (it.kind != workload::OperationKind::collective) {
      leaf[o] = false;
      continue;
    }
    const workload::Collective& collective =
        workload.collectives[static_cast<std::size_t>(it.collective)];
    leaf[o] = leaf[o] && collective.kind == workload::CollectiveKind::all_reduce &&
              collective.algorithm == workload::Algorithm::ring && collective.chunks == 1;
  }
  return leaf;
}

// The workload with a computation of zero time in place of each ring all-reduce in `leaf`.
workload::Workload with_stand_ins(workload::Workload workload, const std::vector<bool>& leaf) {
  for (std::size_t o = 0; o < leaf.size(); ++o) {
    if (!leaf[o]) continue;
    workload.operations[o].kind = workload::OperationKind::compute;
    workload.operations[o].collective = -1;
    workload.operations[o].time = Duration(0);
  }
  return workload;
}

class Exporter {
 public:
  Exporter(const workload::Workload& workload, int servers, const SourceLocation& location)
      : given_(workload),
        leaf_(leaf_rings(workload)),
        replaced_(with_stand_ins(workload, leaf_)),
        layout_(replaced_),
        from_(expand(replaced_)),
        location_(location),
        skipped_(from_.operations.size(), false),
        end_(from_.operations.size(), -1) {
    graph_.nodes = servers;
    for (workload::Index o = 0; o < from_.operations.size(); ++o) ends_with_.push_back(o);
  }

  TaskGraph take() {
    check();
    find_replies();
    find_single_wait_gates();
    for (std::size_t o = 0; o < leaf_.size(); ++o) {
      if (leaf_[o]) skip_stand_ins(o);
    }
    add_devices();
    for (workload::Index o = 0; o < from_.operations.size(); ++o) add_task(o);
    for (std::size_t o = 0; o < leaf_.size(); ++o) {
      if (leaf_[o]) add_all_reduces(o);
    }
    for (workload::Index o = 0; o < from_.operations.size(); ++o) {
      if (ends_with_[o] != o) end_[o] = end_[same_end(o)];
    }
    for (workload::Index o = 0; o < from_.operations.size(); ++o) {
      if (skipped_[o]) continue;
      add_edges(from_.waits_for(o), end_[o]);
      const std::int32_t ahead = from_.operations[o].behind;
      if (ahead >= 0) add_edge(static_cast<workload::Index>(ahead), end_[o]);
    }
    if (graph_.tasks.size() > kMaxTasks) {
      throw InputError(location_, fmt::format("the workload is {} tasks; at most {} are possible",
                                              graph_.tasks.size(), kMaxTasks));
    }
    for (const auto& [task, member] : members_) add_edges(from_.waits_for(member), task);
    for (GraphTask& it : graph_.tasks) {
      if (it.kind == TaskKind::all_reduce) continue;
      std::sort(it.next.begin(), it.next.end());
      it.next.erase(std::unique(it.next.begin(), it.next.end()), it.next.end());
    }
    return std::move(graph_);
  }

 private:
  [[noreturn]] void refuse(std::size_t operation, std::string_view message) const {
    throw InputError(location_, fmt::format("operation {} {}", from_.name(operation), message));
  }

  void check() const {
    for (std::size_t o = 0; o < given_.operations.size(); ++o) {
      const std::int32_t weight = given_.operations[o].weight;
      if (weight == 1) continue;
      throw InputError(location_, fmt::format("operation {} has weight {}; a task graph has none",
                                              given_.name(o), weight));
    }
    for (workload::Index o = 0; o < from_.operations.size(); ++o) {
      const workload::Operation& it = from_.operations[o];
      if (it.start.count() > 0) {
        refuse(o, fmt::format("starts at {}; a task graph has no clock", exact(it.start)));
      }
    }
  }

  // Finds the acknowledgments of messages, which are part of the flow and become no task. An
  // acknowledgment is an empty message in the opposite direction that waits only for the message,
  // and nothing else waits for the message.
  void find_replies() {
    std::vector<int> waited(from_.operations.size(), 0);
    for (const workload::Index it : from_.after) ++waited[it];
    for (const workload::Operation& it : from_.operations) {
      if (it.behind >= 0) ++waited[static_cast<std::size_t>(it.behind)];
    }
    for (workload::Index o = 0; o < from_.operations.size(); ++o) {
      const workload::Operation& reply = from_.operations[o];
      const auto waits = from_.waits_for(o);
      if (reply.kind != workload::OperationKind::message || reply.size.count > 0 ||
          waits.size() != 1) {
        continue;
      }
      const workload::Operation& sent = from_.operations[waits[0]];
      if (sent.kind == workload::OperationKind::message && sent.source == reply.destination &&
          sent.destination == reply.source && waited[waits[0]] == 1 && !skipped_[waits[0]]) {
        ends_with_[o] = waits[0];
        skipped_[o] = true;
      }
    }
  }

  // A computation of zero time with a single dependency ends together with that dependency, so it
  // needs no task.
  void find_single_wait_gates() {
    for (workload::Index o = 0; o < from_.operations.size(); ++o) {
      const workload::Operation& it = from_.operations[o];
      const auto waits = from_.waits_for(o);
      const bool gate = it.kind == workload::OperationKind::compute && it.time.count() == 0;
      if (!gate || waits.size() != 1) continue;
      ends_with_[o] = waits[0];
      skipped_[o] = true;
    }
  }

  workload::Index same_end(workload::Index operation) const {
    workload::Index at = operation;
    for (std::size_t step = 0; ends_with_[at] != at; ++step) {
      if (step == ends_with_.size())
        refuse(operation, "waits for itself; a task graph must be acyclic");
      at = ends_with_[at];
    }
    return at;
  }

  void skip_stand_ins(std::size_t leaf) {
    const auto members = static_cast<workload::Index>(layout_.groups_of(leaf).members.size());
    for (workload::Index m = 0; m < members; ++m) skipped_[layout_.end_of_member(leaf, m)] = true;
  }

  // Adds the devices of the workload; devices beyond the servers belong to server 0.
  void add_devices() {
    for (int device = 0; device < std::max(graph_.nodes, from_.devices); ++device) {
      graph_.devices.push_back({.node = device < graph_.nodes ? device : 0});
    }
  }

  int pair(int source, int destination) {
    const auto [found, added] =
        pairs_.emplace(std::pair(source, destination), static_cast<int>(graph_.devices.size()));
    if (added) {
      graph_.devices.push_back(
          {.type = kNominalNetwork, .node = source, .destination = destination});
    }
    return found->second;
  }

  void add_task(workload::Index operation) {
    const workload::Operation& it = from_.operations[operation];
    if (skipped_[operation]) return;
    end_[operation] = static_cast<int>(graph_.tasks.size());
    if (it.kind == workload::OperationKind::message) {
      graph_.tasks.push_back({.kind = TaskKind::nominal_communication,
                              .device = pair(it.source, it.destination),
                              .size = it.size});
      return;
    }
    const int device = from_.groups[static_cast<std::size_t>(it.groups)].members[0];
    graph_.tasks.push_back({.kind = it.time.count() == 0 ? TaskKind::barrier : TaskKind::forward,
                            .device = device,
                            .runtime = it.time});
  }

  void add_all_reduces(std::size_t leaf) {
    const workload::Operation& it = given_.operations[leaf];
    const workload::Groups& groups = given_.groups[static_cast<std::size_t>(it.groups)];
    const workload::Collective& collective =
        given_.collectives[static_cast<std::size_t>(it.collective)];
    for (int g = 0; g < groups.count(); ++g) {
      const int made = static_cast<int>(graph_.tasks.size());
      graph_.tasks.push_back({.kind = TaskKind::all_reduce, .size = collective.size});
      for (int rank = 0; rank < groups.size; ++rank) {
        graph_.tasks.back().next.push_back(groups.device(g, rank));
        const auto member = static_cast<workload::Index>(g * groups.size + rank);
        members_.emplace_back(made, layout_.end_of_member(leaf, member));
      }
    }
  }

  void add_edge(workload::Index before, int task) {
    graph_.tasks[static_cast<std::size_t>(end_[before])].next.push_back(task);
  }

  void add_edges(std::span<const workload::Index> waits, int task) {
    for (const workload::Index before : waits) add_edge(before, task);
  }

  const workload::Workload& given_;
  const std::vector<bool> leaf_;
  const workload::Workload replaced_;
  const workload::ExpandedLayout layout_;
  const workload::Workload from_;
  const SourceLocation& location_;
  std::vector<bool> skipped_;  // per operation of from_: it does not become a task
  std::vector<int> end_;       // per operation of from_: the task that ends it
  workload::Indices
      ends_with_;  // per operation of from_: an operation with the same end, or itself
  std::map<std::pair<int, int>, int> pairs_;
  // Task of an all-reduce, and index in from_ of the stand-in of one of its members.
  std::vector<std::pair<int, workload::Index>> members_;
  TaskGraph graph_;
};

}  // namespace

TaskGraph to_task_graph(const workload::Workload& workload, int servers,
                        const SourceLocation& location) {
  return Exporter(workload, servers, location).take();
}

}  // namespace loom::foreign
