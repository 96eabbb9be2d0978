// Every provisioner on every circuit fabric: the circuits are possible, and the network that they
// form delivers every byte.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/fabric.h"
#include "loom/fabric/testing.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/simulate/engine.h"

namespace loom {
namespace {

constexpr int kDevices = 8;

// The texts of a kind with each of its provisioners. TopoOpt's is its `split`.
std::vector<std::string> with_each_provisioner(const fabric::FabricKind& kind) {
  std::vector<std::string> texts;
  const std::string text = fmt::format("kind: {}, bandwidth: 400 Gbps, latency: 1 us", kind.name);
  for (const Parameter& it : kind.parameters) {
    if (it.name == "split") {
      for (const std::string split : {"auto", "rule", "sweep", "1"}) {
        texts.push_back(fmt::format("{}, split: {}", text, split));
      }
    }
    if (it.name != "provisioner") continue;
    for (const std::string_view choice : it.choices) {
      texts.push_back(fmt::format("{}, provisioner: {}", text, choice));
    }
  }
  return texts.empty() ? std::vector{text} : texts;
}

workload::Workload random_messages(Random& random) {
  workload::Workload workload;
  workload.devices = kDevices;
  const std::uint32_t sparse = 1 + random(6);
  for (int from = 0; from < kDevices; ++from) {
    for (int to = 0; to < kDevices; ++to) {
      if (from == to || random(sparse) > 0) continue;
      workload.operations.push_back(
          {.source = from, .destination = to, .size = Bytes{1 + random(10'000'000)}});
    }
  }
  return workload;
}

TEST(EveryProvisioner, SetsUpPossibleCircuitsThatDeliverEveryByteOnEveryFabric) {
  int kinds = 0;
  for (const fabric::FabricKind& kind : fabric::fabric_kinds()) {
    if (kind.circuits == nullptr) continue;
    ++kinds;
    for (const std::string& text : with_each_provisioner(kind)) {
      const fabric::CircuitFabric fabric = build_circuits(
          fabric::read_fabric(parse_yaml("{" + text + "}", "test.yaml")), {kDevices, 1});
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(fmt::format("{}, seed {}", text, seed));
        Random random = random_stream(seed, 51);
        workload::Workload workload = random_messages(random);
        const fabric::CircuitSetup setup = plan::provision_workload(fabric, workload);
        // Serving most demand may leave out a pair, which is refused.
        if (setup.infeasible && text.find("max_weight") != std::string::npos) continue;
        ASSERT_FALSE(setup.infeasible) << setup.infeasible->why;
        const auto no = violation(fabric, setup.provisioned.circuits);
        ASSERT_FALSE(no) << no->why;
        const simulate::Outcome outcome = simulate::simulate_fluid(workload, setup.network, {}, {});
        ASSERT_FALSE(outcome.deadlock);
        Bytes sent{0};
        for (const workload::Operation& it : workload.operations) sent += it.size;
        ASSERT_EQ(outcome.bytes, sent);
      }
    }
  }
  EXPECT_GE(kinds, 6);
}

}  // namespace
}  // namespace loom
