// Errors of the analytic engine's collective times relative to the fluid engine. The tables below
// are those of docs/engines.md and are compared in full, so that a changed closed form shows its
// effect everywhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "tests/agree/collective_times.h"
#include "tests/agree/fabrics.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

using enum workload::CollectiveKind;
using enum workload::Algorithm;

// In percent of the fluid engine's time; "=" means equal to the picosecond. Causes of errors:
// halving-doubling merges ranks if their number is no power of two, and then its phases overlap; so
// do the phases of pairwise on links of different bandwidth; ECMP paths collide, which closed forms
// ignore; on long paths a closed form adds the longest latency and the busiest link, although these
// may belong to different paths.
constexpr const char* kOneChunk =
    R"(| | switch | full_mesh | cluster, rail | trees, split | trees, ecmp | torus | dragonfly, random | oddl |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| ring | = | = | 0.0 | = | = | 0.0 | 0.0 | -37.5 … 0.0 |
| bidirectional_ring | 0.0 | = | 0.0 … 1.2 | 0.0 … 5.5 | 0.0 … 3.3 | 0.0 … 13.8 | 0.0 … 4.1 | -22.0 … 68.3 |
| halving_doubling of 2^k | = | = | = | = | -6.2 … 6.6 | = | 0.0 … 6.1 | = |
| halving_doubling of others | -21.4 … -4.6 | 0.0 … 22.2 | -22.6 … 10.8 | -16.0 … 3.6 | -21.9 … 1.7 | -11.3 … 30.2 | -15.0 … 2.4 | -9.7 … 64.5 |
| direct | = | = | 0.0 … 11.0 | 0.0 … 10.0 | 0.0 … 8.2 | 0.0 … 20.0 | 0.0 … 21.9 | -28.3 … 74.3 |
| pairwise | 0.0 | 0.0 | -20.2 … 0.0 | 0.0 … 1.5 | -13.0 … 13.2 | -23.9 … 4.7 | -2.4 … 9.3 | 0.0 … 11.1 |
| hierarchical |  |  | = | = | -9.1 … 1.6 | = | 0.0 | = |
| hierarchical all_to_all |  |  | = | = | -8.3 … 0.0 | 0.0 … 13.3 | 0.0 … 11.2 | = |
| rings | 0.0 | = | 0.0 … 1.2 | 0.0 … 5.5 | 0.0 … 4.5 | 0.0 … 13.8 | 0.0 … 4.1 | -22.0 … 68.3 |
| tree all_reduce | = | = | = | 0.0 … 6.9 | 0.0 … 6.9 | 0.0 … 6.5 | 0.0 … 10.4 | -6.7 … 9.1 |
| tree broadcast | = | = | -18.2 … 0.0 | 0.0 … 10.9 | 0.0 … 9.7 | 0.0 … 12.2 | 0.0 … 12.6 | -17.7 … 14.3 |
| chain broadcast | = | = | = | = | = | = | = | = |
| direct broadcast | = | = | = | 0.0 … 28.4 | 0.0 … 28.4 | 0.0 … 53.5 | 0.0 … 18.9 | -19.1 … 15.4 |
)";

constexpr const char* kEightChunks =
    R"(| | switch | full_mesh | cluster, rail | trees, split | trees, ecmp | torus | dragonfly, random | oddl |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| ring | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | -92.1 … -0.3 |
| bidirectional_ring | 0.0 | 0.0 | 0.0 … 0.2 | 0.0 … 2.1 | 0.0 … 0.7 | 0.0 … 1.3 | 0.0 … 0.7 | -70.8 … 48.9 |
| halving_doubling of 2^k | 0.0 | 0.0 | 0.0 | 0.0 | -6.2 … 6.6 | 0.0 | 0.0 … 6.1 | -86.3 … -0.3 |
| halving_doubling of others | -21.4 … -4.6 | 0.0 … 22.2 | -22.6 … 10.8 | -16.0 … 3.6 | -21.9 … 1.7 | -11.3 … 30.2 | -15.0 … 2.4 | -83.8 … 36.7 |
| direct | 0.0 | 0.0 | 0.0 … 11.0 | 0.0 … 10.0 | 0.0 … 8.2 | 0.0 … 20.0 | 0.0 … 21.9 | -86.2 … -0.1 |
| pairwise | 0.0 | 0.0 | -20.2 … 0.0 | 0.0 … 1.5 | -13.0 … 13.2 | -23.9 … 4.7 | -2.4 … 9.5 | -87.4 … -0.3 |
| hierarchical |  |  | 0.0 | 0.0 | -9.1 … 0.2 | 0.0 | 0.0 | -87.3 … -0.4 |
| hierarchical all_to_all |  |  | 0.0 | 0.0 | -8.3 … 0.0 | 0.0 … 13.3 | 0.0 … 11.2 | -83.7 … -0.2 |
| rings | 0.0 | 0.0 | 0.0 … 0.2 | 0.0 … 2.1 | 0.0 … 0.7 | 0.0 … 1.3 | 0.0 … 0.7 | -70.8 … 48.9 |
| tree all_reduce | -7.9 … 22.2 | 0.0 … 41.7 | -4.8 … 12.6 | 0.0 … 10.4 | -3.1 … 9.6 | 4.4 … 21.5 | 3.6 … 15.8 | -86.2 … 14.2 |
| tree broadcast | -5.0 … 0.0 | 0.0 | -4.7 … 12.3 | 0.0 … 6.7 | 0.0 … 5.1 | -4.5 … 10.5 | 0.0 … 11.7 | -88.6 … 3.4 |
| chain broadcast | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | -2.3 … 0.0 | -3.3 … 2.3 | -84.9 … -0.2 |
| direct broadcast | 0.0 | 0.0 | 0.0 | 0.0 … 28.4 | 0.0 … 28.4 | 0.0 … 53.5 | 0.0 … 18.9 | -85.6 … 2.0 |
)";

