// Compares `partition: auto` with `partition: uniform` on random jobs and fabrics.
#pragma once

#include <atomic>

#include "loom/base/parallel.h"
#include "tests/long/random_scenarios.h"

namespace loom {

// The fabrics of random_fabrics(), and circuits that change between phases.
inline std::vector<RandomFabric> fabrics_for_auto(int devices) {
  std::vector<RandomFabric> all = random_fabrics(devices);
  all.push_back({"phases",
                 "kind: sip_ocs, switches: 4, reconfigure: phases, switch_time: 25 us, bandwidth: "
                 "{0} Gbps, latency: 500 ns"});
  return all;
}

struct AutoAgainstUniform {
  int compared = 0;
  int faster = 0;  // by at least 1 %
};

// Plans the jobs of these seeds both ways, and expects that `auto` is never slower.
inline AutoAgainstUniform auto_against_uniform(std::size_t first_seed, std::size_t count) {
  std::atomic<int> compared = 0;
  std::atomic<int> faster = 0;
  for_each_index(count, 0, [&](std::size_t i) {
    Random random = random_stream(first_seed + i, 73);
    const RandomTraining job = random_training(random);
    const std::vector<RandomFabric> fabrics = fabrics_for_auto(job.gpus);
    const RandomFabric& fabric = fabrics[random(static_cast<std::uint32_t>(fabrics.size()))];
    const std::string links = fabric_text(fabric, 50 << random(6), 1 << random(2));
    const auto uniform = report_of(scenario_text(job, links, ", partition: uniform"));
    if (!uniform) return;
    const auto chosen = report_of(scenario_text(job, links, ", partition: auto"));
    ASSERT_TRUE(chosen.has_value()) << "seed " << first_seed + i;
    ++compared;
    if (seconds(chosen->time()) < 0.99 * seconds(uniform->time())) ++faster;
    EXPECT_LE(chosen->time(), uniform->time()) << "seed " << first_seed + i << "\n"
                                               << scenario_text(job, links, ", partition: auto");
  });
  return {compared, faster};
}

}  // namespace loom
