// Workload: the computations, messages and collectives of the devices, and their dependencies.
//
// An operation runs on one or many devices: a computation on each device of its groups, a
// collective in each group. `after` is local: on each device an operation waits until this device
// has finished its tasks in the operations named by `after`; a named operation without a task on
// this device must be finished on all its devices. The destination of a message or point_to_point
// waits only for the data. Nothing else orders operations; devices synchronize only by messages.
//
// A collective is one operation; the engines expand it by rank and step on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/base/ids.h"
#include "loom/base/units.h"
#include "loom/workload/collective.h"

namespace loom::workload {

// Groups of equal size that run the same operation concurrently.
struct Groups {
  int size = 1;
  std::vector<int> members = {};  // group 0's devices in rank order, then group 1's, …

  int count() const { return static_cast<int>(members.size()) / size; }
  DeviceId device(int group, int rank) const {
    return DeviceId(members[static_cast<std::size_t>(group) * static_cast<std::size_t>(size) +
                            static_cast<std::size_t>(rank)]);
  }
  bool operator==(const Groups&) const = default;
};

inline constexpr std::int32_t kMaxWeight = 10'000;

enum class OperationKind : std::uint8_t { compute, message, receive, collective };

struct Operation {
  OperationKind kind = OperationKind::message;
  int groups = -1;               // compute, collective: index into Workload::groups
  int source = -1;               // message, receive
  int destination = -1;          // message, receive
  Bytes size{};                  // message
  Duration time{0};              // compute
  Duration start{0};             // earliest start, after the workload begins
  std::int32_t weight = 1;       // message, collective: weight in weighted bandwidth sharing
  std::int32_t collective = -1;  // collective: index into Workload::collectives
  // message: index of another message, whose transfer must end before this transfer starts
  // (latencies may overlap), or -1; each message has at most one message behind it
  std::int32_t behind = -1;
  std::uint32_t first_after = 0;  // index into Workload::after
  std::uint32_t after_count = 0;

  bool operator==(const Operation&) const = default;
};

struct Workload {
  int devices = 0;
  std::vector<Groups> groups;
  std::vector<Collective> collectives;  // each used by groups of one size only
  std::vector<Operation> operations;
  std::vector<std::uint32_t> after;
  // Names of the operations, unique, without spaces or a leading '#'; the list is empty if no
  // operation has a name.
  std::vector<std::string> names;

  std::span<const std::uint32_t> waits_for(std::size_t operation) const {
    const Operation& it = operations[operation];
    return {after.data() + it.first_after, it.after_count};
  }
  std::string name(std::size_t operation) const;  // its name, or "#7" if it has none
  bool operator==(const Workload&) const = default;
};

// A workload of one collective over the devices `ranks`, in rank order.
Workload collective_workload(const Collective& collective, std::vector<int> ranks, int devices);

// Number of messages, with all collectives expanded.
std::int64_t message_count(const Workload& workload);

// Expands every collective into messages with dependencies. In the result, every operation is on
// one device or between two. Computations of zero time, which do not occupy their device, mark the
// transition of a rank from one phase to the next; each message of a channel waits for the previous
// one by Operation::behind. LimitError above 2^27 operations.
Workload expand(const Workload& workload);

// Converts a workload to its text form (docs/collectives.md) and back. The result of `to_text` and
// then `parse_workload` is the same workload, with collectives in order of use and equal
// collectives stored once.
std::string to_text(const Workload& workload);
Workload parse_workload(const std::string& text, const std::string& source);

}  // namespace loom::workload
