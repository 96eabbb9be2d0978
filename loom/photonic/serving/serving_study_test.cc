#include "loom/photonic/serving/serving_study.h"

#include <gtest/gtest.h>

namespace loom::photonic {
namespace {

ServingSpec small_spec() {
  ServingSpec spec;
  for (const std::string name : {"a", "b"}) {
    ServedModel model;
    model.name = name;
    model.input = {1000};
    model.layers = {{name == "a" ? 500 : 1500, 1, {}}};
    spec.models.push_back(model);
  }
  spec.mix = {0, 1};
  spec.processors.emplace_back(TickProcessor{
      .name = "fast", .cores = 1, .gigahertz = 4, .power = {10'000'000}, .min_vector = 1});
  spec.processors.emplace_back(TickProcessor{
      .name = "slow", .cores = 1, .gigahertz = 1, .power = {20'000'000}, .min_vector = 1});
  spec.processors.emplace_back(
      FifoProcessor{"batch", {30'000'000}, {}, {}, 2, {{500_ns, 600_ns}, {1500_ns, 1600_ns}}});
  spec.loads = {{1'000'000'000}, {16'000'000'000}};
  spec.horizons = {50, 200};
  spec.runs = 4;
  return spec;
}

TEST(ServingStudy, OfferedLoadIsWorkOverTimeBetweenRequests) {
  const ServingSpec spec = small_spec();
  const Bandwidth speed{8'000'000'000};  // one request per microsecond
  EXPECT_DOUBLE_EQ(offered_load(spec.processors[0], spec.models, spec.mix, speed), 0.25);
  EXPECT_DOUBLE_EQ(offered_load(spec.processors[1], spec.models, spec.mix, speed), 1);
  // 300 and 800 ns in full batches.
  EXPECT_DOUBLE_EQ(offered_load(spec.processors[2], spec.models, spec.mix, speed), 0.55);
  FifoProcessor slow_link = std::get<FifoProcessor>(spec.processors[2]);
  slow_link.link = {4'000'000'000};
  EXPECT_DOUBLE_EQ(offered_load(slow_link, spec.models, spec.mix, speed), 2);
}

TEST(ServingStudy, AnOverloadedProcessorIsUnstableAndItsMeanGrowsWithTheHorizon) {
  const std::vector<ServingPoint> points = run_study(small_spec());
  ASSERT_EQ(points.size(), 12U);
  EXPECT_TRUE(points[1].stable());
  const ServingPoint& at_50 = points[7];
  const ServingPoint& at_200 = points[10];
  EXPECT_EQ(at_200.processor, "slow");
  EXPECT_FALSE(at_200.stable());
  EXPECT_GT(at_200.mean_seconds.mean, 2 * at_50.mean_seconds.mean);
  EXPECT_NEAR(at_200.answers_per_second.mean, 1e6, 1.5e5);  // its capacity
}

TEST(ServingStudy, TheFirstProcessorIsTheReferenceAndEnergyHasTwoTerms) {
  const std::vector<ServingPoint> points = run_study(small_spec());
  EXPECT_DOUBLE_EQ(points[0].ratio.mean, 1);
  EXPECT_DOUBLE_EQ(points[0].ratio.half, 0);
  EXPECT_GT(points[1].ratio.mean, 3.9);  // at least four times slower
  EXPECT_NEAR(points[0].working_joules.mean, 10 * 250e-9, 5e-7);
  EXPECT_GT(points[0].waiting_joules.mean, 0);
  EXPECT_LE(points[0].median_seconds, points[0].p99_seconds);
}

TEST(ServingStudy, ThreadsChangeNothing) {
  ServingSpec spec = small_spec();
  spec.threads = 1;
  const std::vector<ServingPoint> one = run_study(spec);
  spec.threads = 4;
  const std::vector<ServingPoint> four = run_study(spec);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].mean_seconds.mean, four[i].mean_seconds.mean);
    EXPECT_EQ(one[i].ratio.half, four[i].ratio.half);
    EXPECT_EQ(one[i].p99_seconds, four[i].p99_seconds);
  }
}

TEST(ServingStudy, AnUncontendedRequestDoesNotQueue) {
  const auto isolated = isolated_seconds(small_spec());
  EXPECT_DOUBLE_EQ(isolated[0][0], 125e-9);
  EXPECT_DOUBLE_EQ(isolated[1][1], 1500e-9);
  EXPECT_DOUBLE_EQ(isolated[2][1], 1500e-9);
}

}  // namespace
}  // namespace loom::photonic
