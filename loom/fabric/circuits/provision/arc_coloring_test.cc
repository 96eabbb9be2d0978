#include "loom/fabric/circuits/provision/arc_coloring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "loom/base/random.h"

namespace loom {
namespace {

// Whether no segment has a colour twice.
bool proper(int segments, const std::vector<Arc>& arcs, const ArcColouring& colouring) {
  std::set<std::pair<int, int>> taken;
  for (int i = 0; i < static_cast<int>(arcs.size()); ++i) {
    for (int step = 0; colouring.colour(i) >= 0 && step < arcs[i].length; ++step) {
      const int at = (arcs[i].first + step) % segments;
      if (!taken.insert({at, colouring.colour(i)}).second) return false;
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

int left_out(const std::vector<Arc>& arcs, ArcColouring& colouring) {
  for (const Arc& it : arcs) colouring.add(it);
  colouring.colour_all();
  int without = 0;
  for (int i = 0; i < colouring.arcs(); ++i) without += colouring.colour(i) < 0;
  return without;
}

TEST(ArcColouring, AnArcGetsTheFirstColourThatIsFreeForIt) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int segments = 2 + static_cast<int>(random(20));
    const int colours = std::array{1, 7, 63, 64, 65, 128, 200}[seed % 7];
    ArcColouring colouring(segments, colours);
    for (const Arc& it : random_arcs(random, segments, segments, 3 * colours)) {
      const int arc = colouring.add(it);
      int first = 0;
      while (first < colours && !colouring.conflicting_arcs(arc, first).empty()) ++first;
      ASSERT_EQ(colouring.place(arc), first < colours);
      ASSERT_EQ(colouring.colour(arc), first < colours ? first : -1);
      const int other = static_cast<int>(random(static_cast<unsigned>(arc + 1)));
      if (random(3) == 0 && colouring.colour(other) >= 0) colouring.remove(other);
    }
  }
}

TEST(ArcColouring, IsProper) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int segments = 2 + static_cast<int>(random(30));
    const std::vector<Arc> arcs =
        random_arcs(random, segments, segments - 1, static_cast<int>(random(100)));
    ArcColouring colouring(segments, 1 + static_cast<int>(random(12)));
    left_out(arcs, colouring);
    ASSERT_TRUE(proper(segments, arcs, colouring));
  }
}

TEST(ArcColouring, OnALineNeedsAsManyColoursAsTheLoad) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<Arc> arcs = random_arcs(random, 30, 9, 60);
    for (Arc& it : arcs) it.length = std::min(it.length, 30 - it.first);  // none over the cut
    ArcColouring colouring(30, load_of(30, arcs));
    ASSERT_EQ(left_out(arcs, colouring), 0);
  }
}

TEST(ArcColouring, WithTwiceTheLoadLeavesNoneOut) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::vector<Arc> arcs = random_arcs(random, 16, 15, 40);
    ArcColouring colouring(16, 2 * load_of(16, arcs));
    ASSERT_EQ(left_out(arcs, colouring), 0);
  }
}

TEST(ArcColouring, OfShortArcsOnALongRingComesToTheLoad) {
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
    ArcColouring colouring(256, 24);
    EXPECT_EQ(left_out(arcs, colouring), 0);
  }
}

TEST(ArcColouring, FindsThatThreeArcsThatOverlapInPairsNeedThree) {
  const std::vector<Arc> arcs = {{0, 3}, {2, 3}, {4, 3}};
  ArcColouring two(6, 2);
  EXPECT_EQ(left_out(arcs, two), 1);
  ArcColouring three(6, 3);
  EXPECT_EQ(left_out(arcs, three), 0);
}

TEST(ArcColouring, KnowsTheArcsInTheWay) {
  ArcColouring colouring(6, 1);
  const int a = colouring.add({0, 2});
  const int b = colouring.add({1, 2});
  const int c = colouring.add({3, 1});
  const int d = colouring.add({2, 3});
  const int e = colouring.add({3, 5});
  EXPECT_TRUE(colouring.place(a));
  EXPECT_FALSE(colouring.place(b));
  EXPECT_TRUE(colouring.place(c));
  EXPECT_EQ(colouring.conflicting_arcs(b, 0), std::vector<int>{a});
  EXPECT_EQ(colouring.conflicting_arcs(d, 0), std::vector<int>{c});
  EXPECT_EQ(colouring.conflicting_arcs(e, 0), (std::vector<int>{c, a}));
  colouring.remove(a);
  EXPECT_TRUE(colouring.place(b));
  EXPECT_EQ(colouring.conflicting_arcs(d, 0), (std::vector<int>{b, c}));
  EXPECT_FALSE(colouring.add_if_free({1, 1}));
  EXPECT_TRUE(colouring.add_if_free({4, 3}));
  EXPECT_EQ(colouring.arcs(), 6);
}

}  // namespace
}  // namespace loom
