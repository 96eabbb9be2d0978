// Conservation of bytes: everything sent is delivered, and at every node inflow equals outflow
// except for the node's own messages.
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/workload/demand.h"
#include "loom/workload/schedule.h"
#include "tests/agree/collective_times.h"
#include "tests/agree/fabrics.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

class Ledger final : public simulate::Observer {
 public:
  explicit Ledger(const fabric::Network& network)
      : balance(static_cast<std::size_t>(network.nodes)) {}

  void message(const simulate::MessageRecord& it) override {
    balance[static_cast<std::size_t>(it.destination)] += it.size.count;
    balance[static_cast<std::size_t>(it.source)] -= it.size.count;
    delivered += it.size;
    ++messages;
  }

  std::vector<std::int64_t> balance;  // per node: received minus sent
  Bytes delivered;
  std::int64_t messages = 0;
};

bool divides_messages(const fabric::Network& network) {
  for (int source = 0; source < network.devices; ++source) {
    for (int destination = 0; destination < network.devices; ++destination) {
      if (source == destination) continue;
      for (const fabric::Hop& hop : route_of(network, source, destination).hops) {
        if (hop.share != fabric::kWhole) return true;
      }
    }
  }
  return false;
}

// Links count bytes rounded down: each link of a node may be off by one.
std::int64_t rounding(const fabric::Network& network, int node) {
  return std::count_if(network.links.begin(), network.links.end(), [&](const fabric::Link& link) {
    return link.from == node || link.to == node;
  });
}

void expect_conserved(const workload::Workload& workload, const fabric::Network& network,
                      bool rounded) {
  Ledger ledger(network);
  simulate::EngineOptions options;
  options.observer = &ledger;
  options.verify = true;
  const simulate::Outcome outcome = simulate_fluid(workload, network, {}, options);
  ASSERT_FALSE(outcome.deadlock.has_value());
  EXPECT_EQ(outcome.bytes, ledger.delivered);
  EXPECT_EQ(outcome.messages, ledger.messages);
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    ledger.balance[static_cast<std::size_t>(network.links[l].to)] -= outcome.link_bytes[l].count;
    ledger.balance[static_cast<std::size_t>(network.links[l].from)] += outcome.link_bytes[l].count;
  }
  for (NodeId node(0); node < network.nodes; ++node) {
    EXPECT_LE(std::abs(ledger.balance[static_cast<std::size_t>(node)]),
              rounded ? rounding(network, node) : 0)
        << "at " << network.node_name(node);
  }
}

