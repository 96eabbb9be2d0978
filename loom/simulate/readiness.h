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
  std::uint32_t operation = 0;
  int index = 0;  // index among the members of the operation's groups, else 0
};

class Readiness {
 public:
  explicit Readiness(const workload::Workload& workload);

  // Tasks that may begin and have not been taken yet, in the order in which they became ready.
  std::vector<RankTask>& ready() { return ready_; }

  void start_time_has_come(std::uint32_t operation);

  // Reports that the device has finished its task. finish_message() finishes both ends of a message
  // at once.
  void finish(std::uint32_t operation, int device);
  void finish_message(std::uint32_t operation);

  bool finished(std::uint32_t operation) const { return unfinished_tasks_[operation] == 0; }
  std::size_t unfinished() const { return unfinished_; }
  int waiting(std::uint32_t operation, int index) const;  // number of unmet dependencies
  int device(std::uint32_t operation, int index) const;
  int index(std::uint32_t operation, int device) const { return task_index(operation, device); }
  std::size_t task_count() const { return waiting_.size(); }
  std::size_t task_id(std::uint32_t operation, int index) const {
    return first_task_[operation] + static_cast<std::size_t>(index);
  }
  int tasks(std::uint32_t operation) const;
  bool lacks_partner(std::uint32_t operation) const;  // a receive without a matching send

 private:
  void sort_members();
  int position(std::size_t groups, int device) const;
  bool has_task(std::uint32_t operation, int device) const;
  int task_index(std::uint32_t operation, int device) const;  // -1: none that waits
  bool follows(std::uint32_t operation, int index) const;     // begins with its source
  void one_less(std::uint32_t operation, int index);
  void tell_dependents(std::uint32_t operation, int device);
  void finish_whole(std::uint32_t operation);
  void match_receives();
  void count_waits();
  void link_dependents();

  const workload::Workload& workload_;
  std::vector<RankTask> ready_;
  std::vector<std::size_t> first_task_;
  std::vector<int> waiting_;           // per task
  std::vector<int> unfinished_tasks_;  // per operation
  std::vector<std::uint32_t> first_dependent_;
  std::vector<std::uint32_t> dependents_;
  std::vector<std::int64_t> sender_;  // per operation: the message a receive waits for, or -1
  // For each Groups: member indices sorted by device; empty if the members are already sorted.
  std::vector<std::vector<int>> by_device_;
  std::size_t unfinished_ = 0;
};

}  // namespace loom::simulate
