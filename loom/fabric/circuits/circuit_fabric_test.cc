// Every circuit fabric provisions only circuits within its limits, and every communicating pair is
// reachable.
#include "loom/fabric/circuits/circuit_fabric.h"

#include "loom/base/files.h"
#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/circuits/provision/provisioners.h"
#include "loom/fabric/kinds/optical/quartz.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

CircuitFabric circuits_of(const std::string& text, int devices) {
  return build_circuits(read_fabric(parse_yaml("{" + text + "}", "test.yaml")), {devices, 1});
}

std::string refusal(const std::string& text, int devices) {
  return message_of([&] { circuits_of(text, devices); });
}

std::vector<std::string> samples() {
  std::vector<std::string> all;
  for (const std::string_view name : kProvisionerNames) {
    const std::string objective(name);
    const std::string rest = ", bandwidth: 400 Gbps, latency: 1 us, provisioner: " + objective;
    all.push_back("kind: sip_ocs, switches: 4" + rest);
    all.push_back("kind: sip_ocs, switches: 16" + rest);
    all.push_back("kind: sip_ring" + rest);
    all.push_back("kind: sip_ring, reach: 3" + rest);
    all.push_back("kind: sip_ring, direction: unidirectional, fibers: 2" + rest);
    all.push_back("kind: mordia" + rest);
    all.push_back("kind: megaswitch" + rest);
    all.push_back("kind: helios, switches: 2, threshold: 500 kB" + rest);
  }
  return all;
}

workload::Demand random_demand(Random& random, int devices) {
  workload::Demand demand;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from != to && random(4) == 0) demand.push_back({from, to, {1 + random(1'000'000)}});
    }
  }
  return demand;
}

// Each device sends the same amount to its clockwise neighbor.
workload::Demand ring_demand(int devices) {
  workload::Demand demand;
  for (int from = 0; from < devices; ++from) {
    demand.push_back({from, (from + 1) % devices, {1'000'000}});
  }
  return demand;
}

TEST(CircuitFabrics, StayWithinTheirLimitsAndReachEveryPair) {
  for (const std::string& sample : samples()) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(fmt::format("{} with seed {}", sample, seed));
      Random random = random_stream(seed, 5);
      const int devices = 2 + static_cast<int>(random(14));
      const CircuitFabric fabric = circuits_of(sample, devices);
      const workload::Demand demand = random_demand(random, devices);
      const CircuitSetup setup = provision_network(fabric, demand);
      EXPECT_EQ(why(violation(fabric, setup.provisioned.circuits)), "no objection");
      EXPECT_LE(setup.provisioned.rate, setup.provisioned.bound * (1 + 1e-12));
      const bool everywhere = fabric.provisioner->connects;
      EXPECT_TRUE(!setup.infeasible || !everywhere) << why(setup.infeasible);
      for (const workload::PairDemand& it : demand) {
        if (setup.infeasible) break;
        const Route route = route_of(setup.network, it.from, it.to);
        EXPECT_EQ(why(flaw_of(setup.network, route, it.from, it.to)), "no objection");
      }
    }
  }
}

// The circuits of a device together carry at most its egress bandwidth.
TEST(CircuitFabrics, GiveNoDeviceMoreThanItsEgressBandwidth) {
  for (const std::string& sample : samples()) {
    SCOPED_TRACE(sample);
    Random random = random_stream(3, 5);
    const CircuitFabric fabric = circuits_of(sample, 9);
    const CircuitSetup setup = provision_network(fabric, random_demand(random, 9));
    std::vector<std::int64_t> out(static_cast<std::size_t>(setup.network.nodes), 0);
    std::vector<std::int64_t> in(static_cast<std::size_t>(setup.network.nodes), 0);
    for (const Link& link : setup.network.links) {
      out[static_cast<std::size_t>(link.from)] += link.bandwidth.bits_per_second;
      in[static_cast<std::size_t>(link.to)] += link.bandwidth.bits_per_second;
    }
    for (std::size_t device = 0; device < 9; ++device) {
      EXPECT_LE(out[device], fabric.egress.bits_per_second) << device;
      EXPECT_LE(in[device], fabric.egress.bits_per_second) << device;
    }
  }
}

TEST(CircuitFabrics, DivideTheBandwidthOfADeviceByTheRuleOfTheirKind) {
  const CircuitFabric ocs = circuits_of("kind: sip_ocs, bandwidth: 1 Tbps", 8);
  EXPECT_EQ(ocs.circuit, 50_Gbps);
  EXPECT_EQ(ocs.switch_time, std::chrono::milliseconds(10));
  const CircuitFabric ring = circuits_of("kind: sip_ring, bandwidth: 2 Tbps", 8);
  const auto& limits = std::get<RingLimits>(ring.limits);
  EXPECT_EQ(ring.circuit, 25_Gbps);
  EXPECT_EQ(limits.fibers, 5);
  EXPECT_EQ(limits.wavelengths, 8);  // 80 over five fibers and two directions
  EXPECT_EQ(ring.switch_time, std::chrono::microseconds(25));
  const CircuitFabric slow_ring = circuits_of("kind: sip_ring, bandwidth: 128 Gbps", 8);
  EXPECT_EQ(std::get<RingLimits>(slow_ring.limits).fibers, 1);
  EXPECT_EQ(std::get<RingLimits>(slow_ring.limits).wavelengths, 2);
}