std::vector<workload::Collective> all_collectives(const fabric::Network& network) {
  std::vector<workload::Collective> all;
  for (const std::string_view name : workload::kCollectiveNames) {
    const workload::CollectiveKind kind = *workload::parse_collective(name);
    for (const workload::Algorithm algorithm : algorithms_for(kind)) {
      workload::Collective it{.kind = kind, .algorithm = algorithm, .size = 100'003_B, .chunks = 2};
      if (algorithm == workload::Algorithm::hierarchical) it.levels = network.levels;
      if (algorithm == workload::Algorithm::rings) it.steps = {1, network.devices - 1};
      if (!objection(it, network.devices)) all.push_back(it);
    }
  }
  return all;
}

constexpr std::array<std::string_view, 6> kCircuitKinds = {"sip_ocs",    "sip_ring", "mordia",
                                                           "megaswitch", "helios",   "topoopt"};

TEST(Bytes, EveryKindOfFabricIsTested) {
  for (const fabric::FabricKind& kind : fabric::fabric_kinds()) {
    if (kind.name == "custom") continue;  // any graph: the random ones of water_filling_test.cc
    if (kind.name == "quartz") continue;  // the links of full_mesh
    if (kind.name == "nvl72") continue;   // the links of cluster
    if (kind.circuits != nullptr) {
      EXPECT_EQ(std::count(kCircuitKinds.begin(), kCircuitKinds.end(), kind.name), 1) << kind.name;
      continue;
    }
    const auto fabrics = all_fabrics();
    EXPECT_TRUE(std::any_of(fabrics.begin(), fabrics.end(), [&](const NamedFabric& fabric) {
      return fabric.text.starts_with("kind: " + std::string(kind.name) + ",");
    })) << kind.name;
  }
}

TEST(Bytes, CollectivesLoseNothingOnAnyFabric) {
  for (const NamedFabric& fabric : all_fabrics()) {
    for (const int devices : fabric.devices) {
      const fabric::Network network = fabric::fabric_of(fabric.text, devices);
      for (const workload::Collective& collective : all_collectives(network)) {
        SCOPED_TRACE(fabric.name + ", " + std::string(name_of(collective.kind)) + " by " +
                     std::string(name_of(collective.algorithm)));
        const workload::Workload workload = over_all_devices(collective, network);
        expect_conserved(workload, network, divides_messages(network));
        EXPECT_EQ(simulate::simulate_coarse(workload, network, {}).bytes,
                  total_bytes(schedule(collective, devices)));
      }
    }
  }
}

TEST(Bytes, CollectivesLoseNothingOverCircuitsProvisionedForThem) {
  for (const std::string_view kind : kCircuitKinds) {
    const std::string text =
        "{kind: " + std::string(kind) + ", bandwidth: 100 Gbps, latency: 1 us}";
    for (const int devices : {2, 5, 8}) {
      const fabric::CircuitFabric fabric =
          fabric::build_circuits(fabric::read_fabric(parse_yaml(text, "test.yaml")), {devices, 1});
      const fabric::Network any = fabric::ideal_switch(devices, fabric.egress, fabric.latency);
      for (const workload::Collective& collective : all_collectives(any)) {
        SCOPED_TRACE(text + ", " + std::string(name_of(collective.kind)) + " by " +
                     std::string(name_of(collective.algorithm)));
        workload::Workload workload = over_all_devices(collective, any);
        const fabric::CircuitSetup setup = plan::provision_workload(fabric, workload);
        ASSERT_EQ(why(setup.infeasible), "no objection");
        const bool divides = fabric.finds_rings() || !setup.provisioned.unserved.empty();
        expect_conserved(workload, setup.network, divides);
        EXPECT_EQ(simulate::simulate_coarse(workload, setup.network, {}).bytes,
                  total_bytes(schedule(workload.collectives.back(), devices)));
      }
    }
  }
}

TEST(Bytes, MessagesLoseNothingOnAnyFabric) {
  for (const NamedFabric& fabric : all_fabrics()) {
    const int devices = fabric.devices.back();
    const fabric::Network network = fabric::fabric_of(fabric.text, devices);
    Random random = random_stream(51);
    workload::Workload workload{.devices = devices};
    for (int i = 0; i < 200; ++i) {
      const auto source = static_cast<int>(sample(random, 0, devices - 1));
      const auto ahead = static_cast<int>(sample(random, 1, devices - 1));
      workload.operations.push_back({.source = source,
                                     .destination = (source + ahead) % devices,
                                     .size = {sample(random, 0, 1'000'000)},
                                     .start = Duration(sample(random, 0, 100'000'000))});
    }
    SCOPED_TRACE(fabric.name);
    expect_conserved(workload, network, divides_messages(network));
  }
}

// Integrates load over time, in bits times picoseconds per second.
class Integral final : public simulate::Observer {
 public:
  explicit Integral(const fabric::Network& network)
      : bits(network.links.size(), 0), load_(network.links.size()), since_(network.links.size()) {}

  void link_load(LinkId link, TimePoint at, Bandwidth load) override {
    const auto l = static_cast<std::size_t>(link);
    bits[l] += Int128{load_[l].bits_per_second} * (at - since_[l]).count();
    load_[l] = load;
    since_[l] = at;
  }

  std::vector<Int128> bits;

 private:
  std::vector<Bandwidth> load_;
  std::vector<TimePoint> since_;
};

TEST(Bytes, ReportedLoadsIntegrateToTheBytesCarried) {
  for (std::uint64_t number = 0; number < 200; ++number) {
    Random random = random_stream(53, number);
    const FlowCase it = random_flows({.split = true, .latency = true, .changes = true}, random);
    Integral reported(it.network);
    const simulate::Outcome outcome =
        simulate_fluid(it.workload, it.network, it.changes, {.observer = &reported});
    // Loads are reported in bit/s, and ends are rounded up to a picosecond.
    const double tolerance = outcome.completion_time.count() * 1e-12 + 40;
    for (std::size_t l = 0; l < reported.bits.size(); ++l) {
      ASSERT_NEAR(static_cast<double>(reported.bits[l]) * 1e-12,
                  static_cast<double>(outcome.link_bytes[l].count) * 8, tolerance)
          << "case " << number << ", link " << l;
    }
  }
}

// With one path per flow, every link carries exactly its share of each flow.
TEST(Bytes, EveryLinkCountsItsShareOfEveryFlow) {
  for (std::uint64_t number = 0; number < 500; ++number) {
    Random random = random_stream(52, number);
    const FlowCase it = random_flows({.split = true, .weighted = true, .changes = true}, random);
    std::vector<Int128> shares(it.network.links.size(), 0);
    for (std::size_t i = 0; i < it.paths.size(); ++i) {
      for (const fabric::Hop& hop : it.paths[i].front().hops) {
        shares[static_cast<std::size_t>(hop.link)] +=
            Int128{it.workload.operations[i].size.count} * hop.share;
      }
    }
    const simulate::Outcome outcome =
        simulate_fluid(it.workload, it.network, it.changes, {.sharing = it.sharing});
    for (std::size_t l = 0; l < shares.size(); ++l) {
      ASSERT_EQ(outcome.link_bytes[l].count, static_cast<std::int64_t>(shares[l] / fabric::kWhole))
          << "case " << number << ", link " << l;
    }
  }
}

}  // namespace
}  // namespace loom
