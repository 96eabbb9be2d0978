// Report of a search over operator configurations: its result in words, and its progress.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom::plan {

// Best time after a number of proposals.
struct SearchPoint {
  std::int64_t proposal = 0;
  Duration best{0};

  bool operator==(const SearchPoint&) const = default;
};

struct SearchRound {
  Duration before{0};  // time of the initial configurations on the topology of this round
  Duration found{0};   // time of the best configurations on that topology
  Duration after{0};   // time of these configurations on the topology then found for them
  std::int64_t proposals = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
  std::vector<SearchPoint> steps;
};

// The configurations found, in words.
struct SearchReport {
  struct Row {
    std::string name;       // operator
    std::string partition;  // dimension and degree, such as "sample/128"; "whole" for degree 1
    std::string servers;
  };
  std::string summary;
  std::vector<Row> operators;
  Duration predicted{0};
  // Predicted time with all operators data parallel on the same network, even if that needs more
  // memory than available.
  Duration data_parallel{0};
  bool data_parallel_fits = true;
  std::vector<SearchRound> rounds;
};

}  // namespace loom::plan
