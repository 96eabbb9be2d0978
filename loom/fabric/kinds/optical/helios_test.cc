// A packet switch beside circuits.
#include <algorithm>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/control/control.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

CircuitFabric helios(const std::string& more, int devices) {
  return build_circuits(
      read_fabric(parse_yaml("{kind: helios, bandwidth: 100 Gbps, latency: 1 us" + more + "}",
                             "test.yaml")),
      {devices, 1});
}

std::string refusal(const std::string& more) {
  return message_of([&] { helios(more, 8); });
}

TEST(Helios, DividesTheBandwidthBetweenPacketsAndCircuits) {
  const CircuitFabric fabric = helios(", packet_share: 0.2, switches: 4", 8);
  EXPECT_EQ(fabric.egress, 100_Gbps);
  EXPECT_EQ(fabric.packets->bandwidth, 20_Gbps);
  EXPECT_EQ(fabric.circuit, 20_Gbps);
  // In 10 ms the packet switch carries 25 MB per device.
  EXPECT_EQ(fabric.packets->threshold, 25_MB);
  EXPECT_EQ(fabric.packets->latency, 1_us);
  EXPECT_EQ(helios(", packet_latency: 3 us", 8).packets->latency, 3_us);
  EXPECT_EQ(helios(", threshold: 1 MB", 8).packets->threshold, 1_MB);
}

TEST(Helios, GivesCircuitsOnlyToLargeDemands) {
  const CircuitFabric fabric = helios(", threshold: 1 MB, packet_latency: 5 us", 4);
  const CircuitSetup setup =
      provision_network(fabric, {{0, 1, 2_MB}, {0, 2, 1_MB}, {1, 0, Bytes{999'999}}});
  EXPECT_EQ(why(setup.infeasible), "no objection");
  EXPECT_EQ(setup.provisioned.circuits, (Circuits{{0, 1, 0, 0}}));
  EXPECT_EQ(setup.provisioned.unserved, (workload::Demand{{0, 2, 1_MB}, {1, 0, Bytes{999'999}}}));
  EXPECT_EQ(names_of(setup.network, route_of(setup.network, 0, 1)),
            (std::vector<std::string>{"0->1"}));
  const Route packets = route_of(setup.network, 1, 0);
  EXPECT_EQ(names_of(setup.network, packets),
            (std::vector<std::string>{"1->packets", "packets->0"}));
  EXPECT_EQ(packets.latency, 5_us);
}

TEST(Helios, UsesThePacketSwitchWhileACircuitIsDown) {
  const CircuitFabric fabric = helios(", threshold: 1 MB", 4);
  const Network network = circuit_network(fabric, {{0, 1, 1}, {2, 3, 0}});
  std::vector<bool> down(network.links.size(), false);
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    down[l] = network.links[l].bandwidth.bits_per_second == 0;
  }
  EXPECT_EQ(names_of(network, route_of(network, 2, 3, 0, down)),
            (std::vector<std::string>{"2->packets", "packets->3"}));
  const auto uplink = std::find_if(network.links.begin(), network.links.end(), [&](const Link& it) {
    return it.from == 2 && it.to == network.devices;
  });
  down[static_cast<std::size_t>(uplink - network.links.begin())] = true;
  Route none;
  EXPECT_FALSE(network.router->find(DeviceId(2), DeviceId(3), 0, down, none));
}

TEST(Helios, LetsPairsWithTimeSharedCircuitsWait) {
  const CircuitFabric fabric = helios(", threshold: 1 MB, reconfigure: periodic", 4);
  const Network network = circuit_network(fabric, {{0, 1, 1}, {2, 3, 0}});
  std::vector<bool> down(network.links.size(), false);
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    down[l] = network.links[l].bandwidth.bits_per_second == 0;
  }
  Route none;
  EXPECT_FALSE(network.router->find(DeviceId(2), DeviceId(3), 0, down, none));
  EXPECT_EQ(names_of(network, route_of(network, 3, 2, 0, down)),
            (std::vector<std::string>{"3->packets", "packets->2"}));
}

// Circuits form a maximum-weight matching per switch, and no device sends more than its bandwidth.
TEST(Helios, ProvisionsFeasibleCircuitsAndReachesEveryDevice) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed, 3);
    const int devices = 2 + static_cast<int>(random(14));
    const CircuitFabric fabric =
        helios(fmt::format(", switches: {}, threshold: 500 kB", 1 + random(3)), devices);
    workload::Demand demand;
    for (int from = 0; from < devices; ++from) {
      for (int to = 0; to < devices; ++to) {
        if (from != to && random(2) == 0) demand.push_back({from, to, {1 + random(1'000'000)}});
      }
    }
    const CircuitSetup setup = provision_network(fabric, demand);
    EXPECT_EQ(why(setup.infeasible), "no objection");
    EXPECT_EQ(why(violation(fabric, setup.provisioned.circuits)), "no objection");
    EXPECT_EQ(by_pair(setup.provisioned.circuits).size() + setup.provisioned.unserved.size(),
              demand.size());
    std::vector<std::int64_t> out(static_cast<std::size_t>(setup.network.nodes), 0);
    for (const Link& link : setup.network.links) {
      out[static_cast<std::size_t>(link.from)] += link.bandwidth.bits_per_second;
    }
    for (int device = 0; device < devices; ++device) {
      EXPECT_LE(out[static_cast<std::size_t>(device)], fabric.egress.bits_per_second);
    }
    expect_sound_routes(setup.network);
  }
}

TEST(Helios, KeepsThePacketSwitchWhileCircuitsChange) {
  const CircuitFabric fabric = helios(", threshold: 1 MB", 4);
  const Network network = circuit_network(fabric, {{0, 1, 1}, {0, 2, 0}});
  const std::vector<Bandwidth> bandwidths = link_bandwidths(fabric, network, {{0, 2, 0, 0}});
  const CircuitChange change = change_between(fabric, network, {{0, 1, 0, 0}}, {{0, 2, 0, 0}});
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    const std::string name = network.link_name(LinkId(l));
    const std::int64_t expected = name == "0->1" ? 0 : name == "0->2" ? 90 : 10;
    EXPECT_EQ(bandwidths[l], (Bandwidth{expected * 1'000'000'000})) << name;
  }
  ASSERT_EQ(change.switching.size(), 1U);
  EXPECT_EQ(network.link_name(change.switching[0].link), "0->1");
  ASSERT_EQ(change.switched.size(), 1U);
  EXPECT_EQ(network.link_name(change.switched[0].link), "0->2");
}

TEST(Helios, NeedsBothKindsOfSwitch) {
  for (const std::string share : {"0", "1", "1.5"}) {
    EXPECT_EQ(refusal(", packet_share: " + share),
              "test.yaml:1: fabric.packet_share is " + share +
                  "; a fraction above 0 and below 1 is needed, so that both kinds of switch get "
                  "bandwidth");
  }
  EXPECT_EQ(refusal(", forwarding: true"),
            "test.yaml:1: fabric has no key 'forwarding'; known are kind, name, bandwidth, "
            "packet_share, switches, threshold, latency, packet_latency, switch_time, "
            "provisioner, reconfigure, period");
}

}  // namespace
}  // namespace loom::fabric
