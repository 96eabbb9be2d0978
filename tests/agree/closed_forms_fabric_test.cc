// Closed forms on fabrics other than the switch, equal to the picosecond: an algorithm that matches
// the fabric runs without contention, and full bisection bandwidth is as good as a switch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "tests/agree/collective_times.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

using enum workload::CollectiveKind;
using enum workload::Algorithm;

constexpr Bandwidth kBandwidth = 100_Gbps;
constexpr Duration kAlpha = 700_ns;

Duration step(std::int64_t bytes) { return kAlpha + transfer_time({bytes}, kBandwidth); }
std::int64_t divided(std::int64_t size, std::int64_t pieces) {
  return (size + pieces - 1) / pieces;
}

fabric::Network torus(const std::string& shape, int devices) {
  return fabric::fabric_of(fmt::format("kind: torus, shape: {}, bandwidth: {}, latency: {}", shape,
                                       exact(kBandwidth), exact(kAlpha)),
                           devices);
}

TEST(OnATorus, ARingRunsAlongTheRing) {
  for (const int n : {2, 3, 4, 5, 8, 13, 32, 64}) {
    for (const std::int64_t size : {1, 1000, 1'000'003}) {
      ASSERT_EQ(fluid_time({.algorithm = ring, .size = {size}}, torus(std::to_string(n), n)),
                2 * (n - 1) * step(divided(size, n)));
    }
  }
}

// Each direction has its own link.
TEST(OnATorus, ABidirectionalRingSendsHalfTheBytesInEachDirection) {
  for (const int n : {3, 4, 5, 8, 13, 32, 64}) {
    for (const std::int64_t size : {1, 1000, 1'000'003}) {
      ASSERT_EQ(fluid_time({.algorithm = bidirectional_ring, .size = {size}},
                           torus(std::to_string(n), n)),
                2 * (n - 1) * step(divided(divided(size, 2), n)));
    }
  }
}

