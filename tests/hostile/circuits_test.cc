// Invalid circuit-switched fabrics, and traffic that no circuits can carry.
#include <nlohmann/json.hpp>

#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

Hostile flows(const std::string& name, const std::string& fabric, const std::string& message,
              int code = 2) {
  return {name,
          {{"s.yaml",
            "workload: {flows: f.csv}\ngpus: 8\nfabric: {" + fabric + ", bandwidth: 100 Gbps}\n"},
           {"f.csv", "start,source,destination,size\n0 s,0,1,12.5 MB\n0 s,0,3,12.5 MB\n"}},
          {"simulate", "s.yaml"},
          message,
          code};
}

Hostile wired(const std::string& name, const std::string& wiring, const std::string& message,
              int code = 2) {
  Hostile it = flows(name, "kind: sip_ocs, switches: 2, wiring: w.csv", message, code);
  it.files["w.csv"] = wiring;
  return it;
}

// An all-to-all, which needs a circuit for every pair, on a fabric without forwarding.
Hostile unforwarded(const std::string& name, const std::string& fabric,
                    const std::string& message) {
  return {name,
          {{"s.yaml", "workload: {collective: all_to_all, size: 1 MB}\ngpus: 8\nfabric: {" +
                          fabric + ", forwarding: false, bandwidth: 100 Gbps}\n"}},
          {"simulate", "s.yaml"},
          message,
          3};
}

// Forwarding tables for the hosts of a cluster.
Hostile hosts(const std::string& name, const std::string& fabric,
              const std::vector<std::string>& words, const std::string& message) {
  Hostile it = flows(name, fabric, message);
  it.words = {"dump", "s.yaml", "--stage", "forwarding"};
  it.words.insert(it.words.end(), words.begin(), words.end());
  return it;
}

Hostile job(const std::string& name, const std::string& more, const std::string& message) {
  return {name,
          {{"s.yaml", "workload: {model: vgg-16, batch: 16, partition: operators" + more +
                          "}\ngpus: 8\naccelerator: v100\n"
                          "fabric: {kind: sip_ocs, bandwidth: 100 Gbps}\n"}},
          {"simulate", "s.yaml"},
          message};
}

Hostile searched(const std::string& name, const std::string& more, const std::string& fabric,
                 const std::string& message, int code = 2) {
  return {name,
          {{"s.yaml", "workload: {model: dlrm, batch: 64, partition: co_optimized" + more +
                          "}\ngpus: 4\naccelerator: v100\nfabric: {" + fabric + "}\n"}},
          {"simulate", "s.yaml"},
          message,
          code};
}

