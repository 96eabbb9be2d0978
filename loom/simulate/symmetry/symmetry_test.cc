// Which devices, links and channels are found to be equivalent, and which are not.
#include "loom/simulate/symmetry/symmetry.h"

#include <gtest/gtest.h>

#include "loom/simulate/symmetry/quotient.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

// Numbers of classes of devices, links and channels; "none" if there is no symmetry.
std::string classes_of(const workload::Workload& workload, const fabric::Network& network,
                       const std::vector<LinkChange>& changes = {}) {
  const auto it = find_symmetry(workload, network, changes);
  if (!it) return "none";
  return fmt::format("{} {} {}", it->device_classes, it->link_classes, it->channels.size());
}

fabric::Network switch_of(int devices) {
  return fabric::fabric_of("kind: switch, bandwidth: 8 Gbps, latency: 1 us", devices);
}

// Servers of four.
fabric::Network cluster_of(int devices) {
  return fabric::fabric_of(
      "kind: cluster, gpus_per_server: 4, inside_bandwidth: 80 Gbps, inside_latency: 100 ns, "
      "bandwidth: 8 Gbps, latency: 1 us",
      devices);
}

workload::Workload collective_of(int devices, const std::string& what, int size = 0) {
  const std::string groups = fmt::format("groups: [{{name: g, size: {}, members: 0-{}}}]\n",
                                         size == 0 ? devices : size, devices - 1);
  return workload_of(devices, {"collective: " + what + ", groups: g"}, groups);
}

TEST(Symmetry, ARingOnASwitchIsOneDeviceOneLinkAndOneChannel) {
  EXPECT_EQ(classes_of(collective_of(8, "all_reduce, algorithm: ring, size: 8 kB"), switch_of(8)),
            "1 1 1");
}

TEST(Symmetry, AnExchangeHasAClassOfChannelsForEachKindOfRoute) {
  const workload::Workload workload =
      collective_of(16, "all_to_all, algorithm: direct, size: 16 kB");
  EXPECT_EQ(classes_of(workload, switch_of(16)), "1 1 1");
  // Inside the server or over the core; links inside and outside.
  EXPECT_EQ(classes_of(workload, cluster_of(16)), "1 2 2");
  // Under the same edge switch, in the same pod, elsewhere; links of three layers.
  EXPECT_EQ(
      classes_of(workload, fabric::fabric_of("kind: fat_tree, radix: 4, bandwidth: 8 Gbps", 16)),
      "1 3 3");
}

TEST(Symmetry, ReplicasAreEquivalent) {
  const workload::Workload workload =
      collective_of(16, "all_reduce, algorithm: ring, size: 8 kB", 4);
  // Links inside servers are used, those outside are not.
  EXPECT_EQ(classes_of(workload, cluster_of(16)), "1 2 1");
}

TEST(Symmetry, OneSlowLinkSplitsItsOwnRingAndNoOther) {
  const workload::Workload single = collective_of(8, "all_reduce, algorithm: ring, size: 8 kB");
  fabric::Network network = switch_of(8);
  network.links[5].bandwidth = 4_Gbps;
  EXPECT_EQ(classes_of(single, network), "none");
  const workload::Workload replicas =
      collective_of(16, "all_reduce, algorithm: ring, size: 8 kB", 4);
  network = cluster_of(16);
  network.links[2].bandwidth = 4_Gbps;  // link of device 0 inside its server
  const auto it = find_symmetry(replicas, network, {});
  ASSERT_TRUE(it.has_value());
  EXPECT_EQ(it->device_class, (std::vector{0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}));
}

TEST(Symmetry, ALinkThatWillBeSlowerIsNotEquivalentToTheOthersNow) {
  const workload::Workload workload = collective_of(8, "all_to_all, algorithm: direct, size: 8 kB");
  EXPECT_EQ(classes_of(workload, switch_of(8)), "1 1 1");
  // The device and the others; its uplink and downlink and those of the others; channels from it,
  // to it and between others.
  EXPECT_EQ(classes_of(workload, switch_of(8), {change(1_us, 0, 4_Gbps)}), "2 4 3");
}

TEST(Symmetry, ALinkThatCarriesNothingBreaksNoSymmetry) {
  const workload::Workload workload =
      collective_of(16, "all_reduce, algorithm: ring, size: 8 kB", 4);
  fabric::Network network = cluster_of(16);
  network.links[0].bandwidth = 4_Gbps;  // link of device 0 to the core
  EXPECT_EQ(classes_of(workload, network), "1 3 1");
}

TEST(Symmetry, UnequalBlocksSplitTheRanksOfARingButNotItsReplicas) {
  EXPECT_EQ(classes_of(collective_of(8, "all_reduce, algorithm: ring, size: 8001 B"), switch_of(8)),
            "none");
  EXPECT_EQ(
      classes_of(collective_of(16, "all_reduce, algorithm: ring, size: 8001 B", 4), cluster_of(16)),
      "4 5 4");
}

