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

// Circuits that are dark when a flow begins are no circuits of no bandwidth.
TEST(PeriodicCircuits, AFlowThatWaitsForItsTurnHasASlowdown) {
  const Hostile two = flows("", "kind: sip_ocs, switches: 1, reconfigure: periodic", "");
  const Folder folder;
  for (const auto& [name, content] : two.files) folder.write(name, content);
  const Ran ran = lightloom({"simulate", "s.yaml"}, folder.path("."));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("messages         2"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace loom::testing