const std::vector<Hostile> kCircuits = {
    flows("a_period_of_circuits_that_stay", "kind: sip_ring, period: 1 ms",
          "s.yaml:3: fabric.period is 1 ms; it applies to reconfigure: periodic only"),
    flows("an_old_key", "kind: sip_ring, wavelength: 25 Gbps",
          "s.yaml:3: fabric.wavelength was renamed; write wavelength_bandwidth"),
    flows("a_period_shorter_than_the_change",
          "kind: sip_ring, reconfigure: periodic, period: 10 us, switch_time: 25 us",
          "s.yaml:3: fabric.period is 10 us; it must be longer than switch_time, 25 us"),
    flows("an_unserved_of_circuits_that_stay", "kind: sip_ocs, unserved: forward",
          "s.yaml:3: fabric.unserved is forward; it applies to reconfigure: periodic only"),
    flows(
        "forwarding_by_devices_that_do_not",
        "kind: sip_ocs, reconfigure: periodic, forwarding: false, unserved: forward",
        "s.yaml:3: fabric.unserved is forward; devices do not forward; forwarding: true is needed"),
    flows("a_topology_of_no_ports", "kind: topoopt, degree: 0",
          "s.yaml:3: fabric.degree is 0; at least 1 is needed"),
    flows("more_ports_for_rings_than_there_are", "kind: topoopt, degree: 4, split: 5",
          "s.yaml:3: fabric.split is 5; auto, rule, sweep, or an integer from 0 to 4 is needed"),
    flows("a_host_that_forwards_nothing", "kind: topoopt, forwarding_rate: 0 Gbps",
          "s.yaml:3: fabric.forwarding_rate is 0 Gbps; at least 1 bps is needed"),
    unforwarded("pairs_that_no_algorithm_serves", "kind: sip_ocs, switches: 2",
                "sip_ocs: 40 of 56 pairs that exchange data have no circuit, such as 0 -> 3, and "
                "devices do not forward; forwarding is needed"),
    hosts("hosts_beside_a_packet_switch", "kind: helios", {},
          "s.yaml:3: pairs without a circuit go over the packet switch, so no host forwards"),
    hosts("addresses_that_are_none", "kind: topoopt", {"--addresses", "300.PLANE.X.Y"},
          "--addresses: the pattern is '300.PLANE.X.Y'; four fields separated by dots are needed: "
          "PLANE, X, Y and a number up to 255, such as 10.PLANE.X.Y"),
    hosts("an_interface_for_all_planes", "kind: topoopt", {"--interface", "eth0"},
          "--interface: the interface is 'eth0'; a name with PLANE, letters and digits is needed, "
          "at most 15 characters with the plane number filled in, such as ethPLANE"),
    hosts("more_planes_than_addresses", "kind: topoopt, degree: 300", {},
          "--addresses: the circuits have more planes than addresses can number; at most 255 are "
          "possible"),
    flows("circuits_wider_than_the_device",
          "kind: sip_ocs, switches: 4, circuit_bandwidth: 50 Gbps",
          "s.yaml:3: fabric.circuit_bandwidth is 50 Gbps; 4 circuits together exceed 100 Gbps; at "
          "most 25 Gbps "
          "is possible"),
    flows("a_pair_that_never_has_a_turn",
          "kind: sip_ring, reach: 2, forwarding: false, reconfigure: periodic",
          "sip_ring: 0 -> 3 is beyond the reach of 2 segments, and devices do not forward; "
          "forwarding is needed",
          3),
    flows("slots_that_are_all_dark", "kind: sirius, slot: 10 ns",
          "s.yaml:3: fabric.slot is 10 ns; it must be longer than switch_time, 10 ns"),
    flows("more_rotors_than_matchings", "kind: rotornet, switches: 9",
          "s.yaml:3: fabric.switches is 9; 8 devices have only 7 matchings to divide over them"),
    flows("rotors_that_do_not_divide", "kind: opera, switches: 3",
          "s.yaml:3: fabric.switches is 3; 8 matchings do not divide evenly; a divisor of 8 is "
          "needed"),
    flows("a_routing_that_shoal_does_not_know", "kind: shoal, routing: split",
          "s.yaml:3: fabric.routing is split; one of auto, direct, valiant is needed"),
    flows("all_bandwidth_for_packets", "kind: helios, packet_share: 1",
          "s.yaml:3: fabric.packet_share is 1; a fraction above 0 and below 1 is needed, so that "
          "both kinds of switch get bandwidth"),
    flows("half_a_cube", "kind: tpu_torus, shape: 1x1x8",
          "s.yaml:3: fabric.shape is 1x1x8; a slice larger than one 4x4x4 cube consists of "
          "complete cubes; multiples of 4 are needed"),
    wired("a_device_wired_twice", "switch,device\n0,0\n1,1\n0,0\n",
          "w.csv:4: device is 0; it is already on this switch; one row is needed"),
    wired("a_switch_that_is_not_there", "switch,device\n2,0\n",
          "w.csv:2: switch is 2; at most 1 is possible"),
    wired("a_device_on_no_switch", "switch,device\n0,0\n0,1\n0,2\n1,0\n1,1\n",
          "sip_ocs: 1 of 2 pairs that exchange data have no circuit, such as 0 -> 3, and the "
          "wiring has device 3 on no switch; a row for it is needed",
          3),
    wired("a_wiring_without_rows", "switch,device\n",
          "sip_ocs: 2 of 2 pairs that exchange data have no circuit, such as 0 -> 1, and the "
          "wiring has device 0 on no switch; a row for it is needed",
          3),
    job("a_group_of_one", ", group: 1",
        "s.yaml:1: workload.group is 1; at least 2 is needed; one device per replica is data "
        "parallelism (partition: uniform)"),
    job("tensor_ranks_of_partitioned_operators", ", tensor: 2",
        "s.yaml:1: workload.tensor is 2; it belongs to partition uniform or auto"),
    job("an_order_of_partitioned_operators", ", order: \"data,tensor\"",
        "s.yaml:1: workload.order is data,tensor; it belongs to partition uniform or auto"),
    job("proposals_of_no_search", ", proposals: 10",
        "s.yaml:1: workload.proposals is 10; it belongs to partition co_optimized"),
    searched("tensor_ranks_of_a_search", ", tensor: 2", "kind: switch, bandwidth: 10 Gbps",
             "s.yaml:1: workload.tensor is 2; it belongs to partition uniform or auto"),
    searched("an_order_of_a_search", ", order: auto", "kind: switch, bandwidth: 10 Gbps",
             "s.yaml:1: workload.order is auto; it belongs to partition uniform or auto"),
    searched("a_search_where_nobody_forwards", "",
             "kind: topoopt, bandwidth: 10 Gbps, forwarding: false",
             "s.yaml:4: fabric.forwarding is false; true is needed for partition co_optimized"),
    searched("tables_that_fit_nowhere", "", "kind: topoopt, bandwidth: 10 Gbps",
             "topoopt: dlrm on 4 devices: even with weights partitioned over all servers, server 3 "
             "would hold "
             "288.2 GB; v100 has 34.36 GB, of which 4 GB are reserved",
             3),
};

