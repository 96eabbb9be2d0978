#include "loom/workload/flows.h"

#include <gtest/gtest.h>

#include "loom/base/error.h"

namespace loom::workload {
namespace {

std::string refusal(const std::string& text, int devices = 4) {
  try {
    parse_flows(text, "flows.csv", devices);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Flows, AreMessagesThatStartAtTheirStartTime) {
  const Workload workload = parse_flows(
      "start,source,destination,size\n1 us,0,3,4 KiB\n2.5 us,2,1,0 B\n", "flows.csv", 8);
  EXPECT_EQ(workload.devices, 8);
  ASSERT_EQ(workload.operations.size(), 2U);
  EXPECT_EQ(workload.operations[0], (Operation{.kind = OperationKind::message,
                                               .source = 0,
                                               .destination = 3,
                                               .size = 4_KiB,
                                               .start = 1_us}));
  EXPECT_EQ(workload.operations[1].start, 2500_ns);
}

TEST(Flows, UnitsMayBeInTheHeaderAndColumnsInAnyOrder) {
  const Workload workload = parse_flows(
      "size [B], weight, destination, source, start [ns]\n1500, 7, 1, 0, 20\n", "flows.csv", 2);
  EXPECT_EQ(workload.operations.at(0), (Operation{.kind = OperationKind::message,
                                                  .source = 0,
                                                  .destination = 1,
                                                  .size = 1500_B,
                                                  .start = 20_ns,
                                                  .weight = 7}));
}

TEST(Flows, WithoutANumberOfDevicesTheLargestDeviceNumberDecides) {
  EXPECT_EQ(parse_flows("start,source,destination,size\n0 s,3,11,1 B\n", "f", 0).devices, 12);
  EXPECT_EQ(parse_flows("start,source,destination,size\n", "f", 0).devices, 0);
}

TEST(Flows, WrongRowsAreRefusedWithTheirLine) {
  const std::string header = "start,source,destination,size\n";
  EXPECT_EQ(refusal(header + "0 s,0,1,1 B\n0 s,2,2,1 B\n"),
            "flows.csv:3: destination is 2; a device other than the source is needed");
  EXPECT_EQ(refusal(header + "0 s,0,4,1 B\n"),
            "flows.csv:2: destination is 4; at most 3 is possible");
  EXPECT_EQ(refusal(header + "0 s,-1,1,1 B\n"), "flows.csv:2: source is -1; at least 0 is needed");
  EXPECT_EQ(refusal(header + "0 s,1048576,1,1 B\n", 0),
            "flows.csv:2: source is 1048576; at most 1048575 is possible");
  EXPECT_EQ(refusal("start,source,destination,size,weight\n0 s,0,1,1 B,0\n"),
            "flows.csv:2: weight is 0; at least 1 is needed");
}

}  // namespace
}  // namespace loom::workload
