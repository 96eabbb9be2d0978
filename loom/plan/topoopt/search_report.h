// What a search over the ways of operators found, in words, and how it went.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom {

// The best after so many proposals.
struct SearchPoint {
  std::int64_t proposal = 0;
  Duration best{0};

  bool operator==(const SearchPoint&) const = default;
};

struct SearchRound {
  Duration before{0};  // of the ways it began with, on this round's topology
  Duration found{0};   // of the best ways on it
  Duration after{0};   // of those on the topology then made for them
  std::int64_t proposals = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
  std::vector<SearchPoint> steps;
};

// What the search found, in words.
struct SearchReport {
  struct Row {
    std::string name;       // of the operator
    std::string partition;  // "sample/128"
    std::string servers;
  };
  std::string summary;
  std::vector<Row> operators;
  Duration predicted{0};
  // Of all operators data parallel, on the same network; what it needs may be more than there is.
  Duration data_parallel{0};
  bool data_parallel_fits = true;
  std::vector<SearchRound> rounds;
};

}  // namespace loom
