#include "loom/simulate/readiness.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace loom::simulate {
namespace {

bool in_groups(const workload::Operation& operation) {
  return operation.kind == workload::OperationKind::compute ||
         operation.kind == workload::OperationKind::collective;
}

}  // namespace

Readiness::Readiness(const workload::Workload& workload)
    : workload_(workload), by_device_(workload.groups.size()) {
  sort_members();
  const auto count = static_cast<std::uint32_t>(workload.operations.size());
  first_task_.reserve(count + 1);
  first_task_.push_back(0);
  for (OperationId o(0); o < count; ++o) {
    unfinished_tasks_.push_back(tasks(o));
    first_task_.push_back(first_task_.back() + static_cast<std::size_t>(tasks(o)));
  }
  unfinished_ = count;
  match_receives();
  link_dependents();
  count_waits();
}

void Readiness::sort_members() {
  for (std::size_t g = 0; g < by_device_.size(); ++g) {
    const std::vector<int>& members = workload_.groups[g].members;
    if (std::is_sorted(members.begin(), members.end())) continue;
    by_device_[g].resize(members.size());
    std::iota(by_device_[g].begin(), by_device_[g].end(), 0);
    std::sort(by_device_[g].begin(), by_device_[g].end(), [&](int a, int b) {
      return members[static_cast<std::size_t>(a)] < members[static_cast<std::size_t>(b)];
    });
  }
}

// Index of the device among the members; -1 if it is not a member.
int Readiness::position(std::size_t groups, DeviceId device) const {
  const std::vector<int>& members = workload_.groups[groups].members;
  const std::vector<int>& order = by_device_[groups];
  const auto member = [&](std::size_t i) {
    return members[order.empty() ? i : static_cast<std::size_t>(order[i])];
  };
  std::size_t low = 0;
  for (std::size_t high = members.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    member(middle) < device ? low = middle + 1 : high = middle;
  }
  if (low == members.size() || member(low) != device) return -1;
  return order.empty() ? static_cast<int>(low) : order[low];
}

int Readiness::tasks(OperationId operation) const {
  const workload::Operation& it = workload_.operations[operation];
  return in_groups(it) ? static_cast<int>(
                             workload_.groups[static_cast<std::size_t>(it.groups)].members.size())
                       : 1;
}

DeviceId Readiness::device(OperationId operation, int index) const {
  const workload::Operation& it = workload_.operations[operation];
  if (in_groups(it)) {
    return DeviceId(workload_.groups[static_cast<std::size_t>(it.groups)]
                        .members[static_cast<std::size_t>(index)]);
  }
  return DeviceId(it.kind == workload::OperationKind::message ? it.source : it.destination);
}

// The k-th receive from a to b waits for the k-th message from a to b.
void Readiness::match_receives() {
  bool any = false;
  for (const workload::Operation& it : workload_.operations)
    any |= it.kind == workload::OperationKind::receive;
  if (!any) return;
  sender_.assign(workload_.operations.size(), -1);
  std::map<std::pair<int, int>, std::vector<OperationId>> sent;
  std::map<std::pair<int, int>, std::size_t> received;
  for (OperationId o(0); o < workload_.operations.size(); ++o) {
    const workload::Operation& it = workload_.operations[o];
    if (it.kind == workload::OperationKind::message) sent[{it.source, it.destination}].push_back(o);
  }
  for (OperationId o(0); o < workload_.operations.size(); ++o) {
    const workload::Operation& it = workload_.operations[o];
    if (it.kind != workload::OperationKind::receive) continue;
    const auto& messages = sent[{it.source, it.destination}];
    const std::size_t k = received[{it.source, it.destination}]++;
    if (k < messages.size()) sender_[o] = messages[k];
  }
}

bool Readiness::lacks_partner(OperationId operation) const {
  return workload_.operations[operation].kind == workload::OperationKind::receive &&
         sender_[operation] < 0;
}

