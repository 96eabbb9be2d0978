#include "loom/workload/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace loom::workload {
namespace {

constexpr int kMaxRanks = 1 << 20;
constexpr int kMaxChunks = 1 << 16;

// Upper bound on ranks times chunks. A channel of a ring has two steps per rank, and the number of
// its messages must fit into an int.
constexpr std::int64_t kMaxRankChunks = std::int64_t{1} << 29;

// Maximum number of channels, about a gigabyte. If every rank sends to every other, the number of
// channels is quadratic in the number of ranks.
constexpr std::int64_t kMaxPairs = std::int64_t{1} << 24;

std::optional<Objection> object_algorithm(const Collective& collective) {
  std::vector<std::string_view> names;
  for (const Algorithm algorithm : algorithms_for(collective.kind)) {
    if (algorithm == collective.algorithm) return std::nullopt;
    names.push_back(name_of(algorithm));
  }
  return Objection{"algorithm",
                   fmt::format("{} by {}; {}{} is needed", name_of(collective.kind),
                               name_of(collective.algorithm), names.size() == 1 ? "" : "one of ",
                               fmt::join(names, ", "))};
}

std::optional<Objection> object_ranks(const Collective& collective, int ranks) {
  if (ranks < 1 || ranks > kMaxRanks) {
    return Objection{"algorithm",
                     fmt::format("{} ranks; from 1 to {} are needed", ranks, kMaxRanks)};
  }
  if (collective.kind == CollectiveKind::point_to_point && ranks != 2) {
    return Objection{"algorithm",
                     fmt::format("point_to_point over {} ranks; exactly 2 are needed", ranks)};
  }
  return std::nullopt;
}

std::optional<Objection> object_chunks(int chunks, int ranks) {
  if (chunks < 1 || chunks > kMaxChunks) {
    return Objection{"chunks",
                     fmt::format("chunks is {}; from 1 to {} are needed", chunks, kMaxChunks)};
  }
  if (std::int64_t{chunks} * ranks > kMaxRankChunks) {
    return Objection{"chunks", fmt::format("chunks is {}; with {} ranks at most {} are possible",
                                           chunks, ranks, kMaxRankChunks / ranks)};
  }
  return std::nullopt;
}

std::optional<Objection> object_levels(const Collective& collective, int ranks) {
  if (collective.algorithm != Algorithm::hierarchical) {
    if (collective.levels.empty()) return std::nullopt;
    return Objection{"algorithm", fmt::format("levels with {}; only hierarchical has levels",
                                              name_of(collective.algorithm))};
  }
  std::int64_t product = 1;
  for (const int level : collective.levels) {
    if (level < 1) {
      return Objection{"levels", fmt::format("a level of {} ranks; at least 1 is needed", level)};
    }
    product = std::min<std::int64_t>(product * level, kMaxRanks + 1);
  }
  if (!collective.levels.empty() && product == ranks) return std::nullopt;
  const std::string given =
      collective.levels.empty() ? "empty" : fmt::format("{}", fmt::join(collective.levels, "x"));
  return Objection{
      "levels", fmt::format("levels is {}; numbers whose product is {} are needed", given, ranks)};
}

std::optional<Objection> object_steps(const Collective& collective, int ranks) {
  constexpr std::size_t kMaxRings = 1024;
  if (collective.algorithm != Algorithm::rings) {
    if (collective.steps.empty()) return std::nullopt;
    return Objection{"algorithm", fmt::format("steps with {}; only rings has steps",
                                              name_of(collective.algorithm))};
  }
  if (collective.steps.empty()) {
    return Objection{"steps", "steps is empty; the step of each ring is needed"};
  }
  if (collective.steps.size() > kMaxRings) {
    return Objection{"steps", fmt::format("steps is {} numbers; at most {} rings are possible",
                                          collective.steps.size(), kMaxRings)};
  }
  for (const int step : collective.steps) {
    const bool round = step >= 1 && (step < ranks || ranks == 1) && std::gcd(step, ranks) == 1;
    if (round) continue;
    return Objection{
        "steps",
        fmt::format("steps is {}, and step {} does not visit all {} ranks; numbers "
                    "from 1 to {} coprime to {} are needed",
                    fmt::join(collective.steps, " "), step, ranks, std::max(1, ranks - 1), ranks)};
  }
  return std::nullopt;
}

// Number of channels per rank, up to a small factor, for object_pairs(): the size of the largest
// group in which every rank sends to every other, at once or in turn; for rings, the number of
// rings; for a line with blocks, the number of blocks; otherwise 1.
int largest_clique(const Collective& collective, int ranks) {
  if (collective.kind == CollectiveKind::broadcast) return 1;
  switch (collective.algorithm) {
    case Algorithm::direct:
    case Algorithm::pairwise:
      return ranks;
    case Algorithm::hierarchical:
      return collective.kind == CollectiveKind::all_to_all
                 ? *std::max_element(collective.levels.begin(), collective.levels.end())
                 : 1;
    case Algorithm::line:
      return collective.kind == CollectiveKind::all_reduce ? 1 : ranks;
    case Algorithm::rings:
      return static_cast<int>(collective.steps.size());
    default:
      return 1;
  }
}

std::optional<Objection> object_pairs(const Collective& collective, int ranks) {
  const std::int64_t pairs = std::int64_t{ranks} * largest_clique(collective, ranks);
  if (pairs <= kMaxPairs) return std::nullopt;
  return Objection{"algorithm",
                   fmt::format("{} by {} among {} ranks takes {} channels; at most {} are possible",
                               name_of(collective.kind), name_of(collective.algorithm), ranks,
                               pairs, kMaxPairs)};
}

std::optional<Objection> object_size(std::string_view key, Bytes size) {
  if (size >= Bytes{0} && size <= kLargestSize) return std::nullopt;
  return Objection{std::string(key), fmt::format("size is {} B; from 0 B to {} is needed",
                                                 size.count, exact(kLargestSize))};
}

std::optional<Objection> object_sizes(const Collective& collective, int ranks) {
  if (collective.sizes.empty()) return object_size("size", collective.size);
  if (collective.kind != CollectiveKind::all_to_all ||
      collective.algorithm == Algorithm::hierarchical) {
    return Objection{
        "algorithm",
        fmt::format("{} by {} cannot have unequal sizes; only all_to_all by direct or pairwise can",
                    name_of(collective.kind), name_of(collective.algorithm))};
  }
  const auto n = static_cast<std::size_t>(ranks);
  if (collective.sizes.size() != n * n) {
    return Objection{
        "sizes", fmt::format("{} sizes; {} ranks need {}", collective.sizes.size(), ranks, n * n)};
  }
  for (const Bytes size : collective.sizes) {
    if (auto no = object_size("sizes", size)) return no;
  }
  return object_size("size", collective.size);
}

// The minimum number of bytes that the busiest rank sends or receives is `size` times the fraction
// over / under (nccl-tests, doc/PERFORMANCE.md).
struct Factor {
  std::int64_t over;
  std::int64_t under;
};

Factor bus_factor(CollectiveKind kind, int ranks) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return {2 * (std::int64_t{ranks} - 1), ranks};
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_gather:
    case CollectiveKind::all_to_all:
      return {std::int64_t{ranks} - 1, ranks};
    case CollectiveKind::broadcast:
    case CollectiveKind::point_to_point:
      break;
  }
  return {1, 1};
}

