// Broken fabrics of circuits, and traffic that no circuits can carry.
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

Hostile job(const std::string& name, const std::string& more, const std::string& message) {
  return {name,
          {{"s.yaml", "workload: {model: vgg-16, batch: 16, partition: operators" + more +
                          "}\ngpus: 8\naccelerator: v100\n"
                          "fabric: {kind: sip_ocs, bandwidth: 100 Gbps}\n"}},
          {"simulate", "s.yaml"},
          message};
}

const std::vector<Hostile> kCircuits = {
    flows("a_period_of_circuits_that_stay", "kind: sip_ring, period: 1 ms",
          "s.yaml:3: fabric.period is 1 ms; it belongs to reconfigure: periodic"),
    flows("a_period_shorter_than_the_change",
          "kind: sip_ring, reconfigure: periodic, period: 10 us, reconfiguration: 25 us",
          "s.yaml:3: fabric.period is 10 us; it must be longer than the reconfiguration, 25 us"),
    flows("circuits_wider_than_the_device", "kind: sip_ocs, switches: 4, circuit: 50 Gbps",
          "s.yaml:3: fabric.circuit is 50 Gbps; 4 of them are more than 100 Gbps; at most 25 Gbps "
          "is possible"),
    flows("a_pair_that_never_has_a_turn",
          "kind: sip_ring, reach: 2, forwarding: false, reconfigure: periodic",
          "sip_ring: 0 -> 3 is beyond the reach of 2 segments, and devices do not forward; "
          "forwarding is needed",
          3),
    wired("a_device_wired_twice", "switch,device\n0,0\n1,1\n0,0\n",
          "w.csv:4: device is 0; the switch has it already; once is needed"),
    wired("a_switch_that_is_not_there", "switch,device\n2,0\n",
          "w.csv:2: switch is 2; at most 1 is possible"),
    job("a_group_of_one", ", group: 1",
        "s.yaml:1: workload.group is 1; at least 2 is needed; one device for each replica is "
        "uniform's data"),
    job("tensor_ranks_of_cut_operators", ", tensor: 2",
        "s.yaml:1: workload.tensor is 2; it belongs to partition uniform or auto"),
};

INSTANTIATE_TEST_SUITE_P(Circuits, Broken, ::testing::ValuesIn(kCircuits), name_of);

// Circuits that are dark when a flow begins are no circuits of no bandwidth: alone a flow has
// the one circuit for a millisecond, the second one also waits for the first and for the change.
TEST(PeriodicCircuits, AFlowThatWaitsForItsTurnIsSlowedDownByThat) {
  const Folder folder;
  folder.write("f.csv", "start,source,destination,size\n0 s,0,1,12.5 MB\n0 s,0,3,12.5 MB\n");
  const Ran ran = lightloom({"flows", "f.csv", "--gpus", "8", "--fabric", "sip_ocs", "--switches",
                             "1", "--bandwidth", "100Gbps", "--reconfigure", "periodic", "--period",
                             "20ms", "--reconfiguration", "1ms", "--csv"},
                            folder.path("."));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "source,destination,size [B],start [ps],end [ps],completion_time [ps],slowdown\n"
            "0,1,12500000,0,1000000000,1000000000,1\n"
            "0,3,12500000,0,3000000000,3000000000,3\n");
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
