// After any history of changes, the rates are bit for bit those of a sharing built from scratch.
// Networks are large enough for all the shortcuts of solve(), and simple enough that many links
// have the same level.
#include <gtest/gtest.h>

#include <set>

#include "loom/base/random.h"
#include "loom/transport/max_min.h"

namespace loom::transport {
namespace {

constexpr int kCases = 700;  // per kind
constexpr int kRounds = 8;

struct Kind {
  bool is_switch = false;  // paths of two links, from and to a device; else of one to five links
  bool weighted = false;
  bool split = false;
};

struct Flow {
  std::vector<fabric::Hop> path;
  int weight = 1;
  FlowId id{-1};
};

class World {
 public:
  World(const Kind& kind, std::uint64_t number)
      : kind_(kind), random_(random_stream(29, number)), links_(random_links()), sharing_(links_) {
    const int flows = static_cast<int>(random_(300));
    for (int i = 0; i < flows; ++i) add();
    sharing_.solve();
  }

  void change() {
    const auto changes = 1 + random_(random_(4) == 0 ? 40 : 2);
    for (std::uint32_t i = 0; i < changes; ++i) {
      const auto what = random_(10);
      if (what == 0) {
        change_capacity();
      } else if (what < 6 && !flows_.empty()) {
        remove();
      } else {
        add();
      }
    }
    sharing_.solve();
  }

  void expect_as_anew() const {
    sharing_.verify();
    MaxMin anew(links_);
    std::vector<FlowId> ids;
    for (const Flow& flow : flows_) ids.push_back(anew.add(flow.path, flow.weight));
    anew.solve();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Rate mine = sharing_.rate(flows_[i].id);
      const Rate theirs = anew.rate(ids[i]);
      ASSERT_EQ(mine.numerator, theirs.numerator) << "flow " << i;
      ASSERT_EQ(mine.denominator, theirs.denominator) << "flow " << i;
      ASSERT_EQ(mine.error, theirs.error) << "flow " << i;
    }
    for (LinkId link(0); link < static_cast<int>(links_.size()); ++link) {
      ASSERT_TRUE(sharing_.load(link) == anew.load(link)) << "link " << link;
      ASSERT_TRUE(sharing_.load(link) <= sharing_.capacity(link)) << "link " << link;
    }
  }

 private:
  // Mostly one of three values, so that many links have the same bandwidth.
  Bandwidth random_bandwidth() {
    if (random_(4) == 0) return {1 + std::int64_t{random_()}};
    return {(1 + std::int64_t{random_(3)}) * 1'000'000'000};
  }

  std::vector<fabric::Link> random_links() {
    std::vector<fabric::Link> links(4 + 2 * random_(random_(2) == 0 ? 8 : 60));
    for (fabric::Link& link : links) link.bandwidth = random_bandwidth();
    links.push_back({NodeId(0), NodeId(1),
                     8_Gbps});  // unused; it has the max bandwidth, which sets the quantum
    return links;
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(links_.size()) - 1; }

  std::vector<fabric::Hop> random_path() {
    const std::uint32_t half = count() / 2;
    if (kind_.is_switch) {
      return {{LinkId(random_(half))}, {LinkId(half + random_(half))}};
    }
    std::set<LinkId> links;
    const std::uint32_t hops = 1 + random_(5);
    while (links.size() < std::min(hops, count())) links.insert(LinkId(random_(count())));
    std::vector<fabric::Hop> path;
    for (const LinkId link : links) {
      path.push_back({link, kind_.split && random_(2) == 0 ? fabric::kWhole / (1 + random_(64))
                                                           : fabric::kWhole});
    }
    return path;
  }

  void add() {
    Flow flow{random_path(), kind_.weighted ? 1 + static_cast<int>(random_(40)) : 1};
    flow.id = sharing_.add(flow.path, flow.weight);
    flows_.push_back(flow);
  }

  void remove() {
    const auto gone = random_(static_cast<std::uint32_t>(flows_.size()));
    sharing_.remove(flows_[gone].id);
    flows_[gone] = flows_.back();
    flows_.pop_back();
  }

  void change_capacity() {
    const LinkId link(random_(count()));
    links_[link].bandwidth = random_(3) == 0 ? Bandwidth{0} : random_bandwidth();
    sharing_.set_capacity(link, links_[link].bandwidth);
  }

  Kind kind_;
  Random random_;
  std::vector<fabric::Link> links_;
  std::vector<Flow> flows_;
  MaxMin sharing_;
};

void live(const Kind& kind, std::uint64_t first) {
  for (std::uint64_t number = first; number < first + kCases; ++number) {
    World world(kind, number);
    for (int round = 0; round < kRounds; ++round) {
      SCOPED_TRACE("seed 29, world " + std::to_string(number) + ", round " + std::to_string(round));
      ASSERT_NO_FATAL_FAILURE(world.expect_as_anew());
      world.change();
    }
  }
}

TEST(MaxMinAnew, OnASwitchRatesAreThoseOfASharingFromScratch) { live({.is_switch = true}, 0); }

TEST(MaxMinAnew, OnAnyPathsRatesAreThoseOfASharingFromScratch) { live({}, 10'000); }

TEST(MaxMinAnew, WeightedOnASwitchRatesAreThoseOfASharingFromScratch) {
  live({.is_switch = true, .weighted = true}, 20'000);
}

TEST(MaxMinAnew, WeightedAndDividedRatesAreThoseOfASharingFromScratch) {
  live({.weighted = true, .split = true}, 30'000);
}

}  // namespace
}  // namespace loom::transport
