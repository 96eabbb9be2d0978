// The coarse engine against the fluid one on isolated collectives, of every kind and algorithm on
// every fabric, and on lists of messages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/agree/collective_times.h"
#include "tests/agree/fabrics.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

// From latency-bound to bandwidth-bound; the last size does not divide evenly.
constexpr Bytes kSizes[] = {7'680_B, 983'040_B, 125'829'120_B, 1'000'003_B};
constexpr double kCollectives = 0.0005;

double error(Duration coarse, Duration fluid) { return seconds(coarse) / seconds(fluid) - 1; }

void expect_agreement(workload::Collective it, const fabric::Network& network) {
  if (it.algorithm == workload::Algorithm::hierarchical) it.levels = network.levels;
  if (it.algorithm == workload::Algorithm::rings) it.steps = {1, network.devices - 1};
  for (const int chunks : {1, 8}) {
    for (const Bytes size : kSizes) {
      it.chunks = chunks;
      it.size = size;
      if (objection(it, network.devices)) continue;
      EXPECT_NEAR(error(coarse_time(it, network), fluid_time(it, network)), 0, kCollectives)
          << name_of(it.kind) << " by " << name_of(it.algorithm) << ", " << exact(size) << " in "
          << chunks << " chunks over " << network.devices << " devices";
    }
  }
}

class Engines : public ::testing::TestWithParam<NamedFabric> {};

TEST_P(Engines, AgreeOnIsolatedCollectives) {
  for (const int devices : GetParam().devices) {
    const fabric::Network network = fabric::fabric_of(GetParam().text, devices);
    for (const std::string_view name : workload::kCollectiveNames) {
      const workload::CollectiveKind kind = *workload::parse_collective(name);
      for (const workload::Algorithm algorithm : algorithms_for(kind)) {
        expect_agreement({.kind = kind, .algorithm = algorithm}, network);
      }
    }
  }
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

TEST_P(Engines, AgreeOnTheLastOfManyMessages) {
  for (const int devices : GetParam().devices) {
    const fabric::Network network = fabric::fabric_of(GetParam().text, devices);
    for (std::uint64_t number = 0; number < 20; ++number) {
      Random random = random_stream(61, number);
      const Duration spread = number < 10 ? 0_us : 200_us;
      const workload::Workload workload = random_messages(devices, spread, random);
      const Duration coarse = simulate::simulate_coarse(workload, network, {}).completion_time;
      const Duration fluid = simulate::simulate_fluid(workload, network, {}, {}).completion_time;
      EXPECT_NEAR(error(coarse, fluid), 0, 0.0005) << devices << " devices, list " << number;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Engines, ::testing::ValuesIn(small_fabrics()), [](const auto& fabric) {
  std::string name = fabric.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace loom