INSTANTIATE_TEST_SUITE_P(Circuits, Broken, ::testing::ValuesIn(kCircuits), name_of);

// A circuit that is down when a flow starts still counts in the isolated time: uncontended, a flow
// has the one circuit for a millisecond; the second flow also waits for the first and the
// switching.
TEST(PeriodicCircuits, WaitingForACircuitCountsAsSlowdown) {
  const Folder folder;
  folder.write("f.csv", "start,source,destination,size\n0 s,0,1,12.5 MB\n0 s,0,3,12.5 MB\n");
  const Ran ran = lightloom(
      {"flows", "f.csv", "--gpus", "8", "--fabric", "sip_ocs", "--switches", "1", "--bandwidth",
       "100Gbps", "--reconfigure", "periodic", "--period", "20ms", "--switch-time", "1ms", "--csv"},
      folder.path("."));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "source,destination,size [B],start [ps],end [ps],completion_time [ps],slowdown\n"
            "0,1,12500000,0,1000000000,1000000000,1\n"
            "0,3,12500000,0,3000000000,3000000000,3\n");
}

// Two of three pairs have circuits; the third is forwarded over both, so that each circuit is
// shared by two flows.
TEST(PeriodicCircuits, UnservedPairsCanBeForwardedByOtherDevices) {
  const Folder folder;
  folder.write("f.csv",
               "start,source,destination,size\n"
               "0 s,0,1,12.5 MB\n0 s,1,3,12.5 MB\n0 s,0,3,12.5 MB\n");
  const auto last_end = [&](const std::string& unserved) {
    const Ran ran =
        lightloom({"flows", "f.csv", "--gpus", "8", "--fabric", "sip_ocs", "--switches", "1",
                   "--bandwidth", "100Gbps", "--reconfigure", "periodic", "--period", "20ms",
                   "--switch-time", "1ms", "--unserved", unserved, "--json"},
                  folder.path("."));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out).at("completion_time").get<std::int64_t>();
  };
  EXPECT_EQ(last_end("wait"), 3'000'000'000);
  EXPECT_EQ(last_end("forward"), 2'000'000'000);
}

TEST(PeriodicCircuits, AJobWhosePairsAlternateNeedsNoForwarding) {
  const Folder folder;
  folder.write("s.yaml",
               "workload: {model: resnet-50, batch: 64, algorithm: direct}\n"
               "gpus: 8\naccelerator: v100\n"
               "fabric: {kind: sip_ocs, switches: 2, bandwidth: 800 Gbps, reconfigure: periodic, "
               "switch_time: 10 us, forwarding: false}\n");
  const Ran ran = lightloom({"simulate", "s.yaml"}, folder.path("."));
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(PeriodicCircuits, AJobThatDoesNotFitStaysInfeasible) {
  const Folder folder;
  folder.write("s.yaml",
               "workload: {model: gpt3-175b, batch: 8, tensor: 8, zero: 0, micro_batch: 1}\n"
               "gpus: 8\naccelerator: v100\n"
               "fabric: {kind: sip_ring, bandwidth: 800 Gbps, reconfigure: periodic}\n");
  const Ran ran = lightloom({"simulate", "s.yaml"}, folder.path("."));
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("does not fit"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace loom::testing
