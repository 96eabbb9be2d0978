// Workload: the computations, messages and collectives of the devices, and their dependencies.
//
// An operation runs on one or many devices at once: a computation on each device of its groups, a
// collective in each group. `after` is local: on a device an operation waits until that device has
// finished its task in the operations named (if it has none, until they are finished everywhere).
// The destination of a message or point_to_point waits only for the data. Nothing else orders
// operations; devices synchronize only by messages.
//
// A collective stays one entry; the engines expand it by rank and step on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/workload/collective.h"

namespace loom::workload {

// Groups of equal size that run the same operation concurrently.
struct Groups {
  int size = 1;
  std::vector<int> members = {};  // group 0's devices in rank order, then group 1's, …

  int count() const { return static_cast<int>(members.size()) / size; }
  int device(int group, int rank) const {
    return members[static_cast<std::size_t>(group) * static_cast<std::size_t>(size) +
                   static_cast<std::size_t>(rank)];
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
  Duration start{0};             // earliest start time
  std::int32_t weight = 1;       // message, collective: weight in weighted bandwidth sharing
  std::int32_t collective = -1;  // collective: index into Workload::collectives
  // message: its transfer starts only after that message's has ended, while its latency may
  // overlap; at most one message is behind another
  std::int32_t behind = -1;
  std::uint32_t first_after = 0;  // into Workload::after
  std::uint32_t after_count = 0;

  bool operator==(const Operation&) const = default;
};

struct Workload {
  int devices = 0;
  std::vector<Groups> groups;
  std::vector<Collective> collectives;  // each used by groups of one size only
  std::vector<Operation> operations;
  std::vector<std::uint32_t> after;
  // Names of the operations; empty if there are none. Unique, without spaces or a leading '#'.
  std::vector<std::string> names;

  std::span<const std::uint32_t> waits_for(std::size_t operation) const {
    const Operation& it = operations[operation];
    return {after.data() + it.first_after, it.after_count};
  }
  std::string name(std::size_t operation) const;  // its name, or "#7"
  bool operator==(const Workload&) const = default;
};

// One collective over these devices, in rank order.
Workload collective_workload(const Collective& collective, std::vector<int> ranks, int devices);

// Number of messages, with all collectives expanded.
std::int64_t message_count(const Workload& workload);

// Expands every collective into messages with dependencies: the same work, with every operation on
// one device or between two. Zero-time computations, which need no turn on their device, mark a
// rank's transition from one phase to the next; the messages of a channel are behind one another.
// LimitError above 2^27 operations.
Workload expand(const Workload& workload);

// The text form (docs/collectives.md) and back: `to_text` then `parse_workload` gives the same
// value, with collectives in order of use and equal ones shared.
std::string to_text(const Workload& workload);
Workload parse_workload(const std::string& text, const std::string& source);

}  // namespace loom::workload
