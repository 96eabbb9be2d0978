// Speed of the engines by number of devices and flows, in messages per second.
#include <benchmark/benchmark.h>

#include <array>
#include <numeric>
#include <string>

#include "loom/base/random.h"
#include "loom/fabric/fabric.h"
#include "loom/simulate/engine.h"

namespace loom {
namespace {

fabric::Network network_of(const std::string& yaml, int devices) {
  return fabric::build_network(fabric::read_fabric(parse_yaml(yaml, "bench")),
                               {.devices = devices, .seed = 1});
}

workload::Workload all_devices(workload::CollectiveKind kind, workload::Algorithm algorithm,
                               int devices) {
  std::vector<int> ranks(static_cast<std::size_t>(devices));
  std::iota(ranks.begin(), ranks.end(), 0);
  workload::Collective collective;
  collective.kind = kind;
  collective.algorithm = algorithm;
  collective.size = 1_GB;
  return collective_workload(collective, ranks, devices);
}

void run_fluid(benchmark::State& state, const workload::Workload& workload,
               const fabric::Network& network) {
  std::int64_t messages = 0;
  simulate::EngineOptions options;
  options.folding = false;  // folding_bench.cc measures folding
  for (auto _ : state) {
    const simulate::Outcome outcome = simulate_fluid(workload, network, {}, options);
    messages += outcome.messages;
    benchmark::DoNotOptimize(outcome.completion_time);
  }
  state.SetItemsProcessed(messages);
}

void ring_all_reduce_on_a_switch(benchmark::State& state) {
  const int devices = static_cast<int>(state.range(0));
  run_fluid(state,
            all_devices(workload::CollectiveKind::all_reduce, workload::Algorithm::ring, devices),
            network_of("{kind: switch, bandwidth: 400 Gbps, latency: 1 us}", devices));
}
BENCHMARK(ring_all_reduce_on_a_switch)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

void all_to_all_on_a_switch(benchmark::State& state) {
  const int devices = static_cast<int>(state.range(0));
  run_fluid(state,
            all_devices(workload::CollectiveKind::all_to_all, workload::Algorithm::direct, devices),
            network_of("{kind: switch, bandwidth: 400 Gbps, latency: 1 us}", devices));
}
BENCHMARK(all_to_all_on_a_switch)->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);

// Random sizes: every completion changes the link shares.
void unequal_all_to_all_on_a_switch(benchmark::State& state) {
  const int devices = static_cast<int>(state.range(0));
  Random random = random_stream(1);
  workload::Workload workload =
      all_devices(workload::CollectiveKind::all_to_all, workload::Algorithm::direct, devices);
  workload::Collective& collective = workload.collectives.front();
  for (int pair = 0; pair < devices * devices; ++pair) {
    collective.sizes.push_back({1'000'000 + random(1'000'000)});
  }
  run_fluid(state, workload, network_of("{kind: switch, bandwidth: 400 Gbps}", devices));
}
BENCHMARK(unequal_all_to_all_on_a_switch)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);

void random_flows_on_a_fat_tree(benchmark::State& state) {
  const int devices = 1024;
  Random random = random_stream(2);
  workload::Workload workload;
  workload.devices = devices;
  for (int flow = 0; flow < state.range(0); ++flow) {
    workload::Operation message;
    message.source = static_cast<int>(random(devices));
    message.destination = (message.source + 1 + static_cast<int>(random(devices - 1))) % devices;
    message.size = {1'000 + random(10'000'000)};
    message.start = Duration(static_cast<std::int64_t>(random(1'000'000)) * 1'000);
    workload.operations.push_back(message);
  }
  run_fluid(state, workload,
            network_of("{kind: fat_tree, bandwidth: 400 Gbps, latency: 500 ns}", devices));
}
BENCHMARK(random_flows_on_a_fat_tree)->Arg(1'000)->Arg(4'000)->Unit(benchmark::kMillisecond);

void coarse_ring_on_a_fat_tree(benchmark::State& state) {
  const int devices = static_cast<int>(state.range(0));
  const workload::Workload workload =
      all_devices(workload::CollectiveKind::all_reduce, workload::Algorithm::ring, devices);
  const fabric::Network network =
      network_of("{kind: fat_tree, bandwidth: 400 Gbps, latency: 500 ns}", devices);
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulate::simulate_coarse(workload, network, {}).completion_time);
  }
}
BENCHMARK(coarse_ring_on_a_fat_tree)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

void building_a_fat_tree(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        network_of("{kind: fat_tree, bandwidth: 400 Gbps}", static_cast<int>(state.range(0))));
  }
}
BENCHMARK(building_a_fat_tree)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom
