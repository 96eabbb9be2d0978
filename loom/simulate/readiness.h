// Which device may begin which operation: the workload's `after`, counted down.
//
// A part is one device's share of an operation: of a computation or collective each member's, of a
// message the source's (the destination waits for nothing), of a receive the destination's. The
// destination of a point_to_point begins with its source.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "loom/workload/workload.h"

namespace loom {

struct RankTask {
  std::uint32_t operation = 0;
  int index = 0;  // among the members of the operation's groups, else 0
};

class Readiness {
 public:
  explicit Readiness(const Workload& workload);

  // Parts that may begin and have not been taken yet, in the order in which they became ready.
  std::vector<RankTask>& ready() { return ready_; }

  void start_time_has_come(std::uint32_t operation);

  // The device has done its part; for a message both its ends are told of at once.
  void finish(std::uint32_t operation, int device);
  void finish_message(std::uint32_t operation);

  bool finished(std::uint32_t operation) const { return unfinished_tasks_[operation] == 0; }
  std::size_t unfinished() const { return unfinished_; }
  int waiting(std::uint32_t operation, int index) const;  // for so many things
  int device(std::uint32_t operation, int index) const;
  int index(std::uint32_t operation, int device) const { return task_index(operation, device); }
  std::size_t task_count() const { return waiting_.size(); }
  std::size_t task_id(std::uint32_t operation, int index) const {
    return first_task_[operation] + static_cast<std::size_t>(index);
  }
  int tasks(std::uint32_t operation) const;
  bool lacks_partner(std::uint32_t operation) const;  // a receive of what nobody sends

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

  const Workload& workload_;
  std::vector<RankTask> ready_;
  std::vector<std::size_t> first_task_;
  std::vector<int> waiting_;           // by part
  std::vector<int> unfinished_tasks_;  // by operation
  std::vector<std::uint32_t> first_dependent_;
  std::vector<std::uint32_t> dependents_;
  std::vector<std::int64_t> sender_;         // of a receive: the message, or -1; by operation
  std::vector<std::vector<int>> by_device_;  // by groups: members by device; empty if they are so
  std::size_t unfinished_ = 0;
};

}  // namespace loom
