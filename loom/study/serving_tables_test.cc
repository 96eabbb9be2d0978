#include "loom/study/serving_tables.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/study/serving_options.h"
#include "loom/study/serving_verdict.h"

namespace loom {
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
  EXPECT_EQ(alone_table(result).rows.size(), 2U);
  const nlohmann::ordered_json json = serving_json(result);
  EXPECT_EQ(json["points"].size(), result.points.size());
  EXPECT_EQ(json["points"][0]["processor"], "Lightning");
  const std::string svg = serving_svg(result);
  for (const auto& it : result.spec.processors) {
    EXPECT_NE(svg.find(photonic::name_of(it)), std::string::npos);
  }
}

TEST(ServingTables, WhatIsOfferedTooMuchIsSaidInWords) {
  const ServingResult result = small_study();
  std::string all;
  for (const std::string& line : serving_verdict(result)) all += line + "\n";
  EXPECT_NE(all.find("A100: ratio"), std::string::npos) << all;
  EXPECT_NE(all.find("no steady state at 5.000 Gbps"), std::string::npos) << all;
  EXPECT_NE(all.find("Alone, Lightning against A100-fair"), std::string::npos) << all;
}

TEST(ServingTables, ATraceIsRunAsItIs) {
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
}  // namespace loom
