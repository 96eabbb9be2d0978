// Result and progress of a search over operator configurations, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom::plan {

// Best time after so many proposals.
struct SearchPoint {
  std::int64_t proposal = 0;
  Duration best{0};

  bool operator==(const SearchPoint&) const = default;
};

struct SearchRound {
  Duration before{0};  // initial configurations on this round's topology
  Duration found{0};   // best configurations on that topology
  Duration after{0};   // the same configurations on the topology then found for them
  std::int64_t proposals = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
  std::vector<SearchPoint> steps;
};

// The configurations found, in words.
struct SearchReport {
  struct Row {
    std::string name;       // operator
    std::string partition;  // "sample/128"
    std::string servers;
  };
  std::string summary;
  std::vector<Row> operators;
  Duration predicted{0};
  // All operators data parallel on the same network, even if that needs more memory than available.
  Duration data_parallel{0};
  bool data_parallel_fits = true;
  std::vector<SearchRound> rounds;
};

}  // namespace loom::plan
