#include "loom/workload/ranks.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::workload {
namespace {

std::vector<int> parsed(std::string_view text) {
  std::string why;
  const auto ranks = parse_ranks(text, why);
  EXPECT_TRUE(ranks) << why;
  return ranks.value_or(std::vector<int>{});
}

std::string refusal(std::string_view text) {
  std::string why;
  return parse_ranks(text, why) ? "accepted" : why;
}

TEST(Ranks, AreNumbersRangesAndStrides) {
  EXPECT_EQ(parsed("5"), (std::vector<int>{5}));
  EXPECT_EQ(parsed("0-3,8,6-7"), (std::vector<int>{0, 1, 2, 3, 8, 6, 7}));
  EXPECT_EQ(parsed("0-24/8"), (std::vector<int>{0, 8, 16, 24}));
  EXPECT_EQ(parsed("1-6/2"), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(parsed(" 0 , 1  2-3 "), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Ranks, AreWrittenCompactly) {
  EXPECT_EQ(ranks_text(std::vector<int>{0, 1, 2, 3, 8, 6, 7}), "0-3,8,6-7");
  EXPECT_EQ(ranks_text(std::vector<int>{0, 8, 16, 24, 1, 9}), "0-24/8,1,9");
  EXPECT_EQ(ranks_text(std::vector<int>{3, 2, 1}), "3,2,1");
  EXPECT_EQ(ranks_text(std::vector<int>{}), "");
}

TEST(Ranks, AnyOrderParsesBack) {
  Random random = random_stream(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> ranks;
    for (int rank = static_cast<int>(random(5)); rank < 60;
         rank += 1 + static_cast<int>(random(4))) {
      ranks.push_back(rank);
    }
    for (std::size_t i = 0; round % 2 == 1 && i < ranks.size(); ++i) {
      std::swap(ranks[i], ranks[random(static_cast<std::uint32_t>(ranks.size()))]);
    }
    EXPECT_EQ(parsed(ranks_text(ranks)), ranks);
  }
}

TEST(Ranks, TextThatIsNotAListOfRanksIsRefused) {
  const std::string form = "ranks are written as 0-7,16,24-31 or 0-56/8";
  for (const std::string_view text : {"", " ", "a", "-1", "0-", "0-7/", "0..7", "1,,2", "1,", ",1",
                                      "0-7/-1", "1 - 3", "99999999999", "0x1", "1/2/3"}) {
    EXPECT_EQ(refusal(text), form) << text;
  }
  EXPECT_EQ(refusal("7-3"), "7-3 runs backward; the smaller number must come first");
  EXPECT_EQ(refusal("0-7/0"), "a stride is at least 1");
  EXPECT_EQ(refusal("0-3,2"), "2 appears twice; once is enough");
  EXPECT_EQ(refusal("1048576"), "the largest number is 1048575");
  EXPECT_EQ(refusal("0-1048575,0"), "at most 1048576 numbers are possible");
  EXPECT_EQ(parsed("0-1048575").size(), 1048576U);
  EXPECT_EQ(parsed("5-1048575/2000000000"), (std::vector<int>{5}));
}

}  // namespace
}  // namespace loom::workload
