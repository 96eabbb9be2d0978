// The bound on the mean time of a rank in a collective against the fluid engine: ranks join at
// different times, several groups run at once, and other messages share their links.
#include "loom/plan/rank_bound.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "loom/plan/choose_collective.h"
#include "tests/agree/fabrics.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

// Sums up how long ranks spend in one operation, from joining to the end.
class RankTimes final : public simulate::Observer {
 public:
  explicit RankTimes(OperationId operation) : operation_(operation) {}
  bool wants_tasks() const override { return true; }
  void task(const simulate::RankTaskRecord& it) override {
    if (it.operation != operation_) return;
    sum_ += elapsed(it.end) - elapsed(it.ready);
    ++ranks_;
  }
  Duration mean() const { return sum_ / ranks_; }

 private:
  OperationId operation_;
  Duration sum_{0};
  int ranks_ = 0;
};

// Consecutive devices, or devices that lie apart.
workload::Groups random_groups(int devices, Random& random) {
  std::vector<int> sizes;
  for (int size = 2; size <= devices; ++size) {
    if (devices % size == 0) sizes.push_back(size);
  }
  workload::Groups groups;
  groups.size = sizes[random(static_cast<std::uint32_t>(sizes.size()))];
  const int count = devices / groups.size;
  const bool apart = random(2) == 0;
  for (int g = 0; g < count; ++g) {
    for (int r = 0; r < groups.size; ++r) {
      groups.members.push_back(apart ? r * count + g : g * groups.size + r);
    }
  }
  return groups;
}

workload::Collective random_collective(Random& random) {
  workload::Collective it;
  constexpr auto kKinds = static_cast<std::uint32_t>(std::size(workload::kCollectiveNames));
  it.kind = *workload::parse_collective(workload::kCollectiveNames[random(kKinds)]);
  it.size = {sample(random, 1, random(2) == 0 ? 10'000 : 100'000'000)};
  it.chunks = 1 << random(4);
  return it;
}

// The collective after a computation that takes each device a different time.
workload::Workload after_uneven_work(workload::Workload workload, Random& random) {
  workload.operations.front().first_after = 0;
  workload.operations.front().after_count = 1;
  workload.after = {OperationId(1)};
  workload::Groups all{.size = 1};
  all.members.resize(static_cast<std::size_t>(workload.devices));
  std::iota(all.members.begin(), all.members.end(), 0);
  workload.groups.push_back(all);
  workload.operations.push_back({.kind = workload::OperationKind::compute,
                                 .groups = static_cast<int>(workload.groups.size()) - 1,
                                 .time = Duration(sample(random, 1, 1'000'000'000))});
  for (auto messages = random(10); messages > 0; --messages) {
    const auto source = static_cast<int>(sample(random, 0, workload.devices - 1));
    const auto ahead = static_cast<int>(sample(random, 1, workload.devices - 1));
    workload.operations.push_back({.source = source,
                                   .destination = (source + ahead) % workload.devices,
                                   .size = {sample(random, 1, 10'000'000)}});
  }
  return workload;
}

class RankBounds : public ::testing::TestWithParam<NamedFabric> {};

TEST_P(RankBounds, HoldWhateverElseUsesTheNetwork) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random = random_stream(seed, 97);
    const std::vector<int>& sizes = GetParam().devices;
    const int devices = sizes[random(static_cast<std::uint32_t>(sizes.size()))];
    const fabric::Network network = fabric::fabric_of(GetParam().text, devices);
    const workload::Groups groups = random_groups(devices, random);
    const std::vector<int> first(groups.members.begin(), groups.members.begin() + groups.size);
    for (const workload::Collective& it :
         plan::possible_algorithms(random_collective(random), first, network)) {
      const workload::Workload isolated = plan::concurrent(it, groups, network);
      const workload::Groups& ordered =
          isolated.groups[static_cast<std::size_t>(isolated.operations.front().groups)];
      const Duration bound = plan::mean_rank_bound(it, ordered, network);
      RankTimes times(OperationId(0));
      simulate::EngineOptions options;
      options.observer = &times;
      options.jitter = random(2) == 0 ? 0 : 2;
      options.seed = seed;
      options.folding = false;
      simulate::simulate_fluid(after_uneven_work(isolated, random), network, {}, options);
      EXPECT_LE(bound, times.mean()) << fmt::format(
          "seed {}: {} by {}, {} bytes in {} chunks, groups of {} on {} devices", seed,
          name_of(it.kind), name_of(it.algorithm), it.size.count, it.chunks, groups.size, devices);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, RankBounds, ::testing::ValuesIn(all_fabrics()), [](const auto& fabric) {
  std::string name = fabric.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace loom
