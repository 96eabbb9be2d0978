#include "loom/base/ids.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace loom {
namespace {

TEST(Ids, AnIdIsMadeFromANumberOnlyExplicitly) {
  static_assert(std::is_constructible_v<LinkId, int>);
  static_assert(std::is_constructible_v<LinkId, std::size_t>);
  static_assert(!std::is_convertible_v<int, LinkId>);
  static_assert(!std::is_constructible_v<LinkId, double>);
  EXPECT_EQ(LinkId(), 0);
}

TEST(Ids, AnIdIsNotMadeFromAnotherKind) {
  static_assert(!std::is_convertible_v<DeviceId, LinkId>);
  static_assert(!std::is_constructible_v<LinkId, DeviceId>);
  static_assert(!std::is_assignable_v<LinkId&, FlowId>);
  static_assert(!std::is_constructible_v<DeviceId, NodeId>);
}

TEST(Ids, ADeviceIsANode) {
  static_assert(std::is_convertible_v<DeviceId, NodeId>);
  const NodeId node = DeviceId(3);
  EXPECT_EQ(node, 3);
}

TEST(Ids, AnIdIsAnIndexOfTheSizeOfItsNumber) {
  static_assert(sizeof(LinkId) == sizeof(int));
  static_assert(std::is_trivially_copyable_v<NodeId>);
  const std::vector<int> capacity = {10, 20, 30};
  int sum = 0;
  for (LinkId link(0); link < 3; ++link) sum += capacity[link];
  EXPECT_EQ(sum, 60);
}

TEST(Ids, AnIdIsWrittenAsItsNumber) {
  EXPECT_EQ(fmt::format("{} {}", OperationId(7), NodeId(-1)), "7 -1");
}

}  // namespace
}  // namespace loom
