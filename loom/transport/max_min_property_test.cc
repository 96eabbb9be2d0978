// Max-min fairness checked by its definition on random networks: no link exceeds its capacity, and
// every flow has a full link on which no flow has a higher level. Only one sharing has both
// properties, so the test needs no reference solver.
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"
#include "loom/transport/max_min.h"

namespace loom::transport {
namespace {

struct RandomFlow {
  std::vector<fabric::Hop> path;
  int weight = 1;
  FlowId id{-1};
};

// Links and flows that are added, removed and changed.
class World {
 public:
  World(std::uint64_t number, bool split)
      : random_(random_stream(23, number)),
        split_(split),
        links_(random_links()),
        sharing_(links_) {}

  void change() {
    const auto what = random_(8);
    if (what == 0) {
      const LinkId link(random_(static_cast<std::uint32_t>(links_.size())));
      links_[link].bandwidth = random_(3) == 0 ? Bandwidth{0} : random_bandwidth();
      sharing_.set_capacity(link, links_[link].bandwidth);
    } else if (what < 3 && !flows_.empty()) {
      const auto gone = random_(static_cast<std::uint32_t>(flows_.size()));
      sharing_.remove(flows_[gone].id);
      flows_.erase(flows_.begin() + gone);
    } else {
      RandomFlow flow{random_path(), static_cast<int>(random_(2) == 0 ? 1 : 1 + random_(50))};
      flow.id = sharing_.add(flow.path, flow.weight);
      flows_.push_back(flow);
    }
  }

  void solve() { sharing_.solve(); }
  const MaxMin& sharing() const { return sharing_; }
  const std::vector<RandomFlow>& flows() const { return flows_; }
  const std::vector<fabric::Link>& links() const { return links_; }

  double rate(const RandomFlow& flow) const {
    const Rate rate = sharing_.rate(flow.id);
    return static_cast<double>(rate.numerator) / static_cast<double>(rate.denominator);
  }
  double level(const RandomFlow& flow) const { return rate(flow) / flow.weight; }

 private:
  Bandwidth random_bandwidth() { return {1'000'000'000 + std::int64_t{random_()} * 20}; }

  std::vector<fabric::Link> random_links() {
    std::vector<fabric::Link> links(3 + random_(10));
    for (fabric::Link& link : links) link.bandwidth = random_bandwidth();
    return links;
  }

  std::vector<fabric::Hop> random_path() {
    std::vector<fabric::Hop> path = {{LinkId(random_(static_cast<std::uint32_t>(links_.size())))}};
    for (LinkId link(0); link < static_cast<int>(links_.size()); ++link) {
      if (link == path[0].link || random_(3) != 0) continue;
      path.push_back({link, split_ ? fabric::kWhole / (1 + random_(64)) : fabric::kWhole});
    }
    return path;
  }

  Random random_;
  bool split_;
  std::vector<fabric::Link> links_;
  std::vector<RandomFlow> flows_;
  MaxMin sharing_;
};

double load(const World& world, LinkId link) {
  double sum = 0;
  for (const RandomFlow& flow : world.flows()) {
    for (const fabric::Hop& hop : flow.path) {
      if (hop.link == link) sum += world.rate(flow) * hop.share / fabric::kWhole;
    }
  }
  return sum;
}

double highest_level(const World& world, LinkId link) {
  double highest = 0;
  for (const RandomFlow& flow : world.flows()) {
    const bool here = std::any_of(flow.path.begin(), flow.path.end(),
                                  [&](const fabric::Hop& hop) { return hop.link == link; });
    if (here) highest = std::max(highest, world.level(flow));
  }
  return highest;
}

// Rates are rounded to 1/1024 bit/s; links here have a gigabit per second or more.
constexpr double kSlack = 1e-9;

bool is_bottleneck(const World& world, const RandomFlow& flow, LinkId link) {
  const auto capacity = static_cast<double>(world.sharing().capacity(link));
  return load(world, link) >= capacity * (1 - kSlack) &&
         world.level(flow) >= highest_level(world, link) * (1 - kSlack);
}

void expect_max_min(const World& world) {
  for (LinkId link(0); link < static_cast<int>(world.links().size()); ++link) {
    const auto capacity = static_cast<std::int64_t>(world.sharing().capacity(link));
    ASSERT_TRUE(world.sharing().load(link) <= capacity);
    ASSERT_LE(load(world, link), static_cast<double>(capacity) * (1 + 1e-14));
  }
  for (const RandomFlow& flow : world.flows()) {
    ASSERT_TRUE(std::any_of(flow.path.begin(), flow.path.end(), [&](const fabric::Hop& hop) {
      return is_bottleneck(world, flow, hop.link);
    }));
  }
}

// Compares with the same flows, all added at once to fresh links.
void expect_as_from_scratch(const World& world) {
  MaxMin fresh(world.links());
  std::vector<FlowId> ids;
  for (const RandomFlow& flow : world.flows()) ids.push_back(fresh.add(flow.path, flow.weight));
  fresh.solve();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_EQ(world.sharing().rate(world.flows()[i].id), fresh.rate(ids[i])) << "flow " << i;
  }
}

void live(std::uint64_t number, bool split) {
  World world(number, split);
  for (int round = 0; round < 60; ++round) {
    for (int changes = 0; changes <= round % 3; ++changes) world.change();
    world.solve();
    world.sharing().verify();
    SCOPED_TRACE("world " + std::to_string(number) + ", round " + std::to_string(round));
    ASSERT_NO_FATAL_FAILURE(expect_max_min(world));
    ASSERT_NO_FATAL_FAILURE(expect_as_from_scratch(world));
  }
}

TEST(MaxMinProperty, EveryFlowHasABottleneckAndNoLinkIsOverloadedAfterAnyChange) {
  for (std::uint64_t number = 0; number < 100; ++number) {
    ASSERT_NO_FATAL_FAILURE(live(number, false));
  }
}

TEST(MaxMinProperty, TheSameHoldsForDividedFlows) {
  for (std::uint64_t number = 100; number < 200; ++number) {
    ASSERT_NO_FATAL_FAILURE(live(number, true));
  }
}

}  // namespace
}  // namespace loom::transport
