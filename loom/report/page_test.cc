#include "loom/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/base/error.h"

namespace loom::report {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr PageShell kShell = {.head = "<script>", .tail = "</script>"};

// The text of the script element that holds the JSON.
std::string json_of(const ordered_json& report) {
  const std::string page = report_page(report, kShell);
  return page.substr(kShell.head.size(), page.find("</script>") - kShell.head.size());
}

std::string round_trip(const std::string& text) {
  return ordered_json::parse(json_of({{"title", text}})).at("title");
}

TEST(ReportPage, HoldsTheReportAsItWasGiven) {
  const ordered_json report = {{"title", "all-reduce"},
                               {"results", {{{"name", "b"}, {"completion_time_ps", 1}}}}};
  EXPECT_EQ(report_page(report, kShell), "<script>" + report.dump() + "</script>");
}

TEST(ReportPage, NoTextCanEndTheScriptElement) {
  for (const std::string text :
       {"</script><script>window.hacked=1</script>", "</SCRIPT >", "<!-- <script>", "]]>",
        "a\u2028b\u2029c", "\"\\ \n \x01", "{{constructor}} ${1}"}) {
    const std::string inside = json_of({{"title", text}});
    EXPECT_THAT(inside, Not(HasSubstr("<"))) << text;
    EXPECT_THAT(inside, Not(HasSubstr("\u2028"))) << text;
    EXPECT_EQ(round_trip(text), text);
  }
}

TEST(ReportPage, ANameCannotEndTheScriptElementEither) {
  const ordered_json report = {{"</script><b>", 1}};
  EXPECT_EQ(json_of(report), R"({"\u003c/script>\u003cb>":1})");
}

TEST(ReportPage, InvalidUtf8IsReplaced) {
  EXPECT_EQ(round_trip("a\xff\xfe"
                       "b"),
            "a\uFFFD\uFFFDb");
}

TEST(ReportPage, LoadsNothingFromTheNetwork) {
  if (page_shell().head.empty()) GTEST_SKIP() << "LOOM_REPORT is OFF";
  const std::string page = report_page(ordered_json::object());
  EXPECT_EQ(page.find("<!doctype html>"), 0U);
  EXPECT_THAT(page, HasSubstr(R"(<script type="application/json" id="report">{}</script>)"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* reference : {"<script src", "<link rel=\"stylesheet\"", "@import", "url(http"}) {
    EXPECT_THAT(page, Not(HasSubstr(reference)));
  }
}

TEST(ReportPage, ExplainsHowToBuildItIfItIsNotBuiltIn) {
  try {
    report_page(ordered_json::object(), PageShell{});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "the HTML report is not built in; build with -DLOOM_REPORT=ON, which needs nodejs "
                 "and npm");
  }
}

}  // namespace
}  // namespace loom::report
