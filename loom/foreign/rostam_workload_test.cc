#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/foreign/rostam.h"
#include "loom/foreign/testing.h"

namespace loom {
namespace {

using testing::rostam_edges;
using testing::rostam_op;

// Two layers forward and backward: the gradient of the second is ready first.
std::string two_layers(std::uint64_t time, bool written) {
  std::string graph;
  for (const char* name : {"forward1", "forward2", "backward2", "backward1"}) {
    graph += rostam_op({.name = name, .time = time});
  }
  graph += rostam_op({.name = "read1", .bytes = 1000, .type = 1, .memory = 2}) +
           rostam_op({.name = "join", .type = 2}) + rostam_edges("read1", {"forward1"}) +
           rostam_edges("forward1", {"forward2"}) + rostam_edges("forward2", {"backward2"}) +
           rostam_edges("backward2", {"backward1"});
  if (!written) return graph;
  return graph + rostam_op({.name = "write1", .bytes = 1000, .type = 1, .memory = 1}) +
         rostam_op({.name = "write2", .bytes = 2000, .type = 1, .memory = 1}) +
         rostam_edges("backward1", {"write1"}) + rostam_edges("backward2", {"join"}) +
         rostam_edges("join", {"write2"});
}

RostamProfile profile_of(bool written = true) {
  const std::vector<RostamFile> files = {{8, "m_bs8.pb", two_layers(10, written)},
                                         {16, "m_bs16.pb", two_layers(20, written)}};
  return parse_rostam(files);
}

std::string text_of(const RostamProfile& profile, const RostamTraining& training) {
  return to_text(to_workload(profile, training));
}

TEST(RostamWorkload, GradientsAreSummedWhileTheRestIsComputed) {
  EXPECT_EQ(text_of(profile_of(), {.devices = 4, .batch = 48}), R"(devices: 4
groups:
  - {name: g0, size: 1, members: 0-3}
  - {name: g1, size: 4, members: 0-3}
operations:
  - {name: compute.forward1, compute: 15 us, groups: g0}
  - {name: compute.forward2, compute: 15 us, groups: g0, after: compute.forward1}
  - {name: compute.backward2, compute: 15 us, groups: g0, after: compute.forward2}
  - {name: compute.backward1, compute: 15 us, groups: g0, after: compute.backward2}
  - {name: all_reduce.write2, collective: all_reduce, algorithm: ring, size: 2 kB, groups: g1, after: compute.backward2}
  - {name: all_reduce.write1, collective: all_reduce, algorithm: ring, size: 1 kB, groups: g1, after: compute.backward1 all_reduce.write2}
)");
}

TEST(RostamWorkload, AGraphThatWritesNoVariableSumsThoseItReadsAtTheEnd) {
  const Workload workload = to_workload(profile_of(false), {.devices = 2, .batch = 16});
  ASSERT_EQ(workload.operations.size(), 5U);
  EXPECT_EQ(workload.name(4), "all_reduce.read1");
  EXPECT_EQ(workload.collectives[0].size, 1_KB);
  EXPECT_EQ(workload.name(workload.waits_for(4)[0]), "compute.backward1");
}

TEST(RostamWorkload, OneDeviceSumsNothing) {
  const Workload workload = to_workload(profile_of(), {.devices = 1, .batch = 8});
  EXPECT_EQ(workload.operations.size(), 4U);
  EXPECT_TRUE(workload.collectives.empty());
}

TEST(RostamWorkload, ItsTextReadsBackTheSame) {
  const Workload workload = to_workload(profile_of(), {.devices = 4, .batch = 48});
  EXPECT_EQ(parse_workload(to_text(workload), "w.yaml"), workload);
}

TEST(RostamWorkload, ABatchThatNoMeasurementCoversIsRefused) {
  const std::vector<RostamFile> files = {{8, "m_bs8.pb", two_layers(10, true)}};
  const RostamProfile profile = parse_rostam(files);
  EXPECT_EQ(message([&] { to_workload(profile, {.devices = 4, .batch = 34}); }),
            "m_bs8.pb: the only measured batch is 8; a device's batch of 8.5 needs a second, to "
            "tell how times grow");
}

TEST(RostamWorkload, AnAlgorithmThatDoesNotSumIsRefused) {
  const RostamProfile profile = profile_of();
  const RostamTraining training = {.devices = 3, .batch = 24, .algorithm = Algorithm::pairwise};
  EXPECT_EQ(message([&] { to_workload(profile, training); }),
            "all_reduce by pairwise; one of ring, two_way_ring, double_binary_tree, "
            "halving_doubling, direct, hierarchical is needed");
}

TEST(RostamWorkload, AGraphThatComputesNothingIsRefused) {
  const std::vector<RostamFile> files = {{1, "m_bs1.pb", rostam_op({.name = "a", .type = 1})}};
  const RostamProfile profile = parse_rostam(files);
  EXPECT_EQ(message([&] { to_workload(profile, {}); }),
            "m_bs1.pb: no node is of the type COMPUTE; at least one is needed");
}

}  // namespace
}  // namespace loom