constexpr const char* kMessages =
    R"(| | switch | full_mesh | cluster, rail | trees, split | trees, ecmp | torus | dragonfly, random | oddl |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 100 messages at once | 0.0 | = | -0.4 … 0.0 | 0.0 … 0.4 | -1.4 … 0.3 | -0.1 … 0.4 | -0.1 … 0.2 | -23.3 … -2.6 |
| 100 messages within 200 us | -5.8 … 0.0 | 0.0 | -10.8 … 0.0 | -5.7 … 0.0 | -9.4 … 0.0 | -6.6 … 0.0 | -10.0 … 0.0 | -21.9 … -2.2 |
)";

// The range of errors in a table cell, as a fraction of the fluid engine's time.
struct Errors {
  double min = 1e9;
  double max = -1e9;
  bool equal = true;  // all to the picosecond

  void add(Duration analytic, Duration fluid) {
    const double error =
        static_cast<double>(analytic.count()) / static_cast<double>(fluid.count()) - 1;
    min = std::min(min, error);
    max = std::max(max, error);
    equal = equal && analytic == fluid;
  }

  // "=", "0.0" if all errors are below 0.05%, else min to max.
  std::string text() const {
    if (min > max) return "";
    if (equal) return "=";
    const std::string from = percent(min);
    const std::string to = percent(max);
    return from == to ? to : from + " … " + to;
  }

  static std::string percent(double error) {
    const std::string text = fmt::format("{:.1f}", 100 * error);
    return text == "-0.0" ? "0.0" : text;
  }
};

// A column: fabrics with similar errors.
struct Family {
  std::string name;
  std::vector<std::string> fabrics;
};

const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies = {
      {"switch", {"switch"}},
      {"full_mesh", {"full_mesh"}},
      {"cluster, rail", {"cluster", "rail"}},
      {"trees, split", {"leaf_spine", "fat_tree split", "fat_tree 2:1"}},
      {"trees, ecmp", {"leaf_spine ecmp", "fat_tree ecmp"}},
      {"torus", {"torus 1D", "torus 2D", "torus 2D split", "torus 3D"}},
      {"dragonfly, random", {"dragonfly", "random_regular"}},
      {"oddl", {"oddl"}}};
  return kFamilies;
}

// A row: collectives with similar errors.
struct Kin {
  std::string name;
  workload::Algorithm algorithm;
  std::vector<workload::CollectiveKind> kinds;
  bool (*serves)(int ranks) = [](int /*ranks*/) { return true; };
};

bool is_power_of_two(int ranks) { return std::has_single_bit(static_cast<unsigned>(ranks)); }
bool is_no_power_of_two(int ranks) { return !is_power_of_two(ranks); }

const std::vector<Kin>& kin() {
  static const std::vector<workload::CollectiveKind> kReductions = {all_reduce, reduce_scatter,
                                                                    all_gather};
  static const std::vector<Kin> kKin = {
      {"ring", ring, kReductions},
      {"bidirectional_ring", bidirectional_ring, kReductions},
      {"halving_doubling of 2^k", halving_doubling, kReductions, is_power_of_two},
      {"halving_doubling of others", halving_doubling, kReductions, is_no_power_of_two},
      {"direct", direct, {all_reduce, reduce_scatter, all_gather, all_to_all}},
      {"pairwise", pairwise, {all_to_all}},
      {"hierarchical", hierarchical, kReductions},
      {"hierarchical all_to_all", hierarchical, {all_to_all}},
      {"rings", rings, kReductions},
      {"tree all_reduce", double_binary_tree, {all_reduce}},
      {"tree broadcast", double_binary_tree, {broadcast}},
      {"chain broadcast", ring, {broadcast}},
      {"direct broadcast", direct, {broadcast, point_to_point}}};
  return kKin;
}

