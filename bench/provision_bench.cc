// Speed of circuit provisioning at the scale of SiP-ML: 1024 GPUs, each with 16 peers at ring
// distances up to 16; 20 optical switches, or a ring of 5 fibers of 32 wavelengths in both
// directions.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <set>

#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/matching.h"
#include "loom/fabric/circuits/provision/max_weight.h"
#include "loom/fabric/circuits/provision/ocs_max_min.h"
#include "loom/fabric/circuits/provision/ring_max_min.h"

namespace loom {
namespace {

constexpr int kDevices = 1024;
const fabric::OcsLimits kSwitches{.devices = kDevices, .switches = 20, .ports = kDevices};

fabric::RingLimits ring(int reach) {
  return {.devices = kDevices, .fibers = 5, .directions = 2, .wavelengths = 32, .reach = reach};
}

// Every device sends to the same 16 ring distances, sampled from 1 to 16 in either direction.
workload::Demand near_peers() {
  Random random = random_stream(1);
  std::set<int> steps;
  while (steps.size() < 16) {
    const int step = 1 + static_cast<int>(random(32));
    steps.insert(step > 16 ? kDevices + 16 - step : step);
  }
  workload::Demand demand;
  for (int from = 0; from < kDevices; ++from) {
    for (const int step : steps) {
      const auto more = static_cast<std::int64_t>(random(9'000'000));
      demand.push_back({from, (from + step) % kDevices, {1'000'000 + more}});
    }
  }
  std::sort(demand.begin(), demand.end());
  return demand;
}

void describe(benchmark::State& state, const fabric::Provisioned& result) {
  state.counters["circuits"] = static_cast<double>(result.circuits.size());
  state.counters["load"] = result.load;
  state.counters["rate_of_bound"] = result.bound > 0 ? result.rate / result.bound : 0;
}

template <class Limits>
void max_min(benchmark::State& state, const Limits& limits, const workload::Demand& demand) {
  fabric::Provisioned result;
  for (auto _ : state) {
    result = fabric::provision_max_min(limits, demand);
    benchmark::DoNotOptimize(result);
  }
  describe(state, result);
}

void max_min_on_switches(benchmark::State& state) { max_min(state, kSwitches, near_peers()); }
BENCHMARK(max_min_on_switches)->Unit(benchmark::kMillisecond);

// The argument is the reach of a circuit; 0 is unlimited.
void max_min_on_a_ring(benchmark::State& state) {
  max_min(state, ring(static_cast<int>(state.range(0))), near_peers());
}
BENCHMARK(max_min_on_a_ring)->Arg(16)->Arg(0)->Unit(benchmark::kMillisecond);

void max_weight_on_switches(benchmark::State& state) {
  const workload::Demand demand = near_peers();
  for (auto _ : state) benchmark::DoNotOptimize(provision_max_weight(kSwitches, demand));
}
BENCHMARK(max_weight_on_switches)->Unit(benchmark::kMillisecond);

void max_weight_on_a_ring(benchmark::State& state) {
  const workload::Demand demand = near_peers();
  for (auto _ : state) benchmark::DoNotOptimize(provision_max_weight(ring(16), demand));
}
BENCHMARK(max_weight_on_a_ring)->Unit(benchmark::kMillisecond);

// The matching of one switch: all device pairs, random weights.
void dense_matching(benchmark::State& state) {
  Random random = random_stream(2);
  std::vector<fabric::WeightedEdge> edges;
  for (int left = 0; left < kDevices; ++left) {
    for (int right = 0; right < kDevices; ++right) {
      if (left != right) edges.push_back({left, right, 1 + random(1'000'000'000)});
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(max_weight_matching(kDevices, edges));
}
BENCHMARK(dense_matching)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom
