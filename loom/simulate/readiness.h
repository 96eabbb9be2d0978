// Dependency tracking: finds which device may begin which operation, by counting down the
// dependencies in `after`.
//
// A rank task is the work of one device in an operation. A computation or collective has one task
// per member. A message has one task, on its source (the destination waits for nothing); a receive
// has one task, on its destination. In a point_to_point, the destination begins together with the
// source.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "loom/workload/workload.h"

namespace loom::simulate {

struct RankTask {
  OperationId operation;
  int index = 0;  // index among the members of the operation's groups, else 0
};

class Readiness {
 public:
  explicit Readiness(const workload::Workload& workload);

  // Tasks that may begin and have not been taken yet, in the order in which they became ready.
  std::vector<RankTask>& ready() { return ready_; }

  void start_time_has_come(OperationId operation);

  // Reports that the device has finished its task. finish_message() finishes both ends of a message
  // at once.
  void finish(OperationId operation, DeviceId device);
  void finish_message(OperationId operation);

  bool finished(OperationId operation) const { return unfinished_tasks_[operation] == 0; }
  std::size_t unfinished() const { return unfinished_; }
  int waiting(OperationId operation, int index) const;  // number of unmet dependencies
  DeviceId device(OperationId operation, int index) const;
  int index(OperationId operation, DeviceId device) const { return task_index(operation, device); }
  std::size_t task_count() const { return waiting_.size(); }
  std::size_t task_id(OperationId operation, int index) const {
    return first_task_[operation] + static_cast<std::size_t>(index);
  }
  int tasks(OperationId operation) const;
  bool lacks_partner(OperationId operation) const;  // a receive without a matching send

 private:
  void sort_members();
  int position(std::size_t groups, DeviceId device) const;
  bool has_task(OperationId operation, DeviceId device) const;
  int task_index(OperationId operation, DeviceId device) const;  // -1: none that waits
  bool follows(OperationId operation, int index) const;          // begins with its source
  void one_less(OperationId operation, int index);
  void tell_dependents(OperationId operation, DeviceId device);
  void finish_whole(OperationId operation);
  void match_receives();
  void count_waits();
  void link_dependents();

  const workload::Workload& workload_;
  std::vector<RankTask> ready_;
  std::vector<std::size_t> first_task_;
  std::vector<int> waiting_;           // per task
  std::vector<int> unfinished_tasks_;  // per operation
  std::vector<std::uint32_t> first_dependent_;
  std::vector<OperationId> dependents_;
  std::vector<std::int64_t> sender_;  // per operation: the message a receive waits for, or -1
  // For each Groups: member indices sorted by device; empty if the members are already sorted.
  std::vector<std::vector<int>> by_device_;
  std::size_t unfinished_ = 0;
};

}  // namespace loom::simulate
