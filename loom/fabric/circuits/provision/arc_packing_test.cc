#include "loom/fabric/circuits/provision/arc_packing.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

struct Case {
  std::vector<ArcGroup> groups;
  std::vector<int> room;
};

Case random_case(Random& random) {
  Case it;
  const unsigned segments = 2 + random(7);
  std::set<std::pair<int, int>> seen;
  for (unsigned i = 0; i < 6; ++i) {
    const Arc arc{static_cast<int>(random(segments)), 1 + static_cast<int>(random(segments - 1))};
    if (!seen.insert({arc.first, arc.length}).second) continue;
    it.groups.push_back({.arc = arc, .count = 1 + static_cast<int>(random(2))});
  }
  for (unsigned s = 0; s < segments; ++s) it.room.push_back(static_cast<int>(random(4)));
  return it;
}

bool fits(const Case& it, const std::vector<int>& counts) {
  std::vector<int> left = it.room;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (int step = 0; step < it.groups[i].arc.length; ++step) {
      left[(it.groups[i].arc.first + step) % left.size()] -= counts[i];
    }
  }
  return *std::min_element(left.begin(), left.end()) >= 0;
}

int brute_force_max(const Case& it, std::vector<int>& counts, std::size_t at) {
  if (!fits(it, counts)) return 0;
  if (at == counts.size()) return std::accumulate(counts.begin(), counts.end(), 0);
  int max_count = 0;
  for (int count = 0; count <= it.groups[at].count; ++count) {
    counts[at] = count;
    max_count = std::max(max_count, brute_force_max(it, counts, at + 1));
  }
  counts[at] = 0;
  return max_count;
}

TEST(ArcPacking, RoundedDownIsTheMaxThatFits) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const Case it = random_case(random);
    std::int64_t work = 1'000'000;
    const auto packing = pack_arcs(it.groups, it.room, work);
    ASSERT_TRUE(packing.has_value());
    const std::int64_t max_count = packing->total / packing->laps;
    std::vector<int> none(it.groups.size(), 0);
    ASSERT_EQ(max_count, brute_force_max(it, none, 0));
    for (std::int64_t total = 0; total <= max_count; ++total) {
      const auto counts = rounded(*packing, it.groups, static_cast<int>(it.room.size()), total);
      ASSERT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), total);
      ASSERT_TRUE(fits(it, counts));
    }
  }
}

TEST(ArcPacking, TakesHalvesWhereTheyAreOptimal) {
  const std::vector<ArcGroup> groups = {{{0, 3}}, {{2, 3}}, {{4, 3}}};
  std::int64_t work = 1'000'000;
  const auto packing = pack_arcs(groups, std::vector<int>(6, 1), work);
  EXPECT_EQ(packing->total * 2, packing->laps * 3);
}

TEST(ArcPacking, EndsWhenTheWorkIsUsedUp) {
  std::int64_t work = 0;
  EXPECT_FALSE(pack_arcs({}, std::vector<int>(6, 1), work).has_value());
}

}  // namespace
}  // namespace loom::fabric
