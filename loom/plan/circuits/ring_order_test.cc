#include "loom/plan/circuits/ring_order.h"

#include <gtest/gtest.h>

#include "loom/fabric/testing.h"

namespace loom::plan {
namespace {

const workload::Collective kRing{workload::CollectiveKind::all_reduce, workload::Algorithm::ring,
                                 1_MB};
const workload::Collective kHalving{workload::CollectiveKind::all_reduce,
                                    workload::Algorithm::halving_doubling, 1_MB};

TEST(RingOrder, ARingFollowsTheNetworkAndKeepsItsFirstRank) {
  const fabric::Network network =
      fabric::fabric_of("kind: oddl, bandwidth: 1 Gbps", 8);  // rows of 4
  workload::Workload workload = collective_workload(kRing, {5, 4, 0, 1, 2, 3, 6, 7}, 8);
  workload = with_ring_order(std::move(workload), network);
  ASSERT_EQ(workload.groups.size(), 1U);
  const std::vector<int>& ring = workload.groups.front().members;
  EXPECT_EQ(ring.front(), 5);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const fabric::Route route = route_of(network, ring[i], ring[(i + 1) % ring.size()]);
    EXPECT_EQ(route.hops.size(), 2U);
  }
}

TEST(RingOrder, OtherAlgorithmsKeepTheirRanks) {
  const fabric::Network network = fabric::fabric_of("kind: oddl, bandwidth: 1 Gbps", 8);
  const workload::Workload before = collective_workload(kHalving, {5, 4, 0, 1, 2, 3, 6, 7}, 8);
  workload::Workload workload = before;
  workload = with_ring_order(std::move(workload), network);
  EXPECT_EQ(workload, before);
}

TEST(RingOrder, GroupsOfOtherOperationsStayUnchangedForThem) {
  const fabric::Network network = fabric::fabric_of("kind: oddl, bandwidth: 1 Gbps", 8);
  workload::Workload workload = collective_workload(kRing, {0, 1, 2, 3, 4, 5, 6, 7}, 8);
  workload.collectives.push_back(kHalving);
  workload.operations.push_back(workload.operations.front());
  workload.operations.back().collective = 1;
  const workload::Groups before = workload.groups.front();
  workload = with_ring_order(std::move(workload), network);
  ASSERT_EQ(workload.groups.size(), 2U);
  EXPECT_EQ(workload.groups.front(), before);
  EXPECT_EQ(workload.operations.front().groups, 1);
  EXPECT_EQ(workload.operations.back().groups, 0);
}

TEST(RingOrder, ANetworkWithoutAnOrderChangesNothing) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 1 Gbps", 4);
  const workload::Workload before = collective_workload(kRing, {3, 1, 0, 2}, 4);
  workload::Workload workload = before;
  workload = with_ring_order(std::move(workload), network);
  EXPECT_EQ(workload, before);
}

}  // namespace
}  // namespace loom::plan
