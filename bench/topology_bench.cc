// Speed of the topology search by number of devices: one all-reduce over all devices plus an
// all-to-all, the demand with the most pairs to match and to route.
#include <benchmark/benchmark.h>

#include <numeric>

#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"

namespace loom {
namespace {

fabric::TopologyDemand all_reduce_and_all_to_all(int devices) {
  Random random = random_stream(1);
  fabric::TopologyDemand demand;
  demand.devices = devices;
  fabric::AllReduceGroup& all = demand.groups.emplace_back();
  all.members.resize(static_cast<std::size_t>(devices));
  std::iota(all.members.begin(), all.members.end(), 0);
  all.bytes = {1'000'000'000};
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      const auto more = static_cast<std::int64_t>(random(900'000));
      if (from != to) demand.pairs.push_back({from, to, {100'000 + more}});
    }
  }
  return demand;
}

// The arguments are the number of devices and the ports per device.
void find_a_topology(benchmark::State& state) {
  const fabric::TopologyDemand demand = all_reduce_and_all_to_all(static_cast<int>(state.range(0)));
  fabric::TopologyOptions options;
  options.degree = static_cast<int>(state.range(1));
  fabric::Topology found;
  for (auto _ : state) {
    found = find_topology(demand, options);
    benchmark::DoNotOptimize(found);
  }
  state.counters["circuits"] = static_cast<double>(found.circuits.size());
}
BENCHMARK(find_a_topology)
    ->ArgsProduct({{64, 256, 1024}, {4, 8}})
    ->ArgNames({"devices", "ports"})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom
