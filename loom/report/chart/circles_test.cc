#include "loom/report/chart/circles.h"

#include <gtest/gtest.h>

#include "loom/report/chart/circles_page.h"
#include "loom/report/chart/sector.h"

namespace loom::report {
namespace {

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

// Two jobs of 40 ms and 60 ms whose bursts of 10 ms coincide, and do not when shifted.
CirclePicture two_jobs() {
  CirclePicture picture;
  picture.title = "Two <jobs>";
  picture.profiles.links = {{"up & down", 10_Gbps}};
  for (const Duration period : {Duration(40_ms), Duration(60_ms)}) {
    picture.profiles.jobs.push_back({"job", {{period - 10_ms, {}}, {10_ms, {{0, 10_Gbps}}}}});
  }
  picture.before = {Duration(0), Duration(0)};
  picture.after = {Duration(0), 10_ms};
  picture.score_before = {1 - 10.0 / 120};
  picture.score_after = {1};
  return picture;
}

TEST(Circles, ThePerimeterOfALinkIsTheLeastCommonMultipleOfItsPeriods) {
  EXPECT_EQ(perimeter_of(two_jobs().profiles, 0), 120_ms);
  EXPECT_EQ(jobs_on(two_jobs().profiles, 0), (std::vector<int>{0, 1}));
}

TEST(Circles, ExcessDemandIsRed) {
  const CirclePicture picture = two_jobs();
  const std::vector<int> links = links_to_draw(picture, 5);
  EXPECT_EQ(links, (std::vector<int>{0}));
  const std::string drawing = circles_svg(picture, links);
  // Once in the legend, once where the two bursts coincide before shifting.
  EXPECT_EQ(count(drawing, "fill='#c1121f'"), 2);
  EXPECT_EQ(count(drawing, ">0.917</text>"), 1);
  EXPECT_EQ(count(drawing, ">1.000</text>"), 1);
  EXPECT_EQ(count(drawing, ">shifted by 10 ms</text>"), 1);
  EXPECT_EQ(count(drawing, "up &amp; down"), 1);
  EXPECT_EQ(circles_svg(picture, links), drawing);
}

TEST(Circles, LinksOfOneJobAreDrawnIfNoneIsShared) {
  CirclePicture picture = two_jobs();
  picture.profiles.links.push_back({"unshared", Bandwidth{10}});
  picture.profiles.jobs[0].stages[0].rates.push_back({1, Bandwidth{5}});
  picture.score_before.push_back(1);
  picture.score_after.push_back(1);
  EXPECT_EQ(links_to_draw(picture, 5), std::vector<int>{0});
  picture.profiles.jobs.pop_back();
  EXPECT_EQ(links_to_draw(picture, 5), (std::vector<int>{0, 1}));
}

TEST(Circles, ASectorOfAFullCircleIsDrawnInHalves) {
  EXPECT_EQ(count(svg::sector({{0, 0}, 1, 2, 0, 1}, "#000"), "<path"), 2);
  EXPECT_EQ(count(svg::sector({{0, 0}, 1, 2, 0, 0.25}, "#000"), "<path"), 1);
  EXPECT_NEAR(svg::on_circle({10, 10}, 5, 0.25).x, 15, 1e-9);
  EXPECT_NEAR(svg::on_circle({10, 10}, 5, 0).y, 5, 1e-9);
}

TEST(CirclesPage, HasItsTablesAndEscapesUserNames) {
  CirclesPage page;
  page.title = "<b>";
  page.tables = {{"Jobs", {{"job_name", "shift"}, {{std::string("<script>"), 10_ms}}}},
                 {"Nothing", {{"a"}, {}}}};
  const std::string html = circles_page(page);
  EXPECT_EQ(count(html, "<script>"), 0);
  EXPECT_EQ(count(html, "&lt;script&gt;"), 1);
  EXPECT_EQ(count(html, "<td>10.00 ms</td>"), 1);
  EXPECT_EQ(count(html, "Nothing"), 0);
}

}  // namespace
}  // namespace loom::report
