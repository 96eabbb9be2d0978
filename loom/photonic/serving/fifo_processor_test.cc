#include "loom/photonic/serving/fifo_processor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/photonic/serving/testing.h"
#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {
namespace {

ServedModel network(std::string name) {
  ServedModel model;
  model.name = std::move(name);
  model.input = {1000};
  model.output = {100};
  model.layers = {{1, 1, {}}};
  return model;
}

FifoProcessor fifo(std::vector<std::vector<Duration>> service, int max_batch = 1) {
  return {"p", {}, Duration(0), {}, max_batch, std::move(service)};
}

// Two service times with equal probability: an M/G/1 queue, whose mean wait is lambda E[S^2] / (2
// (1 - rho)).
TEST(FifoProcessor, AnMG1QueueMatchesItsClosedForm) {
  const std::vector<ServedModel> models = {network("a"), network("b")};
  const FifoProcessor processor = fifo({{500_ns}, {1500_ns}});
  for (const double rho : {0.3, 0.7}) {
    const Bandwidth speed{std::llround(8e9 * rho)};
    const auto arrivals = sample_requests(models, {0, 1}, speed, 200'000, 3);
    const Completions done = simulate_fifo(processor, models, arrivals, 0);
    std::vector<double> waits;
    for (const Completion& it : done.all) {
      waits.push_back(it.nanoseconds - (it.model == 0 ? 500 : 1500));
    }
    const BatchMeans wait = batch_means(waits);
    const double lambda = rho / 1000;
    const double squares = (500.0 * 500 + 1500.0 * 1500) / 2;
    const double expected = lambda * squares / (2 * (1 - rho));
    EXPECT_NEAR(wait.mean, expected, 4 * wait.sigma) << rho;
    EXPECT_LT(wait.sigma, 0.02 * expected) << rho;
  }
}

TEST(FifoProcessor, TheOldestRequestIsBatchedWithOthersOfItsNetwork) {
  const std::vector<ServedModel> models = {network("a"), network("b")};
  const FifoProcessor processor = fifo({{100_ns, 120_ns, 130_ns}, {50_ns, 60_ns, 70_ns}}, 3);
  // The first request is served by itself until 100; then a has waited longest and is batched with
  // the two others of its network; b waits until 230.
  const std::vector<Arrival> arrivals = {{0, 0}, {0, 10}, {1, 20}, {0, 30}, {0, 40}};
  const Completions done = simulate_fifo(processor, models, arrivals, 0);
  ASSERT_EQ(done.all.size(), 5U);
  EXPECT_EQ(done.all[1].request, 1);
  EXPECT_EQ(done.all[1].nanoseconds, 230 - 10);
  EXPECT_EQ(done.all[3].request, 4);
  EXPECT_EQ(done.all[4].request, 2);
  EXPECT_EQ(done.all[4].nanoseconds, 280 - 20);
}

TEST(FifoProcessor, InputsArriveInSequenceAndAnswersReturn) {
  FifoProcessor processor = fifo({{100_ns}});
  processor.link = {8'000'000'000};  // one byte per nanosecond
  processor.host = 5000_ns;
  const Completions done = simulate_fifo(processor, {network("a")}, {{0, 0}, {0, 0}}, 0);
  EXPECT_EQ(done.all[0].nanoseconds, 1000 + 5000 + 100 + 100);
  EXPECT_EQ(done.all[1].nanoseconds, 2000 + 5000 + 100 + 100);
}

TEST(FifoProcessor, ALargerBatchTakesLongerButLessPerRequest) {
  const std::vector<ServedModel> models = published_models();
  const FifoProcessor gpu = fair_a100(8, models);
  for (std::size_t m = 0; m < models.size(); ++m) {
    ASSERT_EQ(gpu.service[m].size(), 8U) << models[m].name;
    EXPECT_GE(gpu.service[m][7], gpu.service[m][0]) << models[m].name;
    EXPECT_LE(gpu.service[m][7], 8 * gpu.service[m][0]) << models[m].name;
  }
}

TEST(FifoProcessor, NoGpuExceedsItsPeakAndNoPhotonicProcessorItsCores) {
  const std::vector<ServedModel> models = published_models();
  const FifoProcessor gpu = fair_a100(4, models);
  const FifoProcessor lightning = fed_lightning(kFeedingMemory, models);
  for (std::size_t m = 0; m < models.size(); ++m) {
    double flops = 0;
    for (const ServedKernel& it : models[m].kernels) {
      flops += static_cast<double>(it.product.flops());
    }
    EXPECT_GT(seconds(gpu.service[m][3]), 4 * flops / 312e12) << models[m].name;
    EXPECT_GT(seconds(lightning.service[m][0]), flops / 2 / 55.872e12) << models[m].name;
  }
}

}  // namespace
}  // namespace loom::photonic