// Circuits between neighbors share no segment: with reuse one wavelength serves all of them,
// without reuse only one.
TEST(CircuitFabrics, ARingWithoutReuseIsAsManyTimesSlowerAsItHasDevices) {
  const workload::Demand neighbors = ring_demand(16);
  const std::string ring = "kind: sip_ring, direction: unidirectional, bandwidth: 800 Gbps";
  const CircuitSetup with = provision_network(circuits_of(ring, 16), neighbors);
  const CircuitSetup without =
      provision_network(circuits_of(ring + ", reuse: false", 16), neighbors);
  EXPECT_DOUBLE_EQ(with.provisioned.rate, 16 * without.provisioned.rate);
}

TEST(CircuitFabrics, WithoutForwardingAPairWithoutACircuitIsInfeasible) {
  const CircuitFabric fabric =
      circuits_of("kind: sip_ocs, switches: 2, bandwidth: 100 Gbps, forwarding: false", 4);
  workload::Demand all;
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      if (from != to) all.push_back({from, to, 1_MB});
    }
  }
  EXPECT_EQ(why(provision_network(fabric, all).infeasible),
            "4 of 12 pairs that exchange data have no circuit, such as 0 -> 3, and devices do not "
            "forward; forwarding is needed");
}

TEST(CircuitFabrics, RefuseWhatCannotBeBuilt) {
  EXPECT_EQ(
      refusal("kind: sip_ocs, bandwidth: 1 Tbps, ports: 4", 8),
      "test.yaml:1: fabric.ports is 4; switch 0 has 8 devices but 4 ports; one port per device, "
      "or a wiring, is needed");
  EXPECT_EQ(refusal("kind: sip_ring, bandwidth: 10 Gbps", 8),
            "test.yaml:1: fabric.bandwidth is 10 Gbps; it provides 0 wavelengths of 25 Gbps; 1 to "
            "1000000 are possible");
  EXPECT_EQ(refusal("kind: sip_ring, bandwidth: 100 Gbps, fibers: 3", 8),
            "test.yaml:1: fabric.bandwidth is 100 Gbps; it provides 4 wavelengths; 3 fibers in 2 "
            "directions need one each");
  EXPECT_EQ(refusal("kind: mordia, bandwidth: 100 Gbps, wavelengths: 4", 8),
            "test.yaml:1: fabric.wavelengths is 4; 1 fibers carry 4; 8 devices need one each");
  EXPECT_EQ(refusal("kind: sip_ring, bandwidth: 1 Tbps, reconfigure: periodic, period: 10 us", 8),
            "test.yaml:1: fabric.period is 10 us; it must be longer than switch_time, 25 "
            "us");
  EXPECT_EQ(refusal_of("kind: quartz, bandwidth: 1 Tbps", 64),
            "test.yaml:1: fabric.wavelengths is 160; a mesh of 64 devices needs at least 512; 2 "
            "fibers carry 320");
}

TEST(CircuitFabrics, AWiringFileListsTheDevicesOfEachSwitch) {
  const std::string file = testing::TempDir() + "wiring.csv";
  write_file(file, "switch,device\n0,0\n0,1\n0,2\n1,2\n1,3\n1,0\n");
  const CircuitFabric fabric =
      circuits_of("kind: sip_ocs, switches: 2, ports: 3, bandwidth: 100 Gbps, wiring: " + file, 4);
  const CircuitSetup setup = provision_network(fabric, {{0, 1, 1_MB}, {3, 0, 1_MB}, {2, 0, 1_MB}});
  EXPECT_EQ(why(violation(fabric, setup.provisioned.circuits)), "no objection");
  EXPECT_TRUE(setup.provisioned.unserved.empty());
  write_file(file, "switch,device\n0,0\n0,0\n");
  EXPECT_EQ(refusal("kind: sip_ocs, switches: 2, ports: 3, bandwidth: 1 Gbps, wiring: " + file, 4),
            file + ":3: device is 0; it is already on this switch; one row is needed");
}

TEST(Quartz, TheMinWavelengthsAreThoseOfAllShorterArcs) {
  EXPECT_EQ(quartz_wavelengths(3), 1);
  EXPECT_EQ(quartz_wavelengths(33), 136);  // (33² - 1) / 8
}

}  // namespace
}  // namespace loom::fabric
