// Training throughput of one device against NVIDIA's published numbers.
//
// NVIDIA DeepLearningExamples: PyTorch/Classification/ConvNets/resnet50v1.5 (container 21.03) and
// PyTorch/LanguageModeling/BERT (containers 19.07, 20.06 and 21.11), mixed precision, one GPU.
// Nothing was fitted to these; the table below lists the errors. For scale: software updates alone
// sped up BERT on a V100 by 31 % from 19.07 to 21.11. Not compared: 512 tokens in 21.11, where
// batches are binned by length, so that few sequences have 512 tokens. Our model has no data
// loading, uses Adam for LAMB, and runs norm and activation of a convolution as separate passes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/base/tree.h"
#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/model/catalog.h"
#include "loom/plan/strategies.h"

namespace loom {
namespace {

struct Published {
  std::string model;
  std::string accelerator;
  int micro_batch = 1;
  int accumulated = 1;  // micro-batches
  double samples_per_second = 0;
  double error = 0;  // relative error of our throughput
};

double throughput(const Published& it) {
  plan::JobSpec spec;
  spec.model =
      model::build_model(model::read_model(parse_yaml("{" + it.model + "}", "throughput.yaml")));
  spec.accelerator = model::read_accelerator(parse_yaml(it.accelerator, "throughput.yaml"));
  spec.job.precision = model::Precision::fp16;
  spec.job.batch = std::int64_t{it.micro_batch} * it.accumulated;
  spec.job.fused_gradients = false;
  plan::FixedNetworkProvider provider(
      std::make_shared<fabric::Network>(fabric::ideal_switch(1, {1'000'000'000}, Duration(0))),
      std::nullopt);
  const Duration time = estimate_strategy(spec, {.micro_batch = it.micro_batch}, provider);
  return static_cast<double>(spec.job.batch) / seconds(time);
}

TEST(Throughput, OfOneDeviceHasTheKnownErrors) {
  const std::string bert128 = "model: bert-large, sequence: 128, predictions: 20";
  const std::string bert512 = "model: bert-large, predictions: 80";
  const std::string a100_40gb = "{base: a100, memory: 40 GB, memory_bandwidth: 1555 GB/s}";
  const std::vector<Published> all = {
      {"model: resnet-50", "v100", 256, 1, 1156, -0.246},
      {"model: resnet-50", "a100", 256, 1, 2470, -0.272},
      {bert128, "v100", 64, 64, 171.52, 0.518},    // 19.07
      {bert128, "v100", 64, 64, 224, 0.162},       // 21.11
      {bert128, a100_40gb, 64, 1024, 415, 0.359},  // 20.06
      {bert128, "a100", 256, 32, 580, 0.106},      // 21.11
      {bert512, "v100", 8, 256, 30.08, 0.695},     // 19.07
      {bert512, a100_40gb, 16, 2048, 78, 0.435},   // 20.06
  };
  for (const Published& it : all) {
    const double ours = throughput(it);
    const double error = ours / it.samples_per_second - 1;
    fmt::print("{:50} {:10}, batch {:3}: published {:7.1f}, ours {:7.1f} samples/s, {:+.1f} %\n",
               it.model, it.accelerator.size() > 4 ? "a100 40 GB" : it.accelerator, it.micro_batch,
               it.samples_per_second, ours, 100 * error);
    EXPECT_NEAR(error, it.error, 0.05) << it.model << " on " << it.accelerator;
  }
}

}  // namespace
}  // namespace loom
