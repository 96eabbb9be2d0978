// From what a user wrote to the points of a comparison.
//
// A list where a value stands is an axis: every combination is a point. The fabrics are an axis
// too, and a list inside one fabric makes several of that fabric. The jobs of a cluster are there
// together; a list inside one of them is an axis.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/base/tree.h"

namespace loom {

struct PointTree {
  Tree scenario;                                          // holds no axis any more
  std::vector<std::pair<std::string, std::string>> axes;  // "workload.size" → "1 GB"
};

// No more than this many points, and of a long scenario fewer: this many values in all points.
inline constexpr std::size_t kMaxPoints = 10'000;
inline constexpr std::size_t kMaxValues = 4'000'000;

std::vector<PointTree> expand_axes(const Tree& scenario);

// "fabric.bandwidth=800Gbps": sets the value at that path; with several fabrics in all of them, or
// in one as "fabrics.0.bandwidth". The value may be a list.
void override_value(Tree& scenario, const std::string& assignment);

}  // namespace loom
