// Invalid workloads and their error messages.
#include <gtest/gtest.h>

#include "loom/base/error.h"
#include "loom/workload/workload.h"

namespace loom::workload {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_workload(text, "w.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The error for a workload of 8 devices whose only operation is on line 5.
std::string refused_operation(const std::string& operation) {
  return refusal("devices: 8\ngroups:\n  - {name: g, size: 4, members: 0-7}\noperations:\n  - {" +
                 operation + "}\n");
}

std::string refused_group(const std::string& group) {
  return refusal("devices: 8\ngroups:\n  - {" + group + "}\noperations: []\n");
}

TEST(WorkloadParse, TheTopLevelMapIsChecked) {
  EXPECT_EQ(refusal(""), "w.yaml:1: the file is empty");
  EXPECT_EQ(refusal("- 1\n"), "w.yaml:1: a workload is a map of devices, groups and operations");
  EXPECT_EQ(refusal("operations: []\n"), "w.yaml:1: workload lacks 'devices' (number of devices)");
  EXPECT_EQ(refusal("devices: 0\n"), "w.yaml:1: workload.devices is 0; at least 1 is needed");
  EXPECT_EQ(refusal("devices: 1048577\n"),
            "w.yaml:1: workload.devices is 1048577; at most 1048576 is possible");
  EXPECT_EQ(refusal("devices: 8\noperation: []\n"),
            "w.yaml:2: workload has no key 'operation' (did you mean 'operations'?); known are "
            "groups, operations, devices");
  EXPECT_EQ(refusal("devices: 8\noperations: 3\n"),
            "w.yaml:2: operations is not a list; a list of maps is needed");
  EXPECT_EQ(refusal("devices: 8\noperations:\n  - 3\n"),
            "w.yaml:3: an entry of operations is not a map; {key: value, …} is needed");
  EXPECT_EQ(refusal("devices: 8\n"), "accepted");
}

TEST(WorkloadParse, GroupsAreChecked) {
  EXPECT_EQ(refused_group("name: g, members: 0-8"),
            "w.yaml:3: group.members is 0-8; devices are 0 to 7");
  EXPECT_EQ(refused_group("name: g, size: 3, members: 0-7"),
            "w.yaml:3: group.size is 3; a divisor of the 8 members is needed");
  EXPECT_EQ(refused_group("name: g, members: 0-7 3"),
            "w.yaml:3: group.members is 0-7 3; 3 appears twice; once is enough");
  EXPECT_EQ(refused_group("members: 0-7"),
            "w.yaml:3: group lacks 'name' (name of the group, used by operations)");
  EXPECT_EQ(refused_group("name: a b, members: 0-7"),
            "w.yaml:3: group.name is a b; at most 200 bytes, no spaces and no leading '#' are "
            "needed");
  EXPECT_EQ(refusal("devices: 8\ngroups:\n  - {name: g, members: 0}\n  - {name: g, members: 1}\n"),
            "w.yaml:4: group.name is g; a unique name is needed");
}

TEST(WorkloadParse, AnOperationHasOneKind) {
  EXPECT_EQ(refused_operation("name: x"),
            "w.yaml:5: operation has no kind; one of the keys compute, message, receive, "
            "collective is needed");
  EXPECT_EQ(refused_operation("compute: 1 s, message: 0 -> 1, device: 0"),
            "w.yaml:5: operation has no key 'message'; known are compute, device, groups, name, "
            "start, after");
}

TEST(WorkloadParse, MessagesAreChecked) {
  EXPECT_EQ(refused_operation("message: 0 -> 8, size: 1 B"),
            "w.yaml:5: operation.message is 0 -> 8; devices are 0 to 7");
  EXPECT_EQ(refused_operation("message: -1 -> 1, size: 1 B"),
            "w.yaml:5: operation.message is -1 -> 1; devices are 0 to 7");
  for (const std::string pair : {"0", "0 -> ", "-> 1", "3 -> 3", "0 -> 1 -> 2", "a -> b"}) {
    EXPECT_EQ(refused_operation("message: \"" + pair + "\", size: 1 B"),
              "w.yaml:5: operation.message is " + pair +
                  "; two different devices are needed, such as 0 -> 1");
  }
  EXPECT_EQ(refused_operation("message: 0 -> 1, size: 5"),
            "w.yaml:5: operation.size is 5; a size needs one of the units B, kB, MB, GB, TB, PB, "
            "KB, KiB, MiB, GiB, TiB");
  EXPECT_EQ(refused_operation("message: 0 -> 1, size: 5 B, weight: 0"),
            "w.yaml:5: operation.weight is 0; at least 1 is needed");
}

TEST(WorkloadParse, AComputationNeedsGroupsOrADevice) {
  EXPECT_EQ(refused_operation("compute: 1 s"),
            "w.yaml:5: operation has neither groups nor device; one of them is needed");
  EXPECT_EQ(refused_operation("compute: 1 s, groups: g, device: 1"),
            "w.yaml:5: operation has both groups and device; one of them is needed");
  EXPECT_EQ(refused_operation("compute: 1 s, groups: h"),
            "w.yaml:5: operation.groups is h; the name of an entry of groups is needed");
  EXPECT_EQ(refused_operation("compute: 1 s, device: 8"),
            "w.yaml:5: operation.device is 8; devices are 0 to 7");
}

TEST(WorkloadParse, CollectivesAreChecked) {
  EXPECT_EQ(refused_operation("collective: allreduce, size: 1 B, groups: g"),
            "w.yaml:5: operation.collective is allreduce; one of all_reduce, reduce_scatter, "
            "all_gather, all_to_all, broadcast, point_to_point is needed (did you mean "
            "'all_reduce'?)");
  EXPECT_EQ(
      refused_operation("collective: all_reduce, algorithm: rnig, size: 1 B, groups: g"),
      "w.yaml:5: operation.algorithm is rnig; one of ring, bidirectional_ring, "
      "double_binary_tree, halving_doubling, direct, pairwise, hierarchical, rings, line is needed "
      "(did you mean 'ring'?)");
  EXPECT_EQ(refused_operation("collective: all_reduce, algorithm: rings, size: 1 B, groups: g"),
            "w.yaml:5: steps is empty; the step of each ring is needed");
  EXPECT_EQ(
      refused_operation("collective: all_reduce, algorithm: pairwise, size: 1 B, groups: g"),
      "w.yaml:5: all_reduce by pairwise; one of ring, bidirectional_ring, double_binary_tree, "
      "halving_doubling, direct, hierarchical, rings, line is needed");
  EXPECT_EQ(refused_operation("collective: all_reduce, groups: g"),
            "w.yaml:5: a collective lacks 'size' (full buffer size of one rank)");
  EXPECT_EQ(refused_operation("collective: all_reduce, size: 1 B, groups: g, levels: 2 2"),
            "w.yaml:5: operation.levels is 2 2; positive integers separated by x are needed, "
            "such as 8x16");
  EXPECT_EQ(refused_operation("collective: all_to_all, groups: g, sizes: 1 2 / 3"),
            "w.yaml:5: operation.sizes is 1 2 / 3; a square matrix of bytes is needed, "
            "such as 0 5 / 7 0");
  EXPECT_EQ(refused_operation("collective: all_to_all, groups: g, sizes: 1 2 / 3 4"),
            "w.yaml:5: 4 sizes; 4 ranks need 16");
  EXPECT_EQ(
      refused_operation("collective: all_to_all, ranks: 0 1, sizes: 1 1000000000000000 / 3 4"),
      "w.yaml:5: size is 1000000000000001 B; from 0 B to 1 PB is needed");
}

TEST(WorkloadParse, NamesAndWaitsAreChecked) {
  const std::string head = "devices: 8\noperations:\n";
  EXPECT_EQ(refused_operation("name: a b, compute: 1 s, device: 0"),
            "w.yaml:5: operation.name is a b; at most 200 bytes, no spaces and no leading '#' are "
            "needed");
  EXPECT_EQ(refused_operation("name: \"#1\", compute: 1 s, device: 0"),
            "w.yaml:5: operation.name is #1; at most 200 bytes, no spaces and no leading '#' are "
            "needed");
  EXPECT_EQ(refusal(head + "  - {name: forward, compute: 1 s, device: 0}\n" +
                    "  - {compute: 1 s, device: 0, after: foward}\n"),
            "w.yaml:4: operation.after is foward; no operation is called foward (did you mean "
            "'forward'?)");
  EXPECT_EQ(refusal(head + "  - {compute: 1 s, device: 0, after: \"#1\"}\n"),
            "w.yaml:3: operation.after is #1; no operation is called #1");
  EXPECT_EQ(refusal(head + "  - {name: a, compute: 1 s, device: 0}\n" +
                    "  - {name: a, compute: 1 s, device: 0}\n"),
            "w.yaml:4: operation.name is a; a unique name is needed");
}

TEST(WorkloadParse, AMessageIsBehindOneOther) {
  const std::string head =
      "devices: 8\noperations:\n"
      "  - {name: a, message: 0 -> 1, size: 1 B, behind: b}\n"
      "  - {name: b, message: 0 -> 1, size: 1 B}\n";
  EXPECT_EQ(refusal(head), "accepted");
  EXPECT_EQ(refusal(head + "  - {name: c, message: 0 -> 1, size: 1 B, behind: c}\n"),
            "w.yaml:5: operation.behind is c; another message is needed");
  EXPECT_EQ(refusal(head + "  - {name: c, message: 0 -> 1, size: 1 B, behind: d}\n" +
                    "  - {name: d, compute: 1 s, device: 0}\n"),
            "w.yaml:5: operation.behind is d; another message is needed");
  EXPECT_EQ(refusal(head + "  - {name: c, message: 0 -> 1, size: 1 B, behind: b}\n"),
            "w.yaml:5: operation.behind is b; another message is already behind it; at most one is "
            "possible");
  EXPECT_EQ(refusal(head + "  - {name: c, message: 0 -> 1, size: 1 B, behind: xyz}\n"),
            "w.yaml:5: operation.behind is xyz; no operation is called xyz");
}

TEST(WorkloadParse, WaitsMayPointForwardAndFormCycles) {
  EXPECT_EQ(refusal("devices: 8\noperations:\n"
                    "  - {name: a, compute: 1 s, device: 0, after: b}\n"
                    "  - {name: b, compute: 1 s, device: 0, after: a b}\n"),
            "accepted");
}

TEST(WorkloadParse, AFewLinesCannotFillTheMemory) {
  std::string text = "devices: 1048576\ngroups:\n";
  for (int i = 0; i < 17; ++i)
    text += "  - {name: g" + std::to_string(i) + ", members: 0-1048575}\n";
  EXPECT_EQ(refusal(text),
            "w.yaml:19: group.members is 0-1048575; at most 16777216 members in all groups "
            "together are possible");
}

}  // namespace
}  // namespace loom::workload
