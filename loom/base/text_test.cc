#include "loom/base/text.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

TEST(Text, AsciiAndNonAsciiTextIsUtf8) {
  for (const std::string_view text :
       {"", "plain", "µs", "…", "日本", "\U0001F680", "\u07ff\uffff"}) {
    EXPECT_EQ(first_not_utf8(text), text.size()) << text;
  }
}

TEST(Text, TheFirstInvalidByteIsFound) {
  EXPECT_EQ(first_not_utf8("ab\xff"), 2U);
  EXPECT_EQ(first_not_utf8("a\x80"), 1U) << "stray continuation byte";
  EXPECT_EQ(first_not_utf8("a\xc3"), 1U) << "truncated";
  EXPECT_EQ(first_not_utf8("a\xc3("), 1U) << "missing continuation byte";
  EXPECT_EQ(first_not_utf8("\xe2\x80"), 0U) << "truncated";
  EXPECT_EQ(first_not_utf8("\xc0\xaf"), 0U) << "overlong encoding";
  EXPECT_EQ(first_not_utf8("\xe0\x80\xaf"), 0U) << "overlong encoding";
  EXPECT_EQ(first_not_utf8("\xf0\x80\x80\xaf"), 0U) << "overlong encoding";
  EXPECT_EQ(first_not_utf8("\xed\xa0\x80"), 0U) << "UTF-16 surrogate";
  EXPECT_EQ(first_not_utf8("\xf4\x90\x80\x80"), 0U) << "beyond Unicode";
}

TEST(Text, MessagesQuoteAtMostTwoHundredBytes) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened(std::string(200, 'a')), std::string(200, 'a'));
  EXPECT_EQ(shortened(std::string(201, 'a')), std::string(200, 'a') + "…");
}

TEST(Text, NoCharacterIsTruncated) {
  std::string text = "a";
  while (text.size() < 300) text += "é";
  EXPECT_EQ(shortened(text), text.substr(0, 199) + "…");
}

}  // namespace
}  // namespace loom
