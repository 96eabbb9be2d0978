// A collective: an operation of a group of ranks on their buffers, and its algorithm.
//
// `size` always means the full buffer of one rank, the larger of its input and output (as in
// nccl-tests).
//   all_reduce       every rank holds `size` before and after
//   reduce_scatter   every rank contributes `size` and keeps 1/n of the sum
//   all_gather       every rank contributes 1/n and ends with `size`
//   all_to_all       every rank contributes `size`, 1/n of it for each rank (itself included)
//   broadcast        rank 0 holds `size`, and all ranks end with it
//   point_to_point   rank 0 sends `size` to rank 1
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"

namespace loom::workload {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  broadcast,
  point_to_point,
};

enum class Algorithm : std::uint8_t {
  ring,
  bidirectional_ring,
  double_binary_tree,
  halving_doubling,
  direct,
  pairwise,
  hierarchical,
  rings,
  line,
};

// In the order of CollectiveKind.
inline constexpr std::array<std::string_view, 6> kCollectiveNames = {
    "all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "point_to_point",
};

// In the order of Algorithm.
inline constexpr std::array<std::string_view, 9> kAlgorithmNames = {
    "ring",   "bidirectional_ring", "double_binary_tree", "halving_doubling",
    "direct", "pairwise",           "hierarchical",       "rings",
    "line",
};

std::string_view name_of(CollectiveKind kind);
std::string_view name_of(Algorithm algorithm);
std::optional<CollectiveKind> parse_collective(std::string_view name);
std::optional<Algorithm> parse_algorithm(std::string_view name);  // also "tree"

struct Collective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  Algorithm algorithm = Algorithm::ring;
  Bytes size{};
  int chunks = 1;  // number of messages into which the data of each step is divided
  std::vector<int> levels =
      {};  // hierarchical: ranks per group, innermost first; their product is n
  std::vector<Bytes> sizes = {};  // unequal all_to_all: n × n, from rank (row) to rank (column)
  std::vector<int> steps = {};    // rings: the step s per ring; rank r sends to rank r + s mod n

  bool operator==(const Collective&) const = default;
};

// The algorithms that implement this kind, the default first.
std::vector<Algorithm> algorithms_for(CollectiveKind kind);

// The reason why `ranks` ranks cannot run the collective; nothing if they can. The key is the
// member at fault: chunks, levels, steps, size or sizes; for any other reason, algorithm.
std::optional<Objection> objection(const Collective& collective, int ranks);

// Algorithm bandwidth: buffer bytes per second ("algbw" in nccl-tests). Bus bandwidth: the
// algorithm bandwidth times the factor that makes it comparable to link bandwidth ("busbw"). Both
// are rounded down; zero if no time passed.
Bandwidth algorithm_bandwidth(const Collective& collective, Duration time);
Bandwidth bus_bandwidth(const Collective& collective, int ranks, Duration time);

}  // namespace loom::workload
