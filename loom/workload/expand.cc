// Expands collectives into messages.
//
// `after` is local to a device, so an operation on many devices becomes one operation per device:
// otherwise an operation after it would wait for all devices. A collective has a gate, a
// computation that takes no time, on every device: at its beginning, at its end and between two
// phases.
//
//   gate 0 ─► messages of phase 0 ─► gate 1 ─► messages of phase 1 ─► … ─► last gate: done
//
// Gates keep the number of waits linear in the number of channels. If operation B waits for
// operation A on a device where A has no task, one more gate marks the end of all tasks of A. A
// receive becomes a gate after its message: in the expanded workload the two could no longer be
// matched by counting.
#include <fmt/format.h>

#include <unordered_map>

#include "loom/workload/expanded_layout.h"
#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom::workload {
namespace {

Indices first_messages(const Phase& phase, Index next) {
  Indices first;
  for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
    first.push_back(next);
    next += static_cast<Index>(phase.messages(c));
  }
  return first;
}

class Writer {
 public:
  explicit Writer(const Workload& workload) : from_(workload), layout_(workload) {
    to_.devices = workload.devices;
  }

  Workload take() {
    for (std::size_t i = 0; i < from_.operations.size(); ++i) write(i);
    return std::move(to_);
  }

 private:
  Index next() const { return static_cast<Index>(to_.operations.size()); }

  void add(Operation operation, const Indices& waits, std::string name) {
    operation.first_after = static_cast<Index>(to_.after.size());
    operation.after_count = static_cast<Index>(waits.size());
    to_.after.insert(to_.after.end(), waits.begin(), waits.end());
    to_.operations.push_back(operation);
    if (!from_.names.empty()) to_.names.push_back(std::move(name));
  }

  // Adds a computation on one device; a gate if its time is zero.
  void add_compute(int device, Duration time, Duration start, const Indices& waits,
                   std::string name) {
    const auto [found, added] = own_groups_.emplace(device, static_cast<int>(to_.groups.size()));
    if (added) to_.groups.push_back({1, {device}});
    add({.kind = OperationKind::compute, .groups = found->second, .time = time, .start = start},
        waits, std::move(name));
  }

  void write(std::size_t i) {
    const Operation& it = from_.operations[i];
    if (it.kind == OperationKind::message) {
      Operation message = it;
      if (it.behind >= 0) message.behind = layout_.place_of_message(it.behind);
      add(message, layout_.waits_on(i, it.source), from_.name(i));
    } else if (it.kind == OperationKind::receive) {
      Indices waits = layout_.waits_on(i, it.destination);
      waits.push_back(layout_.received(i));
      add_compute(it.destination, {}, it.start, waits, from_.name(i));
    } else if (it.kind == OperationKind::compute) {
      for (const int device : layout_.groups_of(i).members) {
        add_compute(device, it.time, it.start, layout_.waits_on(i, device),
                    fmt::format("{}@{}", from_.name(i), device));
      }
    } else {
      for (int g = 0; g < layout_.groups_of(i).count(); ++g) write_group(i, g);
    }
    if (layout_.has_common_end(i)) write_common_end(i);
  }

  void write_common_end(std::size_t i) {
    const std::vector<int>& members = layout_.groups_of(i).members;
    Indices ends;
    for (Index k = 0; k < members.size(); ++k) ends.push_back(layout_.end_of_member(i, k));
    add_compute(members[0], {}, {}, ends, from_.name(i) + "/end");
  }

  void write_group(std::size_t i, int group) {
    const Groups& groups = layout_.groups_of(i);
    const std::string name = fmt::format("{}/{}", from_.name(i), group);
    const Operation& it = from_.operations[i];
    const bool directed = from_.collectives[static_cast<std::size_t>(it.collective)].kind ==
                          CollectiveKind::point_to_point;
    for (int rank = 0; rank < groups.size; ++rank) {
      const int device = groups.device(group, rank);
      const bool follows = directed && rank == 1;  // waits for the message only
      add_compute(device, {}, it.start, follows ? Indices{} : layout_.waits_on(i, device),
                  fmt::format("{}.0@{}", name, device));
    }
    int passed = 0;
    for (const Phase& phase : layout_.schedule_of(i).phases) {
      const Index gates = next() - static_cast<Index>(groups.size);
      const Indices first = first_messages(phase, next());
      write_messages(i, group, phase, gates, first, fmt::format("{}.{}", name, passed));
      write_gates(i, group, phase, gates, first, fmt::format("{}.{}", name, ++passed));
    }
  }

  void write_messages(std::size_t i, int group, const Phase& phase, Index gates,
                      const Indices& first, const std::string& name) {
    const Groups& groups = layout_.groups_of(i);
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
      for (int q = 0; q < phase.messages(c); ++q) {
        Indices waits = {gates + static_cast<Index>(channel.source)};
        for (const Wait& wait : phase.waits_of(c)) {
          if (q < wait.lag) continue;
          waits.push_back(first[static_cast<std::size_t>(wait.channel)] +
                          static_cast<Index>(q - wait.lag));
        }
        add({.kind = OperationKind::message,
             .source = groups.device(group, channel.source),
             .destination = groups.device(group, channel.destination),
             .size = phase.size(c, q),
             .weight = from_.operations[i].weight,
             .behind = q == 0 ? -1 : static_cast<std::int32_t>(next()) - 1},
            waits, fmt::format("{}.{}.{}", name, c, q));
      }
    }
  }

  // Adds the gates after a phase. A rank passes its gate when the last message of every channel
  // that leaves or reaches the rank has arrived.
  void write_gates(std::size_t i, int group, const Phase& phase, Index gates, const Indices& first,
                   const std::string& name) {
    const Groups& groups = layout_.groups_of(i);
    std::vector<Indices> waits;
    for (Index rank = 0; rank < static_cast<Index>(groups.size); ++rank) {
      waits.push_back({gates + rank});
    }
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      const Index last = first[c] + static_cast<Index>(phase.messages(static_cast<int>(c))) - 1;
      waits[static_cast<std::size_t>(phase.channels[c].source)].push_back(last);
      waits[static_cast<std::size_t>(phase.channels[c].destination)].push_back(last);
    }
    for (int rank = 0; rank < groups.size; ++rank) {
      const int device = groups.device(group, rank);
      add_compute(device, {}, {}, waits[static_cast<std::size_t>(rank)],
                  fmt::format("{}@{}", name, device));
    }
  }

  const Workload& from_;
  const ExpandedLayout layout_;
  Workload to_;
  std::unordered_map<int, int> own_groups_;  // per device: index of its single-device group
};

}  // namespace

Workload expand(const Workload& workload) { return Writer(workload).take(); }

}  // namespace loom::workload
