// Doubling the bandwidth never slows an uncontended collective, in either engine.
#include <gtest/gtest.h>

#include <regex>

#include "loom/base/random.h"
#include "loom/workload/schedule.h"
#include "tests/agree/collective_times.h"
#include "tests/agree/fabrics.h"

namespace loom {
namespace {

std::string twice_as_fast(std::string text) {
  text = std::regex_replace(text, std::regex("100 Gbps"), "200 Gbps");
  return std::regex_replace(text, std::regex("900 Gbps"), "1800 Gbps");
}

workload::Collective random_collective(Random& random, int ranks) {
  workload::Collective it;
  do {
    it.kind = static_cast<workload::CollectiveKind>(
        random(static_cast<std::uint32_t>(workload::kCollectiveNames.size())));
    it.algorithm = static_cast<workload::Algorithm>(
        random(static_cast<std::uint32_t>(workload::kAlgorithmNames.size())));
    it.chunks = 1 + static_cast<int>(random(4));
    it.size = {1 + random(1U << (1 + random(26)))};
  } while (it.algorithm == workload::Algorithm::hierarchical || objection(it, ranks));
  return it;
}

TEST(Bandwidth, DoublingItNeverSlowsAnUncontendedCollective) {
  const std::vector<NamedFabric> fabrics = small_fabrics();
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random = random_stream(seed, 21);
    const NamedFabric& fabric = fabrics[random(static_cast<std::uint32_t>(fabrics.size()))];
    const int devices = fabric.devices[random(static_cast<std::uint32_t>(fabric.devices.size()))];
    const fabric::Network slow = fabric::fabric_of(fabric.text, devices);
    const fabric::Network fast = fabric::fabric_of(twice_as_fast(fabric.text), devices);
    const workload::Collective it = random_collective(random, devices);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << name_of(it.kind) << " by "
                                      << name_of(it.algorithm) << ", " << it.size.count << " B in "
                                      << it.chunks << " on " << fabric.name << " " << devices);
    EXPECT_LE(fluid_time(it, fast), fluid_time(it, slow));
    EXPECT_LE(coarse_time(it, fast), coarse_time(it, slow));
  }
}

}  // namespace
}  // namespace loom
