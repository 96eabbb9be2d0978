#include "loom/place/grid.h"

#include <algorithm>

#include "loom/base/error.h"

namespace loom {

Grid::Grid(const Strategy& strategy)
    : extent_{strategy.tensor, strategy.context, strategy.expert, strategy.data / strategy.expert,
              strategy.pipeline} {
  for (const Dimension dimension : strategy.order) {
    const auto d = static_cast<std::size_t>(dimension);
    stride_[d] = devices_;
    devices_ *= extent_[d];
  }
}

int Grid::extent(Dimension dimension) const { return extent_[static_cast<std::size_t>(dimension)]; }

int Grid::coordinate(int device, Dimension dimension) const {
  const auto d = static_cast<std::size_t>(dimension);
  return device / stride_[d] % extent_[d];
}

Groups Grid::groups_over(std::initializer_list<Dimension> over, int stage) const {
  std::vector<int> offsets = {0};  // of the members from the first
  for (const Dimension dimension : over) {
    const std::vector<int> inner = offsets;
    for (int i = 1; i < extent(dimension); ++i) {
      for (const int offset : inner) {
        offsets.push_back(offset + i * stride_[static_cast<std::size_t>(dimension)]);
      }
    }
  }
  std::sort(offsets.begin(), offsets.end());
  Groups groups;
  groups.size = static_cast<int>(offsets.size());
  for (int device = 0; device < devices_; ++device) {
    const bool first = std::all_of(over.begin(), over.end(),
                                   [&](Dimension d) { return coordinate(device, d) == 0; });
    if (!first || coordinate(device, Dimension::pipeline) != stage) continue;
    for (const int offset : offsets) groups.members.push_back(device + offset);
  }
  return groups;
}

Groups Grid::stage(int stage) const { return groups_over({}, stage); }

Groups Grid::groups(Span span, int stage) const {
  switch (span) {
    case Span::tensor:
      return groups_over({Dimension::tensor}, stage);
    case Span::context:
      return groups_over({Dimension::context}, stage);
    case Span::expert:
      return groups_over({Dimension::expert}, stage);
    case Span::data:
      return groups_over({Dimension::context, Dimension::expert, Dimension::data}, stage);
    case Span::expert_data:
      return groups_over({Dimension::context, Dimension::data}, stage);
  }
  LOOM_CHECK(false, "every span has its groups");
}

Groups Grid::pairs(int from, int to) const {
  Groups groups;
  groups.size = 2;
  const int apart = (to - from) * stride_[static_cast<std::size_t>(Dimension::pipeline)];
  for (const int device : stage(from).members) {
    groups.members.push_back(device);
    groups.members.push_back(device + apart);
  }
  return groups;
}

}  // namespace loom
