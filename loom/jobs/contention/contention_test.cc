#include "loom/jobs/contention/contention.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "loom/transport/max_min.h"

namespace loom::jobs {
namespace {

Contention on_one_link(double capacity, const std::vector<double>& rates) {
  Contention all;
  all.capacity = {capacity};
  for (const double rate : rates) {
    Sender sender{.rate = rate, .left = 1e12, .bits = rate};
    sender.first_hop = all.hops.size();
    sender.hop_count = 1;
    all.hops.push_back({0, 1});
    all.senders.push_back(sender);
  }
  return all;
}

std::vector<double> filled(const Contention& all, const std::vector<double>& weights) {
  std::vector<double> speeds(all.senders.size());
  Filling().fill(all, weights, speeds);
  return speeds;
}

TEST(Contention, EqualSendersShareALinkEqually) {
  EXPECT_EQ(filled(on_one_link(50, {50, 50}), {1, 1}), (std::vector<double>{0.5, 0.5}));
}

TEST(Contention, SharesAreProportionalToTheWeights) {
  const auto speeds = filled(on_one_link(50, {50, 50}), {60, 40});
  EXPECT_DOUBLE_EQ(speeds[0], 0.6);
  EXPECT_DOUBLE_EQ(speeds[1], 0.4);
}

TEST(Contention, ASenderBelowItsShareLeavesTheRestToOthers) {
  const auto speeds = filled(on_one_link(50, {10, 50, 50}), {1, 1, 1});
  EXPECT_DOUBLE_EQ(speeds[0], 1);
  EXPECT_DOUBLE_EQ(speeds[1], 0.4);
  EXPECT_DOUBLE_EQ(speeds[2], 0.4);
}

TEST(Contention, UnderStrictPriorityTheFirstGetsItsFullRate) {
  std::vector<double> speeds(3);
  fill_in_order(on_one_link(50, {40, 50, 50}), std::vector<int>{0, 2, 1}, speeds);
  EXPECT_EQ(speeds, (std::vector<double>{1, 0, 0.2}));
}

// The engine's max-min allocation of the same problem: one flow per sender, with a private link as
// its rate limit.
std::vector<double> by_max_min(const Contention& all, const std::vector<int>& weights) {
  std::vector<fabric::Link> links;
  for (const double it : all.capacity) {
    links.push_back({.bandwidth = {static_cast<std::int64_t>(it)}});
  }
  for (const Sender& it : all.senders) {
    links.push_back({.bandwidth = {static_cast<std::int64_t>(it.rate)}});
  }
  transport::MaxMin sharing(links);
  std::vector<FlowId> flows;
  for (std::size_t i = 0; i < all.senders.size(); ++i) {
    std::vector<fabric::Hop> path = {{.link = LinkId(all.capacity.size() + i)}};
    for (const LinkFraction& it : all.path(all.senders[i])) {
      path.push_back(
          {.link = LinkId(it.link), .share = static_cast<std::uint64_t>(it.of * fabric::kWhole)});
    }
    flows.push_back(sharing.add(path, weights[i]));
  }
  sharing.solve();
  std::vector<double> speeds;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const transport::Rate rate = sharing.rate(flows[i]);
    speeds.push_back(static_cast<double>(rate.numerator) / static_cast<double>(rate.denominator) /
                     transport::kRateUnit / all.senders[i].rate);
  }
  return speeds;
}

TEST(Contention, AgreesWithTheExactMaxMinOfTheEngine) {
  constexpr std::uint64_t kSeed = 20221;
  Random random = random_stream(kSeed);
  for (int instance = 0; instance < 500; ++instance) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", instance " << instance);
    Contention all;
    const int links = 1 + static_cast<int>(random(5));
    for (int i = 0; i < links; ++i) all.capacity.push_back((1 + random(8)) * 1e9);
    std::vector<int> weights;
    const int senders = 2 + static_cast<int>(random(8));
    for (int i = 0; i < senders; ++i) {
      Sender sender{.rate = (1 + random(16)) * 5e8, .first_hop = all.hops.size()};
      for (int link = 0; link < links; ++link) {
        if (random(2) == 0) all.hops.push_back({link, (1 + random(4)) / 4.0});
      }
      sender.hop_count = all.hops.size() - sender.first_hop;
      all.senders.push_back(sender);
      weights.push_back(1 + static_cast<int>(random(9)));
    }
    const auto ours = filled(all, {weights.begin(), weights.end()});
    const auto exact = by_max_min(all, weights);
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], exact[i], 1e-9);
  }
}

}  // namespace
}  // namespace loom::jobs
