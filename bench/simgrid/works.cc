#include "bench/simgrid/works.h"

#include <fmt/format.h>

#include <numeric>

#include "loom/base/random.h"
#include "loom/fabric/fabric.h"

namespace loom::bench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kSwitch = "{kind: switch, bandwidth: 400 Gbps, latency: 1 us}";
constexpr const char* kTorus = "{kind: torus, shape: 8x8x16, bandwidth: 400 Gbps, latency: 1 us}";

workload::Collective collective_of(workload::CollectiveKind kind, workload::Algorithm algorithm) {
  workload::Collective collective;
  collective.kind = kind;
  collective.algorithm = algorithm;
  collective.size =
      Bytes{std::int64_t{1} << 30};  // a power of two: unequal chunks would prevent folding
  return collective;
}

// Random sizes, so that every completion changes all bandwidth shares.
workload::Collective unequal_all_to_all(int devices) {
  workload::Collective collective =
      collective_of(workload::CollectiveKind::all_to_all, workload::Algorithm::direct);
  Random random = random_stream(1);
  for (int pair = 0; pair < devices * devices; ++pair) {
    collective.sizes.push_back({1'000'000 + random(1'000'000)});
  }
  return collective;
}

Work ring(int devices, const Goal& goal, bool by_simgrid) {
  return {fmt::format("ring all-reduce, {} devices", devices),
          devices,
          collective_of(workload::CollectiveKind::all_reduce, workload::Algorithm::ring),
          kSwitch,
          goal,
          by_simgrid,
          true};
}

Work unequal(int devices, const Goal& goal, bool by_simgrid) {
  return {fmt::format("unequal all-to-all, {} devices", devices),
          devices,
          unequal_all_to_all(devices),
          kSwitch,
          goal,
          by_simgrid,
          devices > 64};
}

Work equal(int devices, const Goal& goal, bool by_simgrid) {
  return {fmt::format("equal all-to-all, {} devices", devices),
          devices,
          collective_of(workload::CollectiveKind::all_to_all, workload::Algorithm::direct),
          kSwitch,
          goal,
          by_simgrid,
          false};
}

Work torus(const std::string& name, workload::Algorithm algorithm) {
  workload::Collective collective = collective_of(workload::CollectiveKind::all_reduce, algorithm);
  if (algorithm == workload::Algorithm::hierarchical) collective.levels = {8, 8, 16};
  return {fmt::format("{} all-reduce, 8x8x16 torus", name),
          1024,
          collective,
          kTorus,
          {.cpu = milliseconds(100)},
          false,
          false};
}

Work folded(Work work, const Goal& goal) {
  work.name += ", folded";
  work.goal = goal;
  work.folded = true;
  return work;
}

}  // namespace

std::vector<Work> all_works() {
  return {
      ring(1024, {.ratio = 40, .memory = 200_MB}, true),
      unequal(64, {}, true),
      unequal(96, {}, true),
      unequal(128, {.ratio = 200}, true),
      equal(256, {}, true),
      unequal(512, {.cpu = seconds(10)}, false),
      equal(1024, {.cpu = seconds(5), .memory = 1_GB}, false),
      ring(4096, {.cpu = seconds(20), .memory = 400_MB}, false),
      torus("hierarchical", workload::Algorithm::hierarchical),
      torus("halving-doubling", workload::Algorithm::halving_doubling),
      folded(ring(1024, {}, true), {.ratio = 1000}),
      folded(equal(1024, {}, false), {.cpu = milliseconds(50)}),
      folded(ring(4096, {}, false), {.cpu = milliseconds(50)}),
  };
}

std::string describe(const Goal& goal) {
  std::vector<std::string> limits;
  if (goal.ratio) limits.push_back(fmt::format(">= {}x", *goal.ratio));
  if (goal.cpu) limits.push_back(fmt::format("<= {}", readable(*goal.cpu)));
  if (goal.memory) limits.push_back(fmt::format("<= {}", readable(*goal.memory)));
  return fmt::format("{}", fmt::join(limits, ", "));
}

fabric::Network network_of(const Work& work) {
  return fabric::build_network(fabric::read_fabric(parse_yaml(work.fabric, "bench")),
                               {.devices = work.devices, .seed = 1});
}

workload::Workload workload_of(const Work& work) {
  std::vector<int> ranks(static_cast<std::size_t>(work.devices));
  std::iota(ranks.begin(), ranks.end(), 0);
  return collective_workload(work.collective, ranks, work.devices);
}

Duration ours(const Work& work) {
  simulate::EngineOptions options;
  options.folding = work.folded;
  return simulate_fluid(workload_of(work), network_of(work), {}, options).completion_time;
}

}  // namespace loom::bench
