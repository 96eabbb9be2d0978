#include "loom/simulate/symmetry/fold.h"

#include <algorithm>
#include <map>

namespace loom::simulate {
namespace {

// Groups with a point_to_point, in which a message goes from rank 0 to rank 1: the two ranks are
// not equivalent.
std::vector<bool> directed_groups(const workload::Workload& workload) {
  std::vector<bool> directed(workload.groups.size(), false);
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::collective) continue;
    const workload::Collective& collective =
        workload.collectives[static_cast<std::size_t>(it.collective)];
    if (collective.kind == workload::CollectiveKind::point_to_point) {
      directed[static_cast<std::size_t>(it.groups)] = true;
    }
  }
  return directed;
}

// The class of each device: devices with the same groups and roles are in the same class.
std::vector<int> classes_of(const workload::Workload& workload) {
  const std::vector<bool> directed = directed_groups(workload);
  std::vector<std::vector<int>> roles(static_cast<std::size_t>(workload.devices));
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    const workload::Groups& groups = workload.groups[g];
    for (std::size_t m = 0; m < groups.members.size(); ++m) {
      const int rank = directed[g] ? static_cast<int>(m) % groups.size : 0;
      auto& mine = roles[static_cast<std::size_t>(groups.members[m])];
      mine.push_back(static_cast<int>(g));
      mine.push_back(rank);
    }
  }
  std::map<std::vector<int>, int> known;
  std::vector<int> classes;
  for (const auto& mine : roles) {
    classes.push_back(known.try_emplace(mine, static_cast<int>(known.size())).first->second);
  }
  return classes;
}

// The distinct classes of a group in rank order.
std::vector<int> group_classes(const workload::Groups& groups, int group,
                               const std::vector<int>& classes) {
  std::vector<int> found;
  for (int rank = 0; rank < groups.size; ++rank) {
    const int it = classes[static_cast<std::size_t>(groups.device(group, rank))];
    if (std::find(found.begin(), found.end(), it) == found.end()) found.push_back(it);
  }
  return found;
}

// One group of classes that represents all groups; nothing if the groups differ. If `computed`, the
// groups have one device each, and they may differ.
std::optional<workload::Groups> fold_groups(const workload::Groups& groups,
                                            const std::vector<int>& classes, bool computed) {
  workload::Groups folded;
  folded.members = group_classes(groups, 0, classes);
  std::vector<int> seen = folded.members;
  for (int group = 1; group < groups.count(); ++group) {
    const std::vector<int> here = group_classes(groups, group, classes);
    if (here == folded.members) continue;
    if (!computed) return std::nullopt;
    seen.insert(seen.end(), here.begin(), here.end());  // each device computes for itself
  }
  if (!computed) {
    folded.size = static_cast<int>(folded.members.size());
    return folded;
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  return workload::Groups{1, seen};
}

}  // namespace

std::optional<Folded> fold(const workload::Workload& workload) {
  for (const workload::Operation& it : workload.operations) {
    const bool grouped = it.kind == workload::OperationKind::compute ||
                         it.kind == workload::OperationKind::collective;
    if (!grouped) return std::nullopt;
  }
  const std::vector<int> classes = classes_of(workload);
  const int count = classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end()) + 1;
  if (count == workload.devices) return std::nullopt;
  const std::vector<bool> directed = directed_groups(workload);
  Folded folded;
  folded.workload.devices = count;
  for (std::size_t g = 0; g < workload.groups.size(); ++g) {
    auto groups = fold_groups(workload.groups[g], classes, workload.groups[g].size == 1);
    if (!groups || (directed[g] && groups->size != 2)) return std::nullopt;
    folded.workload.groups.push_back(std::move(*groups));
  }
  folded.workload.collectives = workload.collectives;
  folded.workload.operations = workload.operations;
  folded.workload.after = workload.after;
  for (int c = 0; c < count; ++c) {
    folded.representatives.emplace_back(std::find(classes.begin(), classes.end(), c) -
                                        classes.begin());
  }
  return folded;
}

}  // namespace loom::simulate
