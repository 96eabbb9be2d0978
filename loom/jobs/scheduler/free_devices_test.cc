#include "loom/jobs/scheduler/free_devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace loom::jobs {
namespace {

// The fewest racks over all choices of `count` free devices, by exhaustive search.
int fewest_racks(const std::vector<bool>& free, int count, int rack) {
  int best = 1 << 20;
  for (unsigned set = 0; set < (1U << free.size()); ++set) {
    std::vector<int> chosen;
    bool possible = true;
    for (std::size_t d = 0; d < free.size(); ++d) {
      if ((set >> d & 1U) == 0) continue;
      possible = possible && free[d];
      chosen.push_back(static_cast<int>(d));
    }
    if (possible && static_cast<int>(chosen.size()) == count) {
      best = std::min(best, racks_of(chosen, rack));
    }
  }
  return best;
}

std::vector<bool> random_free(Random& random, std::size_t devices) {
  std::vector<bool> free(devices);
  for (std::size_t d = 0; d < devices; ++d) free[d] = random(3) > 0;
  return free;
}

TEST(FreeDevices, LocalityFindsTheFewestRacksWhateverIsFree) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::vector<bool> free = random_free(random, 10);
    const int rack = 1 + static_cast<int>(random(5));
    const auto free_count = static_cast<int>(std::count(free.begin(), free.end(), true));
    for (int count = 1; count <= free_count; ++count) {
      const int fewest = fewest_racks(free, count, rack);
      const auto usual = choose_devices(free, count, rack, Nearness::racks, nullptr);
      const auto other = choose_devices(free, count, rack, Nearness::racks, &random);
      EXPECT_EQ(racks_of(usual, rack), fewest);
      EXPECT_EQ(racks_of(other, rack), fewest);
    }
  }
}

TEST(FreeDevices, ChosenDevicesAreFreeAndAscending) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::vector<bool> free = random_free(random, 24);
    const auto free_count = static_cast<std::uint32_t>(std::count(free.begin(), free.end(), true));
    const int count = static_cast<int>(random(free_count + 1));
    for (const Nearness nearness : {Nearness::any, Nearness::racks}) {
      const std::vector<int> chosen = choose_devices(free, count, 4, nearness, &random);
      EXPECT_EQ(static_cast<int>(chosen.size()), count);
      EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
      EXPECT_EQ(std::set<int>(chosen.begin(), chosen.end()).size(), chosen.size());
      for (const int it : chosen) EXPECT_TRUE(free[static_cast<std::size_t>(it)]);
    }
  }
}

TEST(FreeDevices, AJobThatFitsInARackTakesTheFullestOne) {
  std::vector<bool> free(12, true);
  free[0] = free[4] = free[5] = false;  // racks of 3, 2 and 4
  EXPECT_EQ(choose_devices(free, 2, 4, Nearness::racks, nullptr), (std::vector<int>{6, 7}));
  EXPECT_EQ(choose_devices(free, 3, 4, Nearness::racks, nullptr), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(choose_devices(free, 6, 4, Nearness::racks, nullptr),
            (std::vector<int>{6, 7, 8, 9, 10, 11}));
}

TEST(FreeDevices, CandidatesAreDistinctAndDisjointAndSpanNoMoreRacksThanTheFirst) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<bool> free(24, true);
    const std::vector<int> sizes = {5, 2, 7, 6};
    const std::vector<Placed> all = candidates(free, sizes, 4, Nearness::racks, 10, seed);
    ASSERT_FALSE(all.empty());
    EXPECT_LE(all.size(), 10U);
    const auto racks = [](const Placed& placed) {
      int sum = 0;
      for (const auto& it : placed) sum += racks_of(it, 4);
      return sum;
    };
    for (std::size_t a = 0; a < all.size(); ++a) {
      EXPECT_LE(racks(all[a]), racks(all[0]));
      std::set<int> used;
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        EXPECT_EQ(static_cast<int>(all[a][j].size()), sizes[j]);
        used.insert(all[a][j].begin(), all[a][j].end());
      }
      EXPECT_EQ(used.size(), 20U);
      for (std::size_t b = 0; b < a; ++b) EXPECT_NE(all[a], all[b]);
    }
    EXPECT_EQ(all, candidates(free, sizes, 4, Nearness::racks, 10, seed));
  }
}

}  // namespace
}  // namespace loom::jobs
