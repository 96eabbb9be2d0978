#include "loom/plan/circuits/traffic_on_grid.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

struct Run {
  int stride = 1;
  int extent = 1;
};

// The dimensions along which these members lie, innermost first; none if they form no grid.
std::vector<Run> runs_of(const int* members, int size) {
  std::vector<Run> runs;
  for (int count = 1; count < size;) {
    Run run{members[count] - members[0], 2};
    while (run.extent * count < size &&
           members[run.extent * count] == members[0] + run.extent * run.stride) {
      ++run.extent;
    }
    count *= run.extent;
    if (run.stride <= 0 || size % count != 0) return {};
    runs.push_back(run);
  }
  for (int i = 0; i < size; ++i) {
    int expected = members[0];
    int rest = i;
    for (const Run& it : runs) {
      expected += rest % it.extent * it.stride;
      rest /= it.extent;
    }
    if (members[i] != expected) return {};
  }
  return runs;
}

// Adds the device numbers at which dimensions begin and end; false if a group forms no grid.
bool add_edges(const workload::Groups& groups, std::set<int>& edges) {
  if (groups.size < 2) return true;
  for (int g = 0; g < groups.count(); ++g) {
    const std::vector<Run> runs =
        runs_of(groups.members.data() + std::ptrdiff_t{g} * groups.size, groups.size);
    if (runs.empty()) return false;
    for (const Run& it : runs) {
      edges.insert(it.stride);
      edges.insert(it.stride * it.extent);
    }
  }
  return true;
}

std::optional<fabric::DeviceGrid> grid_of(const workload::Workload& workload, int devices) {
  std::set<int> edges = {1, devices};
  std::set<int> used;
  for (const workload::Operation& it : workload.operations) {
    if (it.kind == workload::OperationKind::collective) used.insert(it.groups);
  }
  for (const int it : used) {
    if (!add_edges(workload.groups[static_cast<std::size_t>(it)], edges)) return std::nullopt;
  }
  std::vector<int> extents;
  for (auto at = edges.begin(); std::next(at) != edges.end(); ++at) {
    if (*std::next(at) % *at != 0) return std::nullopt;
    extents.push_back(*std::next(at) / *at);
  }
  if (*edges.rbegin() != devices) return std::nullopt;
  return fabric::DeviceGrid(std::move(extents));
}

// The shift of every ring step of a group; none if it is not the same for all members.
std::vector<int> shifts_of(const fabric::DeviceGrid& grid, const std::vector<int>& members) {
  const std::size_t size = members.size();
  std::vector<int> shifts(size, 0);
  for (std::size_t step = 1; step < size; ++step) {
    shifts[step] = grid.shift(members[0], members[step]);
    for (std::size_t i = 1; i < size; ++i) {
      if (grid.shift(members[i], members[(i + step) % size]) != shifts[step]) return {};
    }
  }
  return shifts;
}

// The bytes of each shift, of the device that sends the most.
std::vector<fabric::ShiftBytes> on_shifts(const fabric::DeviceGrid& grid,
                                          const workload::Demand& demand) {
  std::map<int, Bytes> bytes;
  for (const workload::PairDemand& it : demand) {
    Bytes& max = bytes[grid.shift(it.from, it.to)];
    max = std::max(max, it.bytes);
  }
  std::vector<fabric::ShiftBytes> shifts;
  for (const auto& [shift, max] : bytes) {
    shifts.push_back({shift, static_cast<double>(max.count)});
  }
  return shifts;
}

class KindsOfTraffic {
 public:
  KindsOfTraffic(const workload::Workload& workload, GridTraffic& traffic)
      : workload_(workload), traffic_(traffic) {}

  void add_all() {
    const std::size_t groups = traffic_.rings.demand.groups.size();
    for (std::size_t g = 0; g < groups; ++g) traffic_.kind_of_group.push_back(ring_kind(g));
    classify();
    for (int kind = 0; kind < static_cast<int>(classes_.size()); ++kind) {
      const workload::Demand demand =
          demand_of(workload_, [&](std::size_t o) { return class_of_[o] == kind; });
      if (!demand.empty()) kinds().push_back({on_shifts(traffic_.shifts.grid, demand)});
    }
  }

 private:
  // Groups whose rings use the same shifts are one kind.
  int ring_kind(std::size_t group) {
    const fabric::AllReduceGroup& it = traffic_.rings.demand.groups[group];
    const std::vector<int> shifts = shifts_of(traffic_.shifts.grid, it.members);
    if (shifts.empty()) return -1;
    const auto ranks = static_cast<double>(shifts.size());
    const double sent = 2 * (ranks - 1) / ranks * static_cast<double>(it.bytes.count);
    for (std::size_t k = 0; k < kinds().size(); ++k) {
      if (kinds()[k].shift_of != shifts) continue;
      kinds()[k].ring_bytes = std::max(kinds()[k].ring_bytes, sent);
      return static_cast<int>(k);
    }
    kinds().push_back({.fixed = {}, .shift_of = shifts, .ring_bytes = sent});
    return static_cast<int>(kinds().size()) - 1;
  }

  // Messages are one class; collectives of one kind and algorithm are one, in groups of one shape.
  void classify() {
    for (const workload::Operation& it : workload_.operations) {
      int& at = class_of_.emplace_back(-1);
      if (it.kind == workload::OperationKind::message) at = number_of({});
      if (it.kind == workload::OperationKind::collective) at = class_of(it);
    }
  }

  int class_of(const workload::Operation& it) {
    const auto [at, first] = known_.try_emplace({it.collective, it.groups}, -1);
    if (!first) return at->second;
    const auto g = static_cast<std::size_t>(it.groups);
    const workload::Groups& groups = workload_.groups[g];
    const workload::Collective& collective =
        workload_.collectives[static_cast<std::size_t>(it.collective)];
    const int rings = traffic_.rings.first_group[g];
    const bool mutable_here = rings >= 0 && plan::is_mutable(collective, groups.size);
    if (mutable_here && traffic_.kind_of_group[static_cast<std::size_t>(rings)] >= 0) return -1;
    std::vector<int> shape = {static_cast<int>(collective.kind),
                              static_cast<int>(collective.algorithm)};
    for (int rank = 0; rank < groups.size; ++rank) {
      shape.push_back(groups.members[static_cast<std::size_t>(rank)] - groups.members[0]);
    }
    return at->second = number_of(shape);
  }

  int number_of(const std::vector<int>& shape) {
    return classes_.try_emplace(shape, static_cast<int>(classes_.size())).first->second;
  }

  std::vector<fabric::ShiftKind>& kinds() { return traffic_.shifts.kinds; }

  const workload::Workload& workload_;
  GridTraffic& traffic_;
  std::map<std::vector<int>, int> classes_;
  std::map<std::pair<int, int>, int> known_;  // class by collective and groups
  std::vector<int> class_of_;                 // per operation; -1: of no class
};

}  // namespace

std::optional<GridTraffic> traffic_on_grid(const workload::Workload& workload, int devices) {
  if (workload.devices != devices || devices < 2) return std::nullopt;
  std::optional<fabric::DeviceGrid> grid = grid_of(workload, devices);
  if (!grid) return std::nullopt;
  GridTraffic traffic{{*std::move(grid), {}}, mutable_traffic(workload), {}};
  KindsOfTraffic(workload, traffic).add_all();
  if (traffic.shifts.kinds.empty()) return std::nullopt;
  return traffic;
}

}  // namespace loom::plan
