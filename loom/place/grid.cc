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

// The device numbers of all ranks that are zero in every dimension but these, sorted.
std::vector<int> Grid::devices_over(std::span<const parallelize::Dimension> dimensions) const {
  std::vector<int> devices = {0};
  for (const parallelize::Dimension dimension : dimensions) {
    const std::size_t inner = devices.size();
    for (int i = 1; i < extent(dimension); ++i) {
      for (std::size_t j = 0; j < inner; ++j) {
        devices.push_back(devices[j] + i * stride_[static_cast<std::size_t>(dimension)]);
      }
    }
  }
  std::sort(devices.begin(), devices.end());
  return devices;
}

workload::Groups Grid::groups_over(std::initializer_list<parallelize::Dimension> over,
                                   int stage) const {
  std::vector<parallelize::Dimension> others;
  for (std::size_t d = 0; d < extent_.size(); ++d) {
    const auto it = static_cast<parallelize::Dimension>(d);
    const bool known = std::find(over.begin(), over.end(), it) != over.end();
    if (!known && it != parallelize::Dimension::pipeline) others.push_back(it);
  }
  const std::vector<int> members = devices_over(over);
  const std::vector<int> firsts = devices_over(others);
  const int begin = stage * stride_[static_cast<std::size_t>(parallelize::Dimension::pipeline)];
  workload::Groups groups;
  groups.size = static_cast<int>(members.size());
  groups.members.reserve(members.size() * firsts.size());
  for (const int first : firsts) {
    for (const int member : members) groups.members.push_back(begin + first + member);
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
    case parallelize::Span::all_data:
      return groups_over({parallelize::Dimension::tensor, parallelize::Dimension::context,
                          parallelize::Dimension::expert, parallelize::Dimension::data},
                         stage);
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
