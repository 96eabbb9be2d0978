// Speed of complete simulations with symmetry reduction: finding equivalent ranks and simulating
// one of each class.
#include <benchmark/benchmark.h>

#include <numeric>
#include <string>

#include "loom/fabric/fabric.h"
#include "loom/simulate/engine.h"

namespace loom {
namespace {

constexpr auto kSwitch = "{kind: switch, bandwidth: 400 Gbps, latency: 1 us}";

void run_folded(benchmark::State& state, workload::CollectiveKind kind,
                workload::Algorithm algorithm, const std::string& fabric) {
  const int devices = static_cast<int>(state.range(0));
  const fabric::Network network = fabric::build_network(
      fabric::read_fabric(parse_yaml(fabric, "bench")), {.devices = devices, .seed = 1});
  std::vector<int> ranks(static_cast<std::size_t>(devices));
  std::iota(ranks.begin(), ranks.end(), 0);
  workload::Collective collective;
  collective.kind = kind;
  collective.algorithm = algorithm;
  collective.size = 1024_MiB;  // divides evenly
  const workload::Workload workload = collective_workload(collective, ranks, devices);
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulate::simulate_fluid(workload, network, {}, {}).completion_time);
  }
}

void folded_ring_on_a_switch(benchmark::State& state) {
  run_folded(state, workload::CollectiveKind::all_reduce, workload::Algorithm::ring, kSwitch);
}
BENCHMARK(folded_ring_on_a_switch)
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->Arg(16384)
    ->Unit(benchmark::kMillisecond);

void folded_all_to_all_on_a_switch(benchmark::State& state) {
  run_folded(state, workload::CollectiveKind::all_to_all, workload::Algorithm::direct, kSwitch);
}
BENCHMARK(folded_all_to_all_on_a_switch)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

void folded_all_to_all_on_a_fat_tree(benchmark::State& state) {
  run_folded(state, workload::CollectiveKind::all_to_all, workload::Algorithm::direct,
             "{kind: fat_tree, radix: 16, bandwidth: 400 Gbps, latency: 500 ns}");
}
BENCHMARK(folded_all_to_all_on_a_fat_tree)->Arg(1024)->Unit(benchmark::kMillisecond);

void folded_ring_on_a_torus(benchmark::State& state) {
  run_folded(state, workload::CollectiveKind::all_reduce, workload::Algorithm::ring,
             "{kind: torus, shape: 8x8x16, bandwidth: 400 Gbps, latency: 500 ns}");
}
BENCHMARK(folded_ring_on_a_torus)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom
