// Closed forms of the traffic bound, and the bound against the fluid engine on rings.
#include "loom/plan/bounds/traffic_bound.h"

#include <gtest/gtest.h>

#include <numeric>

#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/bounds/workload_bound.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

fabric::CircuitFabric ring_of(int devices, int wavelengths) {
  fabric::CircuitFabric fabric;
  fabric.limits = fabric::RingLimits{.devices = devices, .wavelengths = wavelengths};
  fabric.circuit = 10_Gbps;
  fabric.egress = {std::int64_t{2} * wavelengths * fabric.circuit.bits_per_second};
  return fabric;
}

fabric::CircuitFabric switches_of(int devices, int switches) {
  fabric::CircuitFabric fabric;
  fabric.limits = fabric::OcsLimits{.devices = devices, .switches = switches, .ports = devices};
  fabric.circuit = 10_Gbps;
  fabric.egress = {switches * fabric.circuit.bits_per_second};
  return fabric;
}

std::vector<int> first(int count, int step = 1) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) ranks.push_back(i * step);
  return ranks;
}

double microseconds(Duration time) { return seconds(time) * 1e6; }

workload::Collective collective_of(workload::CollectiveKind kind, Bytes size) {
  workload::Collective it;
  it.kind = kind;
  it.algorithm = algorithms_for(kind).front();
  it.size = size;
  return it;
}

WorkloadBound bound_of(const workload::Collective& it, std::vector<int> ranks,
                       const fabric::CircuitFabric& fabric) {
  return workload_bound(collective_workload(it, std::move(ranks), fabric.devices()),
                        capacity_of(fabric));
}

TEST(TrafficBound, AllToAllOverFewPortsCrossesTwoHops) {
  // 16 devices, 4 ports: of 15 peers 4 are one hop away, 11 at least two. 1 MB each at 40 Gbps.
  const auto all = collective_of(workload::CollectiveKind::all_to_all, 16_MB);
  EXPECT_NEAR(microseconds(bound_of(all, first(16), switches_of(16, 4)).hops), 200.0 * (4 + 22),
              0.1);
  EXPECT_NEAR(microseconds(bound_of(all, first(16), switches_of(16, 15)).hops),
              8e6 * 15 / 150e9 * 1e6, 0.1);
}

TEST(TrafficBound, AllToAllOnARingCrossesEveryArc) {
  // 8 devices: the arcs to the others are 1, 2, 3, 4, 3, 2, 1 segments: 16. A segment has 20 Gbps.
  const auto all = collective_of(workload::CollectiveKind::all_to_all, 8_MB);
  EXPECT_NEAR(microseconds(bound_of(all, first(8), ring_of(8, 1)).hops), 16 * 8e6 / 20e9 * 1e6,
              0.1);
  // Groups in any order have the same distances.
  EXPECT_EQ(bound_of(all, {3, 1, 4, 0, 5, 2, 6, 7}, ring_of(8, 1)).hops,
            bound_of(all, first(8), ring_of(8, 1)).hops);
}

TEST(TrafficBound, AnAllReduceOfDistantRanksCrossesTheGapsBetweenThem) {
  const auto sum = collective_of(workload::CollectiveKind::all_reduce, 6_MB);
  // Every fourth device of 16: 2 · 3 · 6 MB, each over four segments, of 16 · 20 Gbps.
  EXPECT_NEAR(microseconds(bound_of(sum, first(4, 4), ring_of(16, 1)).hops),
              36e6 * 4 * 8 / (16 * 20e9) * 1e6, 0.1);
  // Two ranks that are far apart: the shorter arc has 5 segments, in both directions.
  EXPECT_NEAR(microseconds(bound_of(sum, {0, 5}, ring_of(16, 1)).hops),
              12e6 * 5 * 8 / (16 * 20e9) * 1e6, 0.1);
  // Two pairs of neighbors: 6 MB must cross the gap between the pairs both ways.
  EXPECT_NEAR(microseconds(bound_of(sum, {0, 1, 6, 7}, ring_of(16, 1)).hops),
              6e6 * 2 * (16 - 9) * 8 / (16 * 20e9) * 1e6, 0.1);
}

TEST(TrafficBound, CircuitsThatChangePeriodicallyMayServeEveryPairDirectly) {
  fabric::CircuitFabric fabric = switches_of(16, 4);
  const auto all = collective_of(workload::CollectiveKind::all_to_all, 16_MB);
  const Duration fixed = bound_of(all, first(16), fabric).hops;
  fabric.reconfigure = fabric::Reconfigure::periodic;
  EXPECT_NEAR(microseconds(bound_of(all, first(16), fabric).hops), 200.0 * 15, 0.1);
  EXPECT_GT(fixed, bound_of(all, first(16), fabric).hops);
}

// Random collectives of random ranks, on circuits that a provisioner chooses for them.
TEST(TrafficBound, HoldsOnRandomRings) {
  double nearest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random = random_stream(seed, 41);
    const int devices = 4 + static_cast<int>(random(7));
    const fabric::CircuitFabric fabric = ring_of(devices, 1 + static_cast<int>(random(4)));
    std::vector<int> ranks = first(devices);
    for (std::size_t i = ranks.size(); i > 1; --i) {
      std::swap(ranks[i - 1], ranks[random(static_cast<std::uint32_t>(i))]);
    }
    ranks.resize(2 + random(static_cast<std::uint32_t>(devices - 1)));
    const auto kind = static_cast<workload::CollectiveKind>(random(5));
    workload::Collective it = collective_of(kind, {std::int64_t{1000} * (1 + random(5000))});
    const auto algorithms = algorithms_for(kind);
    it.algorithm = algorithms[random(static_cast<std::uint32_t>(algorithms.size()))];
    if (objection(it, static_cast<int>(ranks.size()))) continue;
    const workload::Workload workload = collective_workload(it, ranks, devices);
    const auto provisioned = provision_network(fabric, demand_of(workload));
    const auto outcome = simulate::simulate_fluid(workload, provisioned.network, {}, {});
    if (outcome.deadlock) continue;
    const Duration bound = workload_bound(workload, capacity_of(fabric)).time();
    EXPECT_LE(bound, outcome.completion_time)
        << "seed " << seed << ": " << name_of(kind) << " by " << name_of(it.algorithm);
    nearest = std::max(nearest, seconds(bound) / seconds(outcome.completion_time));
  }
  EXPECT_GT(nearest, 0.95);
}

}  // namespace
}  // namespace loom::plan