// From latency-bound to bandwidth-bound; the last size does not divide evenly.
constexpr Bytes kSizes[] = {7'680_B, 983'040_B, 125'829'120_B, 1'000'003_B};

void compare(const Kin& row, const fabric::Network& network, int chunks, Errors& errors) {
  if (!row.serves(network.devices)) return;
  for (const workload::CollectiveKind kind : row.kinds) {
    for (const Bytes size : kSizes) {
      workload::Collective it{
          .kind = kind, .algorithm = row.algorithm, .size = size, .chunks = chunks};
      if (row.algorithm == hierarchical) it.levels = network.levels;
      if (row.algorithm == rings) it.steps = {1, network.devices - 1};
      if (objection(it, network.devices)) continue;
      errors.add(analytic_time(it, network), fluid_time(it, network));
    }
  }
}

std::vector<fabric::Network> networks_of(const Family& family) {
  std::vector<fabric::Network> networks;
  for (const NamedFabric& fabric : small_fabrics()) {
    if (std::count(family.fabrics.begin(), family.fabrics.end(), fabric.name) == 0) continue;
    for (const int devices : fabric.devices)
      networks.push_back(fabric::fabric_of(fabric.text, devices));
  }
  return networks;
}

std::string header() {
  std::string names = "|";
  std::string rule = "| --- |";
  for (const Family& family : families()) {
    names += " | " + family.name;
    rule += " --- |";
  }
  return names + " |\n" + rule + "\n";
}

std::string table(int chunks) {
  std::string text = header();
  for (const Kin& row : kin()) {
    text += "| " + row.name + " |";
    for (const Family& family : families()) {
      Errors errors;
      for (const fabric::Network& network : networks_of(family))
        compare(row, network, chunks, errors);
      text += " " + errors.text() + " |";
    }
    text += "\n";
  }
  return text;
}

TEST(Engines, TheTablesCoverEveryCollectiveAlgorithmAndFabric) {
  for (const std::string_view name : workload::kCollectiveNames) {
    const workload::CollectiveKind kind = *workload::parse_collective(name);
    for (const workload::Algorithm algorithm : algorithms_for(kind)) {
      EXPECT_TRUE(std::any_of(kin().begin(), kin().end(),
                              [&](const Kin& row) {
                                return row.algorithm == algorithm &&
                                       std::count(row.kinds.begin(), row.kinds.end(), kind) > 0;
                              }))
          << name << " by " << name_of(algorithm);
    }
  }
  std::size_t fabrics = 0;
  for (const Family& family : families()) fabrics += family.fabrics.size();
  EXPECT_EQ(fabrics, small_fabrics().size());
}

TEST(Engines, WithOneChunkClosedFormsAreOffByThisManyPercent) { EXPECT_EQ(table(1), kOneChunk); }

TEST(Engines, WithEightChunksClosedFormsAreOffByThisManyPercent) {
  EXPECT_EQ(table(8), kEightChunks);
}

// Messages between random devices, starting within `spread`.
workload::Workload random_messages(int devices, Duration spread, Random& random) {
  workload::Workload workload{.devices = devices};
  for (int i = 0; i < 100; ++i) {
    const auto source = static_cast<int>(sample(random, 0, devices - 1));
    const auto ahead = static_cast<int>(sample(random, 1, devices - 1));
    workload.operations.push_back({.source = source,
                                   .destination = (source + ahead) % devices,
                                   .size = {sample(random, 1, 1'000'000)},
                                   .start = Duration(sample(random, 0, spread.count()))});
  }
  return workload;
}

std::string message_row(const std::string& name, Duration spread) {
  std::string text = "| " + name + " |";
  for (const Family& family : families()) {
    Errors errors;
    for (const fabric::Network& network : networks_of(family)) {
      for (std::uint64_t number = 0; number < 10; ++number) {
        Random random = random_stream(61, number);
        const workload::Workload workload = random_messages(network.devices, spread, random);
        errors.add(simulate::simulate_analytic(workload, network, {}).completion_time,
                   simulate::simulate_fluid(workload, network, {}, {}).completion_time);
      }
    }
    text += " " + errors.text() + " |";
  }
  return text + "\n";
}

// The last arrival: the busiest link determines it unless other links keep that link idle.
TEST(Engines, TheLastOfManyMessagesIsOffByThisManyPercent) {
  EXPECT_EQ(header() + message_row("100 messages at once", 0_us) +
                message_row("100 messages within 200 us", 200_us),
            kMessages);
}

}  // namespace
}  // namespace loom
