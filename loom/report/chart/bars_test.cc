#include "loom/report/chart/bars.h"

#include <gtest/gtest.h>

#include <limits>

namespace loom::report {
namespace {

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

// The width of the n-th bar; the first rectangle is the background.
double width_of(const std::string& drawing, int bar) {
  std::size_t at = drawing.find("<rect");
  for (int i = 0; i <= bar; ++i) at = drawing.find("<rect", at + 1);
  at = drawing.find("width='", at) + 7;
  return std::stod(drawing.substr(at));
}

TEST(Bars, HaveLengthsProportionalToTheirValues) {
  const std::string drawing =
      to_svg(BarChart{"T", "seconds", {{"", {{"a", 2, "2 s"}, {"b", 1, "1 s"}, {"c", 4, "4 s"}}}}});
  EXPECT_NEAR(width_of(drawing, 0), 2 * width_of(drawing, 1), 0.2);
  EXPECT_NEAR(width_of(drawing, 2), 4 * width_of(drawing, 1), 0.4);
  EXPECT_EQ(count(drawing, ">4 s</text>"), 1);
  EXPECT_EQ(count(drawing, ">seconds</text>"), 1);
}

TEST(Bars, TheShortestOfEachGroupIsHighlighted) {
  const std::string drawing = to_svg(BarChart{
      "", "", {{"one", {{"a", 2, ""}, {"b", 1, ""}}}, {"two", {{"a", 5, ""}, {"b", 9, ""}}}}});
  EXPECT_EQ(count(drawing, "fill='#009e73'"), 2);
  EXPECT_EQ(count(drawing, ">one</text>"), 1);
}

TEST(Bars, AMissingValueShowsOnlyItsLabel) {
  const std::string drawing = to_svg(BarChart{
      "",
      "",
      {{"", {{"a", 0, "infeasible"}, {"b", std::numeric_limits<double>::quiet_NaN(), "?"}}}}});
  EXPECT_EQ(count(drawing, "<rect"), 1) << "the background";
  EXPECT_EQ(count(drawing, ">infeasible</text>"), 1);
  EXPECT_EQ(count(to_svg(BarChart{}), "</svg>"), 1);
}

TEST(Bars, UserNamesAreEscaped) {
  const std::string drawing = to_svg(BarChart{"<t>", "&", {{"'", {{"<a>", 1, "\""}}}}});
  EXPECT_EQ(count(drawing, "<t>"), 0);
  EXPECT_EQ(count(drawing, "&lt;a&gt;"), 1);
}

}  // namespace
}  // namespace loom::report
