// Index of every task of every operation in the expanded workload.
//
// Waits may point forward, so the indices are fixed before the first task is written.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom::workload {

using Index = std::uint32_t;  // index of an operation
using Indices = std::vector<Index>;

class ExpandedLayout {
 public:
  // LimitError if there would be too many operations.
  explicit ExpandedLayout(const Workload& workload);

  bool of_groups(std::size_t i) const { return workload_.operations[i].groups >= 0; }
  const Groups& groups_of(std::size_t i) const {
    return workload_.groups[static_cast<std::size_t>(workload_.operations[i].groups)];
  }
  const Schedule& schedule_of(std::size_t i) const { return scripts_.at(key(i)).schedule; }

  // The end tasks of the operations that operation i waits for on this device.
  Indices waits_on(std::size_t i, int device) const;

  // The end of the task of one member of the operation's groups.
  Index end_of_member(std::size_t i, Index member) const;

  // Whether operation i has a common end gate, which is its last operation.
  bool has_common_end(std::size_t i) const { return common_end_[i]; }

  // Index of message i.
  std::int32_t place_of_message(std::int32_t i) const {
    return static_cast<std::int32_t>(first_[static_cast<std::size_t>(i)]);
  }

  // The message that receive i waits for; itself if there is none, which remains a deadlock.
  Index received(std::size_t i) const { return first_[received_[i]]; }

 private:
  using Positions = std::unordered_map<int, Index>;

  // A schedule and the number of operations it expands to per group: messages and gates.
  struct Script {
    Schedule schedule;
    std::size_t operations = 0;
  };

  static Script script_of(const Collective& collective, int ranks);

  std::pair<int, int> key(std::size_t i) const {
    return {workload_.operations[i].collective, groups_of(i).size};
  }
  const Positions& positions_in(std::size_t i) const {
    return positions_[static_cast<std::size_t>(workload_.operations[i].groups)];
  }

  std::vector<int> waiting_devices(std::size_t i) const;
  Index end_on(std::size_t i, int device) const;
  void find_common_ends();
  void match_receives();
  void number_operations();
  std::size_t operation_count(std::size_t i);

  const Workload& workload_;
  std::vector<Positions> positions_;               // per groups: a device's index among the members
  std::vector<bool> common_end_;                   // by operation
  Indices received_;                               // per operation: the message of a receive
  Indices first_;                                  // per operation: index of its first task
  std::map<std::pair<int, int>, Script> scripts_;  // keyed by collective and number of ranks
};

}  // namespace loom::workload
