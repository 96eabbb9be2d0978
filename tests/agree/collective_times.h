// The time of one collective over all devices of a network, in either engine.
#pragma once

#include <numeric>
#include <utility>

#include "loom/fabric/testing.h"
#include "loom/simulate/engine.h"

namespace loom {

inline workload::Workload over_all_devices(const workload::Collective& collective,
                                           const fabric::Network& network) {
  std::vector<int> ranks(static_cast<std::size_t>(network.devices));
  std::iota(ranks.begin(), ranks.end(), 0);
  return collective_workload(collective, std::move(ranks), network.devices);
}

inline Duration fluid_time(const workload::Collective& collective, const fabric::Network& network) {
  const simulate::Outcome outcome =
      simulate::simulate_fluid(over_all_devices(collective, network), network, {}, {});
  EXPECT_FALSE(outcome.deadlock.has_value());
  return outcome.completion_time;
}

inline Duration coarse_time(const workload::Collective& collective,
                            const fabric::Network& network) {
  return simulate::simulate_coarse(over_all_devices(collective, network), network, {})
      .completion_time;
}

}  // namespace loom
