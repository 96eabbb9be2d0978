#include "loom/fabric/circuits/provision/arc_coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "loom/base/random.h"

namespace loom::fabric {
namespace {

// Whether no segment has two arcs of one color.
bool proper(int segments, const std::vector<Arc>& arcs, const ArcColoring& coloring) {
  std::set<std::pair<int, int>> taken;
  for (int i = 0; i < static_cast<int>(arcs.size()); ++i) {
    for (int step = 0; coloring.color(i) >= 0 && step < arcs[i].length; ++step) {
      const int at = (arcs[i].first + step) % segments;
      if (!taken.insert({at, coloring.color(i)}).second) return false;
    }
  }
  return true;
}

int load_of(int segments, const std::vector<Arc>& arcs) {
  std::vector<int> load(static_cast<std::size_t>(segments), 0);
  for (const Arc& it : arcs) {
    for (int step = 0; step < it.length; ++step) ++load[(it.first + step) % segments];
  }
  return *std::max_element(load.begin(), load.end());
}

std::vector<Arc> random_arcs(Random& random, int segments, int longest, int number) {
  std::vector<Arc> arcs(static_cast<std::size_t>(number));
  for (Arc& it : arcs) {
    it.first = static_cast<int>(random(static_cast<unsigned>(segments)));
    it.length = 1 + static_cast<int>(random(static_cast<unsigned>(longest)));
  }
  return arcs;
}

int left_out(const std::vector<Arc>& arcs, ArcColoring& coloring) {
  for (const Arc& it : arcs) coloring.add(it);
  coloring.color_all();
  int without = 0;
  for (int i = 0; i < coloring.arcs(); ++i) without += coloring.color(i) < 0;
  return without;
}

TEST(ArcColoring, AnArcGetsTheFirstColorThatIsFreeForIt) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int segments = 2 + static_cast<int>(random(20));
    const int colors = std::array{1, 7, 63, 64, 65, 128, 200}[seed % 7];
    ArcColoring coloring(segments, colors);
    for (const Arc& it : random_arcs(random, segments, segments, 3 * colors)) {
      const int arc = coloring.add(it);
      int first = 0;
      while (first < colors && !coloring.conflicting_arcs(arc, first).empty()) ++first;
      ASSERT_EQ(coloring.place(arc), first < colors);
      ASSERT_EQ(coloring.color(arc), first < colors ? first : -1);
      const int other = static_cast<int>(random(static_cast<unsigned>(arc + 1)));
      if (random(3) == 0 && coloring.color(other) >= 0) coloring.remove(other);
    }
  }
}

TEST(ArcColoring, IsProper) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int segments = 2 + static_cast<int>(random(30));
    const std::vector<Arc> arcs =
        random_arcs(random, segments, segments - 1, static_cast<int>(random(100)));
    ArcColoring coloring(segments, 1 + static_cast<int>(random(12)));
    left_out(arcs, coloring);
    ASSERT_TRUE(proper(segments, arcs, coloring));
  }
}

TEST(ArcColoring, OnALineNeedsAsManyColorsAsTheLoad) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<Arc> arcs = random_arcs(random, 30, 9, 60);
    for (Arc& it : arcs) it.length = std::min(it.length, 30 - it.first);  // no arc wraps around
    ArcColoring coloring(30, load_of(30, arcs));
    ASSERT_EQ(left_out(arcs, coloring), 0);
  }
}

TEST(ArcColoring, WithTwiceTheLoadLeavesNoneOut) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::vector<Arc> arcs = random_arcs(random, 16, 15, 40);
    ArcColoring coloring(16, 2 * load_of(16, arcs));
    ASSERT_EQ(left_out(arcs, coloring), 0);
  }
}

TEST(ArcColoring, OfShortArcsOnALongRingNeedsAsManyColorsAsTheLoad) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<Arc> arcs;
    std::vector<int> load(256, 0);
    for (const Arc& it : random_arcs(random, 256, 8, 20'000)) {  // a ring nearly full
      int max_load = 0;
      for (int step = 0; step < it.length; ++step) {
        max_load = std::max(max_load, load[(it.first + step) % 256]);
      }
      if (max_load >= 24) continue;
      for (int step = 0; step < it.length; ++step) ++load[(it.first + step) % 256];
      arcs.push_back(it);
    }
    ArcColoring coloring(256, 24);
    EXPECT_EQ(left_out(arcs, coloring), 0);
  }
}

TEST(ArcColoring, FindsThatThreeArcsThatOverlapInPairsNeedThree) {
  const std::vector<Arc> arcs = {{0, 3}, {2, 3}, {4, 3}};
  ArcColoring two(6, 2);
  EXPECT_EQ(left_out(arcs, two), 1);
  ArcColoring three(6, 3);
  EXPECT_EQ(left_out(arcs, three), 0);
}

TEST(ArcColoring, KnowsTheConflictingArcs) {
  ArcColoring coloring(6, 1);
  const int a = coloring.add({0, 2});
  const int b = coloring.add({1, 2});
  const int c = coloring.add({3, 1});
  const int d = coloring.add({2, 3});
  const int e = coloring.add({3, 5});
  EXPECT_TRUE(coloring.place(a));
  EXPECT_FALSE(coloring.place(b));
  EXPECT_TRUE(coloring.place(c));
  EXPECT_EQ(coloring.conflicting_arcs(b, 0), std::vector<int>{a});
  EXPECT_EQ(coloring.conflicting_arcs(d, 0), std::vector<int>{c});
  EXPECT_EQ(coloring.conflicting_arcs(e, 0), (std::vector<int>{c, a}));
  coloring.remove(a);
  EXPECT_TRUE(coloring.place(b));
  EXPECT_EQ(coloring.conflicting_arcs(d, 0), (std::vector<int>{b, c}));
  EXPECT_FALSE(coloring.add_if_free({1, 1}));
  EXPECT_TRUE(coloring.add_if_free({4, 3}));
  EXPECT_EQ(coloring.arcs(), 6);
}

}  // namespace
}  // namespace loom::fabric
