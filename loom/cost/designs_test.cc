// Bills of materials of six published designs, counted by hand from their sources.
#include <gtest/gtest.h>

#include "loom/cost/testing.h"

namespace loom::cost {
namespace {

const std::string kServers = ", gpus_per_server: 8, inside_bandwidth: 450 GB/s";

std::int64_t optical_links(const fabric::Bill& bill) {
  return count_of(bill, fabric::kFiber) + count_of(bill, fabric::kShortFiber);
}

// "NVIDIA DGX SuperPOD, scalable infrastructure, B200", table "Larger SuperPOD component counts":
// switches of 64 ports of 400 Gbps (QM9700). The H100 edition has the same counts.
TEST(Design, DgxSuperPodHasTheSwitchesAndCablesOfItsReferenceArchitecture) {
  struct Row {
    int gpus, leaves, spines, cores, leaf_cables, spine_cables, core_cables;
  };
  for (const Row& row :
       {Row{512, 16, 8, 0, 512, 512, 0}, Row{1024, 32, 16, 0, 1024, 1024, 0},
        Row{2048, 64, 32, 0, 2048, 2048, 0}, Row{4096, 128, 128, 64, 4096, 4096, 4096},
        Row{8192, 256, 256, 128, 8192, 8192, 8192},
        Row{16384, 512, 512, 256, 16384, 16384, 16384}}) {
    const fabric::Bill components = bill("kind: cluster, bandwidth: 400 Gbps" + kServers, row.gpus);
    EXPECT_EQ(count_of(components, fabric::kNic), row.gpus);
    EXPECT_EQ(count_of(components, fabric::kSwitchPort),
              64 * (row.leaves + row.spines + row.cores));
    EXPECT_EQ(count_of(components, fabric::kDac) + optical_links(components),
              row.leaf_cables + row.spine_cables + row.core_cables);
    EXPECT_EQ(count_of(components, fabric::kTransceiver), 2 * optical_links(components));
  }
}

// One scalable unit of the same reference architecture, its eight leaves only: 32 DGX systems,
// whose i-th GPU is cabled to leaf i. Four systems fill a rack, so the unit is a row of eight
// racks.
TEST(Design, RailOptimizedUnitIsOneSwitchForEachRail) {
  const fabric::Bill components = bill("kind: rail, bandwidth: 400 Gbps" + kServers, 256);
  EXPECT_EQ(count_of(components, fabric::kNic), 256);
  EXPECT_EQ(count_of(components, fabric::kSwitchPort), 8 * 32);
  EXPECT_EQ(count_of(components, fabric::kTransceiver), 2 * 256);
  EXPECT_EQ(count_of(components, fabric::kShortFiber), 256);
  EXPECT_EQ(count_of(components, fabric::kFiber), 0);
  // 256 times a NIC (1499), a port (1090), two transceivers (659) and a short fiber (9).
  EXPECT_EQ(exact(price("kind: rail, bandwidth: 400 Gbps" + kServers, 256)), "1002496 USD");
}

// Al-Fares et al. (SIGCOMM 2008), section 3: k pods of k/2 edge and k/2 aggregation switches,
// (k/2)² cores, k³/4 hosts. Their example of 48 ports has 27,648 hosts and 2,880 switches.
TEST(Design, FatTreeOf48PortsHas27648HostsAnd2880Switches) {
  const fabric::Bill components =
      bill("kind: fat_tree, radix: 48, bandwidth: 10 Gbps", 27'648, {24, 16});
  EXPECT_EQ(count_of(components, fabric::kNic), 27'648);
  EXPECT_EQ(count_of(components, fabric::kSwitchPort), 2'880 * 48);
  EXPECT_EQ(count_of(components, fabric::kDac), 27'648);  // 24 hosts share a rack and its switch
  EXPECT_EQ(optical_links(components), 2 * 27'648);
}

// The same with 2:1 at the edge: the 27,648 hosts keep their ports, and both layers of links above
// halve: 82,944 ports, 1,728 switches instead of 2,880.
TEST(Design, FatTreeOfTwoToOneHasHalfTheLinksAboveTheEdge) {
  const fabric::Bill components =
      bill("kind: fat_tree, radix: 48, oversubscription: 2, bandwidth: 10 Gbps", 27'648, {24, 16});
  EXPECT_EQ(count_of(components, fabric::kNic), 27'648);
  EXPECT_EQ(count_of(components, fabric::kDac), 27'648);
  EXPECT_EQ(optical_links(components), 27'648);
  EXPECT_EQ(count_of(components, fabric::kSwitchPort), 27'648 + 2 * 27'648);
}

// Jouppi et al. (ISCA 2023), section 2: 64 racks of 4x4x4 chips with electrical links inside, 96
// optical links each (six faces of 16), to 48 circuit switches with 128 ports in use.
TEST(Design, TpuV4PodHas64RacksAnd48CircuitSwitches) {
  const fabric::Bill components =
      bill("kind: tpu_torus, shape: 16x16x16, bandwidth: 2400 Gbps", 4096);
  EXPECT_EQ(count_of(components, fabric::kNic), 4096 * 6);
  EXPECT_EQ(count_of(components, fabric::kDac), 64 * 3 * 4 * 4 * 3);
  EXPECT_EQ(count_of(components, fabric::kTransceiver), 64 * 96);
  EXPECT_EQ(count_of(components, fabric::kFiber), 64 * 96);
  EXPECT_EQ(count_of(components, fabric::kOcsPort), 48 * 128);
}

// Khani et al. (SIGCOMM 2021), section 3.1: every GPU has one fiber pair to each of the parallel
// circuit switches, and its silicon-photonic interface sends on all of them.
TEST(Design, SipOcsHasOnePortOfEverySwitchForEveryDevice) {
  const fabric::Bill expected = {{"sip_interface", 1000_Gbps, 128L * 8},
                                 {"ocs_port", 1000_Gbps, 128L * 8},
                                 {"fiber", 1000_Gbps, 128L * 8}};
  EXPECT_EQ(bill("kind: sip_ocs, switches: 8, bandwidth: 8 Tbps", 128), expected);
}

}  // namespace
}  // namespace loom::cost
