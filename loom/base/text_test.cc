#include "loom/base/text.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

TEST(Text, PlainAndForeignLettersAreUtf8) {
  for (const std::string_view text :
       {"", "plain", "µs", "…", "日本", "\U0001F680", "\u07ff\uffff"}) {
    EXPECT_EQ(first_not_utf8(text), text.size()) << text;
  }
}

TEST(Text, TheFirstByteThatIsNoCharacterIsFound) {
  EXPECT_EQ(first_not_utf8("ab\xff"), 2U);
  EXPECT_EQ(first_not_utf8("a\x80"), 1U) << "continues nothing";
  EXPECT_EQ(first_not_utf8("a\xc3"), 1U) << "is cut off";
  EXPECT_EQ(first_not_utf8("a\xc3("), 1U) << "is not continued";
  EXPECT_EQ(first_not_utf8("\xe2\x80"), 0U) << "is cut off";
  EXPECT_EQ(first_not_utf8("\xc0\xaf"), 0U) << "is too long for its character";
  EXPECT_EQ(first_not_utf8("\xe0\x80\xaf"), 0U) << "is too long for its character";
  EXPECT_EQ(first_not_utf8("\xf0\x80\x80\xaf"), 0U) << "is too long for its character";
  EXPECT_EQ(first_not_utf8("\xed\xa0\x80"), 0U) << "is half a pair of UTF-16";
  EXPECT_EQ(first_not_utf8("\xf4\x90\x80\x80"), 0U) << "is beyond Unicode";
}

TEST(Text, MessagesQuoteTwoHundredBytesAtMost) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened(std::string(200, 'a')), std::string(200, 'a'));
  EXPECT_EQ(shortened(std::string(201, 'a')), std::string(200, 'a') + "…");
}

TEST(Text, NoCharacterIsCutInTwo) {
  std::string text = "a";
  while (text.size() < 300) text += "é";
  EXPECT_EQ(shortened(text), text.substr(0, 199) + "…");
}

}  // namespace
}  // namespace loom
