// The points of a published study as a grid of axes. Each axis has named values, and each value
// sets keys of the scenario.
//
//   grid:
//     gpus: [128, 1024]                   # sets the key of that name
//     bandwidth: [512 Gbps, 1024 Gbps]    # not a key of the scenario: other axes refer to it
//     fabric:
//       flat: {fabric: "{kind: switch, bandwidth: $bandwidth}"}
//   quick: {gpus: [128]}                  # the values of a reduced run; other axes keep all
//
// In values that an axis sets, $name is the value of the axis of that name. A value may define more
// names: `100 Gbps: {$port: 25 Gbps}`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/base/tree.h"
#include "loom/scenario/scenario.h"

namespace loom::reproduce {

struct GridValue {
  std::string name;
  std::vector<std::pair<std::string, std::string>> sets;  // path and value
};

struct GridAxis {
  std::string name;
  std::vector<GridValue> values;
};

struct GridPoint {
  std::vector<int> at;  // index of the value by axis
  scenario::Scenario scenario;
};

struct PaperGrid {
  std::vector<GridAxis> axes;
  std::vector<GridPoint> points;

  int axis(const std::string& name) const;  // -1 if there is none of that name
  const std::string& value(const GridPoint& point, int axis) const;
};

// Reads the grid of a section. `quick` selects the reduced run. Throws InputError if the grid is
// malformed.
PaperGrid read_grid(const Tree& section, const Tree& scenario, bool quick);

}  // namespace loom::reproduce