TEST(Symmetry, AChainHasABeginningAndAnEnd) {
  EXPECT_EQ(classes_of(collective_of(8, "broadcast, algorithm: ring, size: 8 kB"), switch_of(8)),
            "none");
}

TEST(Symmetry, SourcesAreNotEquivalentToDestinations) {
  EXPECT_EQ(classes_of(collective_of(8, "point_to_point, size: 8 kB", 2), switch_of(8)), "2 2 1");
}

TEST(Symmetry, ADeviceMissingFromAComputationIsNotEquivalentToTheOthers) {
  const workload::Workload workload =
      workload_of(16,
                  {"name: c, compute: 1 us, groups: most",
                   "collective: all_reduce, algorithm: ring, size: 8 kB, groups: rows, after: c"},
                  "groups: [{name: most, members: 0-14}, {name: rows, size: 4, members: 0-15}]\n");
  const auto it = find_symmetry(workload, cluster_of(16), {});
  ASSERT_TRUE(it.has_value());
  EXPECT_EQ(it->device_class, (std::vector{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}));
}

TEST(Symmetry, CollectivesWithTheSameGraphShareOneShape) {
  const workload::Workload workload =
      workload_of(8,
                  {"collective: all_gather, algorithm: ring, size: 8 kB, groups: g",
                   "collective: reduce_scatter, algorithm: ring, size: 16 kB, groups: g",
                   "collective: reduce_scatter, algorithm: ring, size: 16001 B, groups: g",
                   "collective: all_to_all, algorithm: direct, size: 16 kB, groups: g",
                   "collective: all_reduce, algorithm: direct, size: 24 kB, groups: g"},
                  "groups: [{name: g, size: 4, members: 0-7}]\n");
  const Patterns patterns = patterns_of(workload);
  ASSERT_EQ(patterns.patterns.size(), 5U);
  EXPECT_EQ(patterns.patterns[0].shapes, std::vector{0});
  EXPECT_EQ(patterns.patterns[1].shapes, std::vector{0});
  EXPECT_EQ(patterns.patterns[2].shapes, std::vector{1});
  EXPECT_EQ(patterns.patterns[3].shapes, std::vector{2});
  EXPECT_EQ(patterns.patterns[4].shapes, (std::vector{2, 2}));
}

// Records the representatives and tasks that the engine reports.
class TaskRecorder final : public Observer {
 public:
  explicit TaskRecorder(bool each = false) : each_(each) {}
  bool wants_each() const override { return each_; }
  bool wants_tasks() const override { return true; }
  void task(const RankTaskRecord& it) override { ++tasks[it.device]; }
  void equivalent(std::span<const DeviceId> it) override {
    representatives.assign(it.begin(), it.end());
  }

  std::map<int, int> tasks;
  std::vector<int> representatives;

 private:
  bool each_;
};

TaskRecorder run(EngineOptions options, const fabric::Network& network, bool each = false,
                 const std::vector<LinkChange>& changes = {}) {
  TaskRecorder recorder(each);
  options.observer = &recorder;
  simulate_fluid(collective_of(16, "all_reduce, algorithm: ring, size: 8 kB", 4), network, changes,
                 options);
  return recorder;
}

TEST(Folding, ReportsTheFirstDeviceAndTheDevicesItRepresents) {
  const TaskRecorder it = run({}, cluster_of(16));
  EXPECT_EQ(it.representatives, std::vector<int>(16, 0));
  EXPECT_EQ(it.tasks, (std::map<int, int>{{0, 1}}));
}

TEST(Folding, IsSkippedIfDisabledOrImpossible) {
  EngineOptions unfolded;
  unfolded.folding = false;
  EngineOptions jitter;
  jitter.jitter = 0.1;
  const fabric::Network cluster = cluster_of(16);
  EXPECT_EQ(run(unfolded, cluster).tasks.size(), 16U);
  EXPECT_EQ(run(jitter, cluster).tasks.size(), 16U);
  EXPECT_EQ(run({}, cluster, true).tasks.size(), 16U);
  EXPECT_EQ(run({}, cluster, false, {change(1_us, 0, {0})}).tasks.size(), 16U);
  const fabric::Network hashed =
      fabric::fabric_of("kind: fat_tree, radix: 4, bandwidth: 8 Gbps, routing: ecmp", 16);
  EXPECT_EQ(run({}, hashed).tasks.size(), 16U);
}

TEST(Folding, ADeadlockIsReportedForTheDevicesThatWait) {
  const workload::Workload workload = workload_of(8,
                                                  {"name: a, compute: 1 us, groups: g, after: b",
                                                   "name: b, compute: 1 us, groups: g, after: a"},
                                                  "groups: [{name: g, members: 0-7}]\n");
  EngineOptions options;
  const Outcome once = simulate_fluid(workload, switch_of(8), {}, options);
  options.folding = false;
  const Outcome each = simulate_fluid(workload, switch_of(8), {}, options);
  ASSERT_TRUE(once.deadlock && each.deadlock);
  EXPECT_EQ(once.deadlock->waiting, each.deadlock->waiting);
}

}  // namespace
}  // namespace loom::simulate
