#include "loom/place/grid.h"

#include <algorithm>

#include "loom/base/error.h"

namespace loom::place {

Grid::Grid(const parallelize::Strategy& strategy) : extent_(extents(strategy)) {
  for (const parallelize::Dimension dimension : strategy.order) {
    const auto d = static_cast<std::size_t>(dimension);
    stride_[d] = devices_;
    devices_ *= extent_[d];
  }
}

int Grid::extent(parallelize::Dimension dimension) const {
  return extent_[static_cast<std::size_t>(dimension)];
}

int Grid::coordinate(int device, parallelize::Dimension dimension) const {
  const auto d = static_cast<std::size_t>(dimension);
  return device / stride_[d] % extent_[d];
}

workload::Groups Grid::groups_over(std::initializer_list<parallelize::Dimension> over,
                                   int stage) const {
  std::vector<int> offsets = {0};  // device number minus that of the first member, per member
  for (const parallelize::Dimension dimension : over) {
    const std::vector<int> inner = offsets;
    for (int i = 1; i < extent(dimension); ++i) {
      for (const int offset : inner) {
        offsets.push_back(offset + i * stride_[static_cast<std::size_t>(dimension)]);
      }
    }
  }
  std::sort(offsets.begin(), offsets.end());
  workload::Groups groups;
  groups.size = static_cast<int>(offsets.size());
  for (int device = 0; device < devices_; ++device) {
    const bool first = std::all_of(over.begin(), over.end(), [&](parallelize::Dimension d) {
      return coordinate(device, d) == 0;
    });
    if (!first || coordinate(device, parallelize::Dimension::pipeline) != stage) continue;
    for (const int offset : offsets) groups.members.push_back(device + offset);
  }
  return groups;
}

workload::Groups Grid::stage(int stage) const { return groups_over({}, stage); }

workload::Groups Grid::groups(parallelize::Span span, int stage) const {
  switch (span) {
    case parallelize::Span::tensor:
      return groups_over({parallelize::Dimension::tensor}, stage);
    case parallelize::Span::context:
      return groups_over({parallelize::Dimension::context}, stage);
    case parallelize::Span::expert:
      return groups_over({parallelize::Dimension::expert}, stage);
    case parallelize::Span::data:
      return groups_over({parallelize::Dimension::context, parallelize::Dimension::expert,
                          parallelize::Dimension::data},
                         stage);
    case parallelize::Span::expert_data:
      return groups_over({parallelize::Dimension::context, parallelize::Dimension::data}, stage);
  }
  LOOM_CHECK(false, "every span has its groups");
}

workload::Groups Grid::pairs(int from, int to) const {
  workload::Groups groups;
  groups.size = 2;
  const int apart =
      (to - from) * stride_[static_cast<std::size_t>(parallelize::Dimension::pipeline)];
  for (const int device : stage(from).members) {
    groups.members.push_back(device);
    groups.members.push_back(device + apart);
  }
  return groups;
}

}  // namespace loom::place
