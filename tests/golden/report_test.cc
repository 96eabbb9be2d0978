// The HTML report: its data equal those of the result.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/golden/examples.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

// The JSON embedded in a page.
nlohmann::json report_in(const std::string& page) {
  const std::size_t id = page.find("id=\"report\"");
  const std::size_t begin = page.find('>', id) + 1;
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

class Report : public ::testing::Test {
 protected:
  // The data of the report that a command writes.
  nlohmann::json report(std::vector<std::string> words) {
    const std::string path = folder_.path("report.html");
    words.insert(words.end(), {"--report", path});
    const Ran ran = lightloom(words);
    built_in_ = ran.err.find("not built in") == std::string::npos;
    if (!built_in_) return {};
    EXPECT_EQ(ran.code, 0) << ran.err;
    return report_in(content_of(path));
  }

  Folder folder_;
  bool built_in_ = true;
};

TEST_F(Report, OfAJobHasItsCompleteExplanation) {
  const auto it = report({"simulate", example_path("job_first")});
  if (!built_in_) GTEST_SKIP() << "the report page is not built in";
  const auto& result = it.at("results").at(0);
  std::int64_t sum = 0;
  for (const auto& share : result.at("breakdown")) sum += share.at("time_ps").get<std::int64_t>();
  EXPECT_EQ(sum, result.at("iteration_time_ps").get<std::int64_t>());
  for (const std::string section : {"timeline", "traffic", "links", "ranking", "critical_path",
                                    "memory", "stages", "metrics"}) {
    EXPECT_FALSE(result.at(section).empty()) << section;
  }
  EXPECT_EQ(result.at("traffic").at("bytes").size(), 64U);
  EXPECT_NE(it.at("scenario").get<std::string>().find("llama3-8b"), std::string::npos);
}

TEST_F(Report, OfAComparisonHasEveryResult) {
  const auto it = report({"compare", example_path("first")});
  if (!built_in_) GTEST_SKIP() << "the report page is not built in";
  EXPECT_EQ(it.at("results").size(), example_points("first").size());
  for (const auto& result : it.at("results")) {
    EXPECT_GT(result.at("completion_time_ps").get<std::int64_t>(), 0);
    EXPECT_FALSE(result.contains("iteration_time_ps"));
  }
}

TEST_F(Report, HasTheCommandThatMadeIt) {
  const auto it =
      report({"simulate", example_path("first"), "--set", "gpus=4", "--point", "1", "--cost"});
  if (!built_in_) GTEST_SKIP() << "the report page is not built in";
  EXPECT_EQ(it.at("command"), "lightloom simulate " + example_path("first") +
                                  " --set gpus=4 --point 1 --cost --report " +
                                  folder_.path("report.html"));
}

TEST_F(Report, ListsOnlyDevicesThatExist) {
  const std::string scenario =
      folder_.write("s.yaml",
                    "workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\ngpus: 130\n"
                    "fabric: {kind: switch, bandwidth: 1 Gbps}\n");
  const auto labels = [&](const std::string& gpus) -> nlohmann::json {
    const auto it = report({"simulate", scenario, "--set", "gpus=" + gpus});
    return built_in_ ? it.at("results").at(0).at("traffic").at("labels") : nlohmann::json::array();
  };
  const auto labels_of_130 = labels("130");
  if (!built_in_) GTEST_SKIP() << "the report page is not built in";
  EXPECT_EQ(labels_of_130.front(), "0-2");
  EXPECT_EQ(labels_of_130.back(), "129");
  EXPECT_EQ(labels("131").back(), "129-130");
  EXPECT_EQ(labels("4").back(), "3");
}

TEST_F(Report, ThatCannotBeWrittenIsRefused) {
  const Ran ran =
      lightloom({"simulate", example_path("job_first"), "--report", folder_.path("none/r.html")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
}

}  // namespace
}  // namespace loom::testing
