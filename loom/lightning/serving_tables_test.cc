#include "loom/lightning/serving_tables.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/lightning/serving_options.h"
#include "loom/lightning/serving_verdict.h"

namespace loom::lightning {
namespace {

ServingResult small_study() {
  ServingOptions options;
  options.models = {"AlexNet", "DLRM"};
  options.loads = {"5 Mbps", "5 Gbps"};
  options.requests = {10, 20};
  options.runs = 2;
  return run_serving(serving_spec(options));
}

TEST(ServingTables, EveryPointHasItsRowAndItsSeries) {
  const ServingResult result = small_study();
  EXPECT_EQ(result.points.size(), 2U * 2 * 7);
  EXPECT_EQ(serving_table(result).rows.size(), result.points.size());
  EXPECT_EQ(isolated_table(result).rows.size(), 2U);
  const nlohmann::ordered_json json = serving_json(result);
  EXPECT_EQ(json["points"].size(), result.points.size());
  EXPECT_EQ(json["points"][0]["processor"], "Lightning");
  const std::string svg = serving_svg(result);
  for (const auto& it : result.spec.processors) {
    EXPECT_NE(svg.find(photonic::name_of(it)), std::string::npos);
  }
}

TEST(ServingTables, OverloadIsReportedInWords) {
  const ServingResult result = small_study();
  std::string all;
  for (const std::string& line : serving_verdict(result)) all += line + "\n";
  EXPECT_NE(all.find("A100: ratio"), std::string::npos) << all;
  EXPECT_NE(all.find("no steady state at 5.000 Gbps"), std::string::npos) << all;
  EXPECT_NE(all.find("Uncontended, Lightning vs. A100-fair"), std::string::npos) << all;
}

// One load, so that the comparison is at that load; ratios and half widths are set by hand.
TEST(ServingTables, ADifferenceIsClaimedOnlyIfTheIntervalShowsIt) {
  ServingOptions options;
  options.models = {"AlexNet"};
  options.processors = {"Lightning", "A100-fair"};
  options.loads = {"1 Mbps"};
  options.requests = {5};
  options.runs = 2;
  ServingResult result = run_serving(serving_spec(options));
  result.points[0].p99_seconds = 0.002;
  result.points[1].p99_seconds = 0.001;
  result.points[1].mean_ratio = {0.9, 0.2, 2};
  result.points[1].energy_ratio = {4, 1, 2};
  EXPECT_EQ(serving_verdict(result).back(),
            "At 1.000 Mbps, the highest load that both can sustain, Lightning vs. A100-fair "
            "over all requests: no difference in mean time is shown (interval 0.7 to 1.1); 4 times "
            "less energy (interval 3 to 5); 99th percentiles 2 ms and 1 ms.");
  result.points[1].mean_ratio = {0.5, 0.2, 2};
  EXPECT_NE(serving_verdict(result).back().find("2 times more mean time (interval 1.43 to 3.33)"),
            std::string::npos)
      << serving_verdict(result).back();
}

TEST(ServingTables, TheComparisonIsAtTheHighestLoadInAnyOrderOfLoads) {
  ServingOptions options;
  options.models = {"AlexNet"};
  options.processors = {"Lightning", "A100-fair"};
  options.loads = {"5 Mbps", "20 Mbps", "1 Mbps"};
  options.requests = {5};
  options.runs = 2;
  const std::string line = serving_verdict(run_serving(serving_spec(options))).back();
  EXPECT_TRUE(line.starts_with("At 20.00 Mbps, the highest load that both can sustain")) << line;
}

TEST(ServingTables, ASingleRunHasNoInterval) {
  ServingOptions options;
  options.models = {"AlexNet"};
  options.processors = {"Lightning", "A100-fair"};
  options.loads = {"1 Mbps"};
  options.requests = {5};
  options.runs = 1;
  const ServingResult result = run_serving(serving_spec(options));
  EXPECT_EQ(serving_text(result).find("±"), std::string::npos) << serving_text(result);
  EXPECT_EQ(serving_text(result).find("intervals"), std::string::npos);
  const nlohmann::ordered_json point = serving_json(result)["points"][1];
  EXPECT_TRUE(point["ratio"]["half_width"].is_null());
  EXPECT_TRUE(point["mean_seconds"]["half_width"].is_null());
  const nlohmann::ordered_json row = to_json(serving_table(result))[1];
  EXPECT_TRUE(row["mean_half_width"].is_null());
  EXPECT_TRUE(row["ratio_half_width"].is_null());
}

TEST(ServingTables, AProcessorLeftOutIsReportedWithTheReason) {
  ServingOptions options;
  options.models = {"AlexNet", "LeNet-300-100"};
  options.loads = {"1 Mbps"};
  options.requests = {2};
  options.runs = 2;
  const ServingResult result = run_serving(serving_spec(options));
  const std::string why = "no published time for LeNet-300-100 on this processor";
  EXPECT_EQ(result.spec.left_out, (std::vector<photonic::LeftOut>{{"A100", why}}));
  EXPECT_EQ(left_out_text(result.spec), "left out: A100 (" + why + ")");
  EXPECT_EQ(serving_json(result)["left_out"], (nlohmann::ordered_json{{"A100", why}}));
  const nlohmann::ordered_json trace = trace_json({}, result.spec.left_out);
  EXPECT_EQ(trace[0]["processor"], "A100");
  EXPECT_EQ(trace[0]["left_out"], why);
}

TEST(ServingTables, MeansOfATraceHaveAllDigits) {
  const report::Table table =
      trace_table({{"Lightning", {{"a", 20358752}, {"b", 0.1}, {"c", 1e300}}, 3}});
  EXPECT_EQ(to_csv(table),
            "processor,answers,network,mean_serve_ns\nLightning,3,a,20358752.0\n"
            "Lightning,3,b,0.1\nLightning,3,c,1e+300\n");
}

TEST(ServingTables, ATraceIsReplayedUnchanged) {
  ServingOptions options;
  options.processors = {"Lightning"};
  options.requests = {1};
  const photonic::ServingSpec spec = serving_spec(options);
  const auto means = run_trace(spec, {{0, 0}, {6, 1'000'000'000}});
  ASSERT_EQ(means.size(), 1U);
  ASSERT_EQ(means[0].nanoseconds.size(), 1U);
  EXPECT_EQ(means[0].nanoseconds[0].first, "AlexNet");
  EXPECT_EQ(trace_table(means).rows.size(), 1U);
}

}  // namespace
}  // namespace loom::lightning
