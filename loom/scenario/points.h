// Expands a scenario with lists into the points of a comparison.
//
// A list in place of a value is an axis, and every combination of axis values is a point. `fabrics`
// is an axis too; a list inside one fabric makes several variants of that fabric. `jobs` is no
// axis: all jobs run together. A list inside a job is an axis.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/tree.h"

namespace loom::scenario {

struct PointTree {
  Tree scenario;                                          // with one value in place of each axis
  std::vector<std::pair<std::string, std::string>> axes;  // "workload.size" → "1 GB"
  std::optional<Infeasible> unaffordable = {};  // why no bandwidth has the cost of another fabric
};

// Limits on the number of points, and on the number of values in all points together.
inline constexpr std::size_t kMaxPoints = 10'000;
inline constexpr std::size_t kMaxValues = 4'000'000;

std::vector<PointTree> expand_axes(const Tree& scenario);

// Sets the value at a path: "fabric.bandwidth=800Gbps". With several fabrics it is set in all of
// them; "fabrics.0.bandwidth" sets it in one. The value may be a list.
void override_value(Tree& scenario, const std::string& assignment);

}  // namespace loom::scenario
