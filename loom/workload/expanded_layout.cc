#include "loom/workload/expanded_layout.h"

#include <fmt/format.h>

#include "loom/base/error.h"

namespace loom::workload {
namespace {

constexpr std::size_t kMaxOperations = std::size_t{1} << 27;

}  // namespace

ExpandedLayout::ExpandedLayout(const Workload& workload)
    : workload_(workload), common_end_(workload.operations.size(), false) {
  for (const Groups& groups : workload.groups) {
    Positions& position = positions_.emplace_back();
    for (std::size_t i = 0; i < groups.members.size(); ++i) {
      position.emplace(groups.members[i], static_cast<Index>(i));
    }
  }
  find_common_ends();
  match_receives();
  number_operations();
}

ExpandedLayout::Script ExpandedLayout::script_of(const Collective& collective, int ranks) {
  Script script{workload::schedule(collective, ranks), static_cast<std::size_t>(ranks)};
  for (const Phase& phase : script.schedule.phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      script.operations += static_cast<std::size_t>(phase.messages(c));
    }
    script.operations += static_cast<std::size_t>(ranks);
  }
  return script;
}

// The devices whose task in operation i waits for other operations.
std::vector<int> ExpandedLayout::waiting_devices(std::size_t i) const {
  const Operation& it = workload_.operations[i];
  if (of_groups(i)) return groups_of(i).members;
  return {it.kind == OperationKind::message ? it.source : it.destination};
}

Indices ExpandedLayout::waits_on(std::size_t i, int device) const {
  Indices waits;
  for (const Index other : workload_.waits_for(i)) waits.push_back(end_on(other, device));
  return waits;
}

Index ExpandedLayout::end_of_member(std::size_t i, Index member) const {
  if (workload_.operations[i].kind == OperationKind::compute) return first_[i] + member;
  // Each group takes `each` tasks in a row; the last `ranks` of them are its last gates.
  const auto ranks = static_cast<Index>(groups_of(i).size);
  const auto each = static_cast<Index>(scripts_.at(key(i)).operations);
  return first_[i] + (member / ranks + 1) * each - ranks + member % ranks;
}

// Index of the task for which another operation on this device waits: the end of operation i on the
// device, or the common end, its last task, if it has no task there.
Index ExpandedLayout::end_on(std::size_t i, int device) const {
  if (!of_groups(i)) return first_[i];
  const auto found = positions_in(i).find(device);
  return found == positions_in(i).end() ? first_[i + 1] - 1 : end_of_member(i, found->second);
}

void ExpandedLayout::find_common_ends() {
  for (std::size_t i = 0; i < workload_.operations.size(); ++i) {
    for (const Index other : workload_.waits_for(i)) {
      if (!of_groups(other)) continue;
      for (const int device : waiting_devices(i)) {
        if (!positions_in(other).contains(device)) common_end_[other] = true;
      }
    }
  }
}

// The k-th receive from one device to another matches the k-th message between the two.
void ExpandedLayout::match_receives() {
  std::map<std::pair<int, int>, Indices> messages;
  for (std::size_t i = 0; i < workload_.operations.size(); ++i) {
    const Operation& it = workload_.operations[i];
    if (it.kind != OperationKind::message) continue;
    messages[{it.source, it.destination}].push_back(static_cast<Index>(i));
  }
  std::map<std::pair<int, int>, std::size_t> taken;
  for (std::size_t i = 0; i < workload_.operations.size(); ++i) {
    const Operation& it = workload_.operations[i];
    received_.push_back(static_cast<Index>(i));
    if (it.kind != OperationKind::receive) continue;
    const std::pair pair(it.source, it.destination);
    const std::size_t k = taken[pair]++;
    if (k < messages[pair].size()) received_.back() = messages[pair][k];
  }
}

void ExpandedLayout::number_operations() {
  std::size_t next = 0;
  for (std::size_t i = 0; i < workload_.operations.size(); ++i) {
    first_.push_back(static_cast<Index>(next));
    next += operation_count(i) + (common_end_[i] ? 1 : 0);
    if (next > kMaxOperations) {
      throw LimitError(
          fmt::format("the expanded workload has more than {} operations", kMaxOperations));
    }
  }
  first_.push_back(static_cast<Index>(next));
}

std::size_t ExpandedLayout::operation_count(std::size_t i) {
  if (!of_groups(i)) return 1;
  if (workload_.operations[i].kind == OperationKind::compute) return groups_of(i).members.size();
  const auto [collective, ranks] = key(i);
  const auto [found, added] = scripts_.try_emplace(key(i));
  if (added) {
    found->second = script_of(workload_.collectives[static_cast<std::size_t>(collective)], ranks);
  }
  return static_cast<std::size_t>(groups_of(i).count()) * found->second.operations;
}

}  // namespace loom::workload
