// The layout of an expanded workload: the index of every task of every original operation.
//
// An operation may wait for a later one, so all indices are assigned before the first task is
// written.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loom/workload/schedule.h"
#include "loom/workload/workload.h"

namespace loom::workload {

using Index = std::uint32_t;  // index of an operation in the expanded workload
using Indices = std::vector<Index>;

class ExpandedLayout {
 public:
  // LimitError above 2^27 operations.
  explicit ExpandedLayout(const Workload& workload);

  bool of_groups(std::size_t i) const { return workload_.operations[i].groups >= 0; }
  const Groups& groups_of(std::size_t i) const {
    return workload_.groups[static_cast<std::size_t>(workload_.operations[i].groups)];
  }
  const Schedule& schedule_of(std::size_t i) const { return scripts_.at(key(i)).schedule; }

  // Indices of the tasks that end the operations for which operation i waits on this device.
  Indices waits_on(std::size_t i, int device) const;

  // Index of the task that ends operation i on one member of its groups.
  Index end_of_member(std::size_t i, Index member) const;

  // Whether operation i has a common end: a last gate that waits for all its other tasks.
  bool has_common_end(std::size_t i) const { return common_end_[i]; }

  // Index of the message that was operation i.
  std::int32_t place_of_message(std::int32_t i) const {
    return static_cast<std::int32_t>(first_[static_cast<std::size_t>(i)]);
  }

  // Index of the message that receive i waits for; of the receive itself if there is none, so that
  // the deadlock remains.
  Index received(std::size_t i) const { return first_[received_[i]]; }

 private:
  using Positions = std::unordered_map<int, Index>;

  // A schedule, and the number of operations to which it expands in each group: messages and gates.
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