Bandwidth scaled_rate(Bytes size, Factor factor, Duration time) {
  if (time.count() <= 0) return {0};
  constexpr Int128 kBitPicoseconds = Int128{8} * 1'000'000'000'000;
  const Int128 rate =
      size.count * kBitPicoseconds * factor.over / (Int128{time.count()} * factor.under);
  const Int128 largest = std::numeric_limits<std::int64_t>::max();
  return {static_cast<std::int64_t>(std::min(rate, largest))};
}

template <class Choice>
std::optional<Choice> find_name(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Choice>(found - names.begin());
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  return kCollectiveNames[static_cast<std::size_t>(kind)];
}
std::string_view name_of(Algorithm algorithm) {
  return kAlgorithmNames[static_cast<std::size_t>(algorithm)];
}

std::optional<CollectiveKind> parse_collective(std::string_view name) {
  return find_name<CollectiveKind>(kCollectiveNames, name);
}

std::optional<Algorithm> parse_algorithm(std::string_view name) {
  if (name == "tree") return Algorithm::double_binary_tree;
  return find_name<Algorithm>(kAlgorithmNames, name);
}

std::vector<Algorithm> algorithms_for(CollectiveKind kind) {
  using enum Algorithm;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return {ring,
              bidirectional_ring,
              double_binary_tree,
              halving_doubling,
              direct,
              hierarchical,
              rings,
              line};
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_gather:
      return {ring, bidirectional_ring, halving_doubling, direct, hierarchical, rings, line};
    case CollectiveKind::all_to_all:
      return {direct, pairwise, hierarchical};
    case CollectiveKind::broadcast:
      return {ring, double_binary_tree, direct};
    case CollectiveKind::point_to_point:
      return {direct};
  }
  return {};
}

std::optional<Objection> objection(const Collective& collective, int ranks) {
  auto no = object_algorithm(collective);
  if (!no) no = object_ranks(collective, ranks);
  if (!no) no = object_chunks(collective.chunks, ranks);
  if (!no) no = object_levels(collective, ranks);
  if (!no) no = object_steps(collective, ranks);
  if (!no) no = object_pairs(collective, ranks);
  if (!no) no = object_sizes(collective, ranks);
  return no;
}

Bandwidth algorithm_bandwidth(const Collective& collective, Duration time) {
  return scaled_rate(collective.size, {1, 1}, time);
}

Bandwidth bus_bandwidth(const Collective& collective, int ranks, Duration time) {
  return scaled_rate(collective.size, bus_factor(collective.kind, ranks), time);
}

}  // namespace loom::workload
