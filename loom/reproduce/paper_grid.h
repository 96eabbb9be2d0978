// The points of a published study as a grid: axes with named values, each of which sets something
// of the scenario.
//
//   grid:
//     gpus: [128, 1024]                   # sets the key of that name
//     bandwidth: [512 Gbps, 1024 Gbps]    # no key of the scenario: for others to use
//     fabric:
//       flat: {fabric: "{kind: switch, bandwidth: $bandwidth}"}
//   quick: {gpus: [128]}                  # the values of a reduced run; of other axes all
//
// In what an axis sets, $name stands for the value of that axis. A value may bring more of them:
// `100 Gbps: {$port: 25 Gbps}`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/base/tree.h"
#include "loom/scenario/scenario.h"

namespace loom {

struct GridValue {
  std::string name;
  std::vector<std::pair<std::string, std::string>> sets;  // path and value
};

struct GridAxis {
  std::string name;
  std::vector<GridValue> values;
};

struct GridPoint {
  std::vector<int> at;  // by axis: which value
  Scenario scenario;
};

struct PaperGrid {
  std::vector<GridAxis> axes;
  std::vector<GridPoint> points;

  int axis(const std::string& name) const;  // -1: none of that name
  const std::string& value(const GridPoint& point, int axis) const;
};

// InputError where it is written wrongly. `quick`: the reduced run.
PaperGrid read_grid(const Tree& section, const Tree& scenario, bool quick);

}  // namespace loom
