#include "loom/fabric/deploy/cluster_files.h"

#include <numeric>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/circuits/topology_network.h"
#include "loom/fabric/deploy/forwarding_table.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

TopologySetup setup_for(const TopologyDemand& demand, int degree) {
  const std::string text =
      "{kind: topoopt, split: rule, bandwidth: 400 Gbps, degree: " + std::to_string(degree) + "}";
  return provision_topology(
      build_circuits(read_fabric(parse_yaml(text, "test.yaml")), {demand.devices, 1}), demand);
}

TEST(ClusterFiles, CrossConnectsAreGroupedByPlane) {
  const Circuits circuits = {{0, 1, 0, 0}, {0, 2, 1, 0}, {1, 0, 0, 0}};
  EXPECT_EQ(cross_connects_csv(circuits), "plane,input,output\n0,0,1\n0,1,0\n1,0,2\n");
  EXPECT_EQ(cross_connects_json({{0, 1, 0, 0}, {0, 2, 1, 0}}), R"({
  "planes": [
    {
      "plane": 0,
      "connections": [
        {"input": 0, "output": 1}
      ]
    },
    {
      "plane": 1,
      "connections": [
        {"input": 0, "output": 2}
      ]
    }
  ]
}
)");
}

TEST(ClusterFiles, AddressesNeverEndWithZeroOr255) {
  EXPECT_EQ(address_of({}, 0, 3), "10.3.0.1");
  EXPECT_EQ(address_of({}, 253, 0), "10.0.0.254");
  EXPECT_EQ(address_of({}, 254, 0), "10.0.1.1");
}

TEST(ClusterFiles, OnlyAddressesAndInterfacesGetIntoCommands) {
  EXPECT_EQ(why(objection({})), "no objection");
  EXPECT_EQ(why(objection({"PLANE.X.192.Y", "ethPLANE"})), "no objection");
  for (const std::string wrong : {"10.0.X.Y", "300.PLANE.X.Y", "PLANE.X.Y.;reboot", "10.PLANE.X",
                                  "10.PLANE.X.Y.Y", "10.PLANE.X.X", ""}) {
    EXPECT_EQ(why(objection({wrong, "ethPLANE"})),
              "the pattern is '" + wrong +
                  "'; four fields separated by dots are needed: PLANE, X, Y and a number up to "
                  "255, such as 10.PLANE.X.Y");
  }
  for (const std::string wrong : {"eth0", "PLANE;reboot", "a_name_too_longPLANE", ""}) {
    EXPECT_EQ(why(objection({"10.PLANE.X.Y", wrong})),
              "the interface is '" + wrong +
                  "'; a name with PLANE, letters and digits is needed, at most 15 characters "
                  "with the plane number filled in, such as ethPLANE");
  }
}

TEST(ClusterFiles, AnObjectionNamesTheOptionAtFault) {
  EXPECT_EQ(objection({"10.0.X.Y", "eth0"})->key, "addresses");
  EXPECT_EQ(objection({"10.PLANE.X.Y", "eth0"})->key, "interface");
}

TEST(ClusterFiles, HostsLearnTheirNeighborsAndEveryRoute) {
  const TopologySetup found = setup_for({3, {{{0, 1, 2}, {300}}}, {}}, 1);
  const std::string text = forwarding_commands(found.topology.circuits, found.setup.network, {},
                                               {"10.PLANE.X.Y", "ethPLANE"});
  EXPECT_EQ(text.substr(0, text.find("\n# host 1")), R"(# host 0
sysctl -w net.ipv4.ip_forward=1
sysctl -w net.ipv4.conf.all.rp_filter=0
ip addr replace 10.255.0.1/32 dev lo
ip link set dev eth0 address 02:00:00:00:00:00 up
sysctl -w net/ipv4/conf/eth0/rp_filter=0
ip addr replace 10.0.0.1/32 dev eth0
ip neigh replace 10.0.0.2 lladdr 02:00:00:00:00:01 dev eth0 nud permanent
ip route replace 10.255.0.2/32 src 10.255.0.1 via 10.0.0.2 dev eth0 onlink
ip route replace 10.255.0.3/32 src 10.255.0.1 via 10.0.0.2 dev eth0 onlink
)");
}

// Bytes per link when every device forwards by destination.
std::vector<double> carried(const Network& network, const workload::Demand& demand) {
  std::vector<double> bytes(network.links.size(), 0);
  for (DeviceId to(0); to < network.devices; ++to) {
    const NextLinks next = forwarding_to(network, to, demand);
    std::vector<double> held(static_cast<std::size_t>(network.devices), 0);
    for (const workload::PairDemand& it : demand) {
      if (it.to == to)
        held[static_cast<std::size_t>(it.from)] += static_cast<double>(it.bytes.count);
    }
    // Without cycles, everything has arrived after as many rounds as there are devices.
    for (int round = 0; round < network.devices; ++round) {
      std::vector<double> then(held.size(), 0);
      for (std::size_t d = 0; d < held.size(); ++d) {
        if (static_cast<int>(d) == to) then[d] += held[d];
        for (const NextLink& it : next[d]) {
          bytes[static_cast<std::size_t>(it.link)] += held[d] * it.share;
          then[static_cast<std::size_t>(network.links[static_cast<std::size_t>(it.link)].to)] +=
              held[d] * it.share;
        }
      }
      held = std::move(then);
    }
    double left =
        std::accumulate(held.begin(), held.end(), 0.0) - held[static_cast<std::size_t>(to)];
    EXPECT_LT(left, 1e-6) << "to " << to;
  }
  return bytes;
}

TEST(ForwardingTable, PutsNoMoreOnALinkThanTheRoutesDo) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 71);
    const int devices = 3 + static_cast<int>(random(12));
    TopologyDemand demand{devices, {}, {}};
    for (int from = 0; from < devices; ++from) {
      for (int to = 0; to < devices; ++to) {
        if (from != to && random(2) == 0) demand.pairs.push_back({from, to, {1 + random(100'000)}});
      }
    }
    const Network network = setup_for(demand, 2).setup.network;
    std::vector<double> laid(network.links.size(), 0);
    for (const workload::PairDemand& it : demand.pairs) {
      for (const Hop& hop : route_of(network, it.from, it.to).hops) {
        laid[static_cast<std::size_t>(hop.link)] +=
            static_cast<double>(it.bytes.count) * static_cast<double>(hop.share) / kWhole;
      }
    }
    const std::vector<double> forwarded = carried(network, demand.pairs);
    for (std::size_t l = 0; l < laid.size(); ++l) EXPECT_LE(forwarded[l], laid[l] + 1e-3) << l;
  }
}

}  // namespace
}  // namespace loom::fabric
