#include "loom/transport/max_min.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loom::transport {
namespace {

using Links = std::vector<fabric::Link>;
using Ids = std::vector<int>;

constexpr std::int64_t kGbps = 1'000'000'000 * kRateUnit;  // in counts
constexpr std::uint32_t kHalf = fabric::kWhole / 2;

Links links_of(const std::vector<std::int64_t>& gbps) {
  Links links;
  for (const std::int64_t each : gbps)
    links.push_back({NodeId(0), NodeId(1), Bandwidth{each * 1'000'000'000}});
  return links;
}

// A path over these links.
std::vector<fabric::Hop> over(std::initializer_list<int> links) {
  std::vector<fabric::Hop> path;
  for (const int link : links) path.push_back({LinkId(link)});
  return path;
}

// Solves, and returns the flows whose rate may have changed.
Ids solved(MaxMin& sharing, int flows) {
  sharing.solve();
  const auto moved = sharing.moved_flows();
  const auto changed = sharing.changed_links();
  Ids ids;
  for (FlowId flow(0); flow < flows; ++flow) {
    const LinkId bottleneck = sharing.bottleneck(flow);
    if (std::count(moved.begin(), moved.end(), flow) > 0 ||
        std::count(changed.begin(), changed.end(), bottleneck) > 0) {
      ids.push_back(flow);
    }
  }
  return ids;
}

TEST(MaxMin, OneFlowGetsTheBandwidthOfItsBottleneck) {
  MaxMin sharing(links_of({5, 2, 3}));
  const FlowId flow = sharing.add(over({0, 1, 2}), 1);
  EXPECT_EQ(solved(sharing, 1), Ids{flow});
  EXPECT_EQ(sharing.rate(flow), (Rate{2 * kGbps, 1, 0}));
}

TEST(MaxMin, ThreeFlowsOnALinkGetExactlyAThirdEach) {
  MaxMin sharing(links_of({1}));
  for (int i = 0; i < 3; ++i) sharing.add(over({0}), 1);
  EXPECT_EQ(solved(sharing, 3), (Ids{0, 1, 2}));
  for (FlowId i(0); i < 3; ++i) EXPECT_EQ(sharing.rate(i), (Rate{kGbps, 3, 0}));
  EXPECT_TRUE(sharing.load(LinkId(0)) == kGbps);
}

// Bertsekas and Gallager, section 6.5.2: a long flow shares every link with a short one.
TEST(MaxMin, CapacityThatALongFlowCannotUseGoesToTheShortOnes) {
  MaxMin sharing(links_of({3, 1, 2}));
  const FlowId across = sharing.add(over({0, 1, 2}), 1);
  const FlowId first = sharing.add(over({0}), 1);
  const FlowId second = sharing.add(over({1}), 1);
  const FlowId third = sharing.add(over({2}), 1);
  sharing.solve();
  EXPECT_EQ(sharing.rate(across), (Rate{kGbps, 2, 0}));
  EXPECT_EQ(sharing.rate(first), (Rate{5 * kGbps, 2, 0}));
  EXPECT_EQ(sharing.rate(second), (Rate{kGbps, 2, 0}));
  EXPECT_EQ(sharing.rate(third), (Rate{3 * kGbps, 2, 0}));
}

TEST(MaxMin, WeightsDivideALinkInTheirProportion) {
  MaxMin sharing(links_of({1}));
  const FlowId heavier = sharing.add(over({0}), 60);
  const FlowId lighter = sharing.add(over({0}), 40);
  sharing.solve();
  EXPECT_EQ(sharing.rate(heavier), (Rate{6 * kGbps, 10, 0}));
  EXPECT_EQ(sharing.rate(lighter), (Rate{4 * kGbps, 10, 0}));
}

TEST(MaxMin, AWeightDoesNotHelpPastABottleneck) {
  MaxMin sharing(links_of({10, 1}));
  const FlowId heavier = sharing.add(over({0, 1}), 1'000'000);
  const FlowId lighter = sharing.add(over({0}), 1);
  sharing.solve();
  EXPECT_EQ(sharing.rate(heavier), (Rate{kGbps, 1, 0}));
  EXPECT_EQ(sharing.rate(lighter), (Rate{9 * kGbps, 1, 0}));
}

TEST(MaxMin, ADividedFlowIsAsFastAsItsSlowestSubflowAllows) {
  MaxMin sharing(links_of({10, 1, 3}));
  const FlowId flow =
      sharing.add(std::vector<fabric::Hop>{{LinkId(0)}, {LinkId(1), kHalf}, {LinkId(2), kHalf}}, 1);
  sharing.solve();
  EXPECT_EQ(sharing.rate(flow), (Rate{2 * kGbps, 1, 0}));
  EXPECT_TRUE(sharing.load(LinkId(1)) == kGbps);
  EXPECT_TRUE(sharing.load(LinkId(2)) == kGbps);
}

TEST(MaxMin, OnALinkADividedFlowCountsForItsShare) {
  MaxMin sharing(links_of({3, 100}));
  const FlowId whole = sharing.add(over({0}), 1);
  const FlowId split =
      sharing.add(std::vector<fabric::Hop>{{LinkId(0), kHalf}, {LinkId(1), kHalf}}, 1);
  sharing.solve();
  EXPECT_EQ(sharing.rate(whole), (Rate{2 * kGbps, 1, 0}));
  EXPECT_EQ(sharing.rate(split), (Rate{2 * kGbps, 1, 0}));
}

TEST(MaxMin, CapacityOfARemovedFlowGoesToTheOthers) {
  MaxMin sharing(links_of({1}));
  const FlowId gone = sharing.add(over({0}), 1);
  const FlowId stays = sharing.add(over({0}), 1);
  sharing.solve();
  sharing.remove(gone);
  EXPECT_EQ(solved(sharing, 2), Ids{stays});
  EXPECT_EQ(sharing.rate(stays), (Rate{kGbps, 1, 0}));
  EXPECT_EQ(sharing.add(over({0}), 1), gone) << "an id is reused";
}

TEST(MaxMin, FlowsThatShareNoLinkWithTheChangeStayUnchanged) {
  MaxMin sharing(links_of({1, 1}));
  sharing.add(over({0}), 1);
  sharing.solve();
  const FlowId elsewhere = sharing.add(over({1}), 1);
  EXPECT_EQ(solved(sharing, 2), Ids{elsewhere});
  EXPECT_EQ(std::vector<int>(sharing.filled_links().begin(), sharing.filled_links().end()), Ids{1});
  EXPECT_EQ(solved(sharing, 2), Ids{});
}

TEST(MaxMin, ALinkThatIsDownCarriesNothingUntilItIsUpAgain) {
  MaxMin sharing(links_of({1, 1}));
  const FlowId broken = sharing.add(over({0, 1}), 1);
  const FlowId other = sharing.add(over({1}), 1);
  sharing.solve();
  sharing.set_capacity(LinkId(0), {0});
  sharing.solve();
  EXPECT_EQ(sharing.rate(broken), (Rate{0, 1, 0}));
  EXPECT_EQ(sharing.rate(other), (Rate{kGbps, 1, 0}));
  sharing.set_capacity(LinkId(0), 1_Gbps);
  sharing.solve();
  EXPECT_EQ(sharing.rate(broken), (Rate{kGbps, 2, 0}));
  EXPECT_EQ(sharing.rate(other), (Rate{kGbps, 2, 0}));
}

TEST(MaxMin, TenThousandFlowsOfMaxWeightFitOnALink) {
  MaxMin sharing(links_of({1}));
  for (int flow = 0; flow < 10'000; ++flow) sharing.add(over({0}), 1'000'000);
  sharing.solve();
  EXPECT_EQ(sharing.rate(FlowId(9'999)), (Rate{kGbps, 10'000, 0}));
}

TEST(MaxMin, RoundedSharesNeverExceedTheCapacity) {
  // Sevenths of thirds of …: denominators exceed the range of a Rate.
  MaxMin sharing(links_of({1, 3, 7, 13, 29}));
  for (int link = 0; link < 5; ++link) {
    for (int flow = 0; flow < 7 + 4 * link; ++flow) {
      std::vector<fabric::Hop> path = over({link});
      if (link < 4 && flow % 2 == 0) path.push_back({LinkId(link + 1)});
      sharing.add(path, 1 + flow % 3);
    }
  }
  sharing.solve();
  sharing.verify();
}

}  // namespace
}  // namespace loom::transport