void Readiness::link_dependents() {
  const std::size_t count = workload_.operations.size();
  first_dependent_.assign(count + 1, 0);
  const auto each_wait = [&](auto&& use) {
    for (OperationId o(0); o < count; ++o) {
      for (const std::uint32_t before : workload_.waits_for(o)) use(OperationId(before), o);
      if (!sender_.empty() && sender_[o] >= 0) use(OperationId(sender_[o]), o);
    }
  };
  each_wait([&](OperationId before, OperationId) { ++first_dependent_[before + 1]; });
  for (std::size_t o = 0; o < count; ++o) first_dependent_[o + 1] += first_dependent_[o];
  dependents_.resize(first_dependent_[count]);
  std::vector<std::uint32_t> next(first_dependent_.begin(), first_dependent_.end() - 1);
  each_wait([&](OperationId before, OperationId o) { dependents_[next[before]++] = o; });
}

void Readiness::count_waits() {
  waiting_.assign(first_task_.back(), 0);
  for (OperationId o(0); o < workload_.operations.size(); ++o) {
    const workload::Operation& it = workload_.operations[o];
    int waits = static_cast<int>(it.after_count) + (it.start.count() > 0 ? 1 : 0);
    if (it.kind == workload::OperationKind::receive) ++waits;
    for (int i = 0; i < tasks(o); ++i) {
      waiting_[first_task_[o] + static_cast<std::size_t>(i)] = waits;
      if (waits == 0) ready_.push_back({o, i});
    }
  }
}

int Readiness::waiting(OperationId operation, int index) const {
  return waiting_[first_task_[operation] + static_cast<std::size_t>(index)];
}

bool Readiness::has_task(OperationId operation, DeviceId device) const {
  const workload::Operation& it = workload_.operations[operation];
  return task_index(operation, device) >= 0 ||
         (it.kind == workload::OperationKind::message && it.destination == device);
}

int Readiness::task_index(OperationId operation, DeviceId device) const {
  const workload::Operation& it = workload_.operations[operation];
  if (in_groups(it)) {
    return position(static_cast<std::size_t>(it.groups), device);
  }
  return device == (it.kind == workload::OperationKind::message ? it.source : it.destination) ? 0
                                                                                              : -1;
}

bool Readiness::follows(OperationId operation, int index) const {
  const workload::Operation& it = workload_.operations[operation];
  if (it.kind != workload::OperationKind::collective || index % 2 == 0) return false;
  return workload_.collectives[static_cast<std::size_t>(it.collective)].kind ==
         workload::CollectiveKind::point_to_point;
}

void Readiness::one_less(OperationId operation, int index) {
  if (follows(operation, index)) return;
  if (--waiting_[task_id(operation, index)] > 0) return;
  ready_.push_back({operation, index});
  if (index + 1 < tasks(operation) && follows(operation, index + 1)) {
    waiting_[task_id(operation, index + 1)] = 0;
    ready_.push_back({operation, index + 1});
  }
}

void Readiness::start_time_has_come(OperationId operation) {
  for (int i = 0; i < tasks(operation); ++i) one_less(operation, i);
}

void Readiness::tell_dependents(OperationId operation, DeviceId device) {
  for (std::uint32_t d = first_dependent_[operation]; d < first_dependent_[operation + 1]; ++d) {
    const int index = task_index(dependents_[d], device);
    if (index >= 0) one_less(dependents_[d], index);
  }
}

// All tasks of the operation are done: devices without a task in it, which waited for all of it,
// continue.
void Readiness::finish_whole(OperationId operation) {
  --unfinished_;
  for (std::uint32_t d = first_dependent_[operation]; d < first_dependent_[operation + 1]; ++d) {
    const OperationId dependent = dependents_[d];
    for (int i = 0; i < tasks(dependent); ++i) {
      if (!has_task(operation, device(dependent, i))) one_less(dependent, i);
    }
  }
}

void Readiness::finish(OperationId operation, DeviceId device) {
  tell_dependents(operation, device);
  if (--unfinished_tasks_[operation] == 0) finish_whole(operation);
}

void Readiness::finish_message(OperationId operation) {
  tell_dependents(operation, DeviceId(workload_.operations[operation].source));
  tell_dependents(operation, DeviceId(workload_.operations[operation].destination));
  unfinished_tasks_[operation] = 0;
  finish_whole(operation);
}

}  // namespace loom::simulate
