// What the devices do: computations, messages and collectives, and what waits for what.
//
// An operation is carried out by one or many devices at once: a computation by each device of its
// groups, a collective by each group. `after` is local: on a device an operation waits until that
// device has finished its part in the operations named (of one that it has no part in, until all of
// it is finished). The destination of a message or point_to_point waits for nothing but what is
// sent. Nothing else orders them; devices learn of each other only by messages.
//
// A collective stays one entry; the engines expand it by rank and step on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/workload/collective.h"

namespace loom {

// Groups of equal size that do the same thing side by side.
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
  Duration start{0};             // not before this moment
  std::int32_t weight = 1;       // message, collective: its part where sharing is weighted
  std::int32_t collective = -1;  // collective: index into Workload::collectives
  // message: its transfer starts after that of this message has ended, its latency may pass before;
  // no two are behind the same
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
  // Of operations; empty if they have none. Each is there once, has no space and no leading '#'.
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

// Of its collectives and lone messages, all expanded.
std::int64_t message_count(const Workload& workload);

// Every collective written out as messages with what each waits for: the same work, in full, every
// operation on one device or between two. Computations that take no time, and so need no turn on
// their device, stand where a rank passes from one phase to the next; the messages of a channel
// are behind one another. LimitError above 2^27 operations.
Workload expand(const Workload& workload);

// The text form (docs/collectives.md), and back: `to_text` then `parse_workload` gives the same
// value, with collectives in the order of their use and shared where they are equal.
std::string to_text(const Workload& workload);
Workload parse_workload(const std::string& text, const std::string& source);

}  // namespace loom