// One block in each step, in both directions; the link between the ends is idle.
TEST(OnATorus, ALineTakesOneBlockPerStep) {
  for (const int n : {2, 3, 4, 5, 8, 13, 32}) {
    const fabric::Network network = torus(std::to_string(n), n);
    for (const std::int64_t block : {1, 1000, 12'347}) {
      const Duration expected = (n - 1) * step(block);
      for (const auto kind : {reduce_scatter, all_gather}) {
        ASSERT_EQ(fluid_time({.kind = kind, .algorithm = line, .size = {n * block}}, network),
                  expected)
            << n;
      }
    }
  }
}

// The first chunk goes to the middle and back; the others follow it. Every link carries the buffer
// once in each direction.
TEST(OnATorus, ALineAllReducePipelinesChunksToTheMiddleAndBack) {
  for (const int n : {2, 3, 4, 5, 8, 13, 32}) {
    const fabric::Network network = torus(std::to_string(n), n);
    for (const int chunks : {1, 2, 10}) {
      const std::int64_t chunk = 33'333;
      const Duration expected =
          2 * (n / 2) * step(chunk) + (chunks - 1) * transfer_time({chunk}, kBandwidth);
      ASSERT_EQ(
          fluid_time({.algorithm = line, .size = {chunks * chunk}, .chunks = chunks}, network),
          expected)
          << n << ", " << chunks;
    }
  }
}

// Reduce-scatter along one dimension after the other, all-reduce along the last, and back.
Duration hierarchical_all_reduce(const std::vector<int>& shape, std::int64_t size) {
  Duration time{0};
  for (const int n : shape) {
    size /= n;
    time += 2 * (n - 1) * step(size);
  }
  return time;
}

TEST(OnATorus, AHierarchicalAllReduceOverTheShapeIsUncontended) {
  const std::vector<std::vector<int>> shapes = {{4, 4},    {8, 3},    {2, 5},
                                                {4, 4, 4}, {2, 3, 4}, {5, 3, 2}};
  for (const std::vector<int>& shape : shapes) {
    int devices = 1;
    for (const int n : shape) devices *= n;
    const Bytes size{devices * std::int64_t{4'321}};
    const workload::Collective collective{.algorithm = hierarchical, .size = size, .levels = shape};
    ASSERT_EQ(fluid_time(collective, torus(fmt::format("{}", fmt::join(shape, "x")), devices)),
              hierarchical_all_reduce(shape, size.count))
        << fmt::format("{}", fmt::join(shape, "x"));
  }
}

TEST(OnAFullMesh, DirectExchangeTakesOneBlock) {
  for (const int n : {2, 3, 4, 8, 13, 32}) {
    const fabric::Network mesh =
        fabric::fabric_of(fmt::format("kind: full_mesh, bandwidth: {}, latency: {}",
                                      exact(kBandwidth), exact(kAlpha)),
                          n);
    for (const std::int64_t size : {1, 1000, 1'000'003}) {
      const Duration once = step(divided(size, n));
      ASSERT_EQ(fluid_time({.algorithm = direct, .size = {size}}, mesh), 2 * once);
      ASSERT_EQ(fluid_time({.kind = all_to_all, .algorithm = direct, .size = {size}}, mesh), once);
    }
  }
}

void send(workload::Workload& workload, int source, int destination, Random& random) {
  if (source == destination) return;
  workload.operations.push_back(
      {.source = source, .destination = destination, .size = {sample(random, 1, 10'000'000)}});
}

// A permutation: every device sends one message and receives at most one.
workload::Workload random_permutation(int devices, Random& random) {
  workload::Workload workload{.devices = devices};
  std::vector<int> target(static_cast<std::size_t>(devices));
  std::iota(target.begin(), target.end(), 0);
  for (auto i = target.size(); i > 1; --i) {
    std::swap(target[i - 1], target[random(static_cast<std::uint32_t>(i))]);
  }
  for (int i = 0; i < devices; ++i) send(workload, i, target[static_cast<std::size_t>(i)], random);
  return workload;
}

workload::Workload random_traffic(int devices, Random& random) {
  workload::Workload workload{.devices = devices};
  for (int i = 0; i < 2 * devices; ++i) {
    const auto source = static_cast<int>(sample(random, 0, devices - 1));
    send(workload, source, static_cast<int>(sample(random, 0, devices - 1)), random);
  }
  return workload;
}

TEST(OnAFatTree, WithFullBisectionAnyTrafficIsAsFastAsOnASwitch) {
  const fabric::Network tree =
      fabric::fabric_of("kind: fat_tree, radix: 8, bandwidth: 40 Gbps, routing: split", 128);
  const fabric::Network ideal = fabric::fabric_of("kind: switch, bandwidth: 40 Gbps", 128);
  for (std::uint64_t number = 0; number < 20; ++number) {
    Random random = random_stream(41, number);
    for (const workload::Workload& workload :
         {random_permutation(128, random), random_traffic(128, random)}) {
      ASSERT_EQ(simulate::simulate_fluid(workload, tree, {}, {}).operation_end,
                simulate::simulate_fluid(workload, ideal, {}, {}).operation_end)
          << "number " << number;
    }
  }
}

// An all-to-all between pods of radix²/4 devices each.
Duration between_pods(const fabric::Network& tree, int pod) {
  workload::Workload workload;
  workload.devices = tree.devices;
  for (int source = 0; source < tree.devices; ++source) {
    for (int destination = 0; destination < tree.devices; ++destination) {
      if (source / pod == destination / pod) continue;
      workload.operations.push_back({.source = source, .destination = destination, .size = 1_KB});
    }
  }
  return simulate::simulate_fluid(workload, tree, {}, {}).completion_time;
}

TEST(OnAFatTree, TwoToOneOversubscriptionDoublesTrafficBetweenPods) {
  const std::string tree = "kind: fat_tree, radix: 4, bandwidth: 8 Gbps, routing: split";
  const Duration full = between_pods(fabric::fabric_of(tree, 16), 4);
  EXPECT_EQ(full, 12 * 1_us);
  EXPECT_EQ(between_pods(fabric::fabric_of(tree + ", oversubscription: 2", 16), 4), 2 * full);
}

}  // namespace
}  // namespace loom
