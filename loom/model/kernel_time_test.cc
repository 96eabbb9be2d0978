// Kernel times obey the roofline.
#include "loom/model/kernel_time.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "loom/base/tree.h"

namespace loom::model {
namespace {

Accelerator preset(std::string_view name) {
  return read_accelerator(parse_yaml(std::string(name), "test.yaml"));
}

double memory_speed(const Accelerator& it) {
  return static_cast<double>(it.memory_bandwidth.bits_per_second) / 8 * it.memory_share;
}

MatrixProduct random_product(Random& random) {
  const auto size = [&] { return std::int64_t{1} + random(1U << (1 + random(13))); };
  return {size(), size(), size(), 1 + random(8)};
}

void for_random_products(
    const std::function<void(const Accelerator&, Precision, const MatrixProduct&)>& look) {
  for (const AcceleratorPreset& it : accelerator_presets()) {
    const Accelerator accelerator = preset(it.name);
    for (std::size_t p = 0; p < kPrecisionNames.size(); ++p) {
      if (accelerator.peak[p].per_second == 0) continue;
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(::testing::Message()
                     << it.name << " " << kPrecisionNames[p] << " seed " << seed);
        Random random = random_stream(seed, p);
        look(accelerator, static_cast<Precision>(p), random_product(random));
      }
    }
  }
}

TEST(KernelTime, NoProductIsFasterThanTheSustainedSpeed) {
  for_random_products([](const Accelerator& it, Precision precision, const MatrixProduct& product) {
    const auto peak = static_cast<double>(it.peak[static_cast<std::size_t>(precision)].per_second);
    const double lower_bound = static_cast<double>(product.flops()) / (peak * it.sustained);
    EXPECT_GE(seconds(product_time(it, precision, product)), lower_bound);
  });
}

TEST(KernelTime, NoProductIsFasterThanItsMemoryTraffic) {
  for_random_products([](const Accelerator& it, Precision precision, const MatrixProduct& p) {
    const auto elements = static_cast<double>(
        p.count * (p.rows * p.inner + p.inner * p.columns + p.rows * p.columns));
    const double lower_bound = elements * bytes_of(precision) / memory_speed(it);
    EXPECT_GE(seconds(product_time(it, precision, p)), lower_bound);
  });
}

TEST(KernelTime, ALargerDimensionNeverTakesLess) {
  for_random_products([](const Accelerator& it, Precision precision, const MatrixProduct& p) {
    const Duration time = product_time(it, precision, p);
    EXPECT_LE(time, product_time(it, precision, {p.rows + 1, p.inner, p.columns, p.count}));
    EXPECT_LE(time, product_time(it, precision, {p.rows, p.inner + 1, p.columns, p.count}));
    EXPECT_LE(time, product_time(it, precision, {p.rows, p.inner, p.columns + 1, p.count}));
    EXPECT_LE(time, product_time(it, precision, {p.rows, p.inner, p.columns, p.count + 1}));
  });
}

TEST(KernelTime, RowsAndColumnsAreInterchangeable) {
  for_random_products([](const Accelerator& it, Precision precision, const MatrixProduct& p) {
    EXPECT_EQ(product_time(it, precision, p),
              product_time(it, precision, {p.columns, p.inner, p.rows, p.count}));
  });
}

TEST(KernelTime, ALargeProductApproachesTheSustainedSpeed) {
  for (const std::string_view name : {"v100", "a100", "h100", "b200"}) {
    const Accelerator it = preset(name);
    const MatrixProduct large = {16384, 16384, 16384};
    const auto peak =
        static_cast<double>(it.peak[static_cast<std::size_t>(Precision::fp16)].per_second);
    const double reached = static_cast<double>(large.flops()) /
                           seconds(product_time(it, Precision::fp16, large)) / peak;
    EXPECT_GT(reached, 0.93 * it.sustained) << name;
    EXPECT_LE(reached, it.sustained) << name;
  }
}

TEST(KernelTime, AnEmptyKernelTakesALaunch) {
  const Accelerator it = preset("a100");
  EXPECT_EQ(memory_time(it, 0), it.launch);
  EXPECT_EQ(fused_time(it, Precision::fp16, 0, 0), it.launch);
}

TEST(KernelTime, AFusedKernelTakesTheLongerOfComputeAndMemory) {
  const Accelerator it = preset("a100");
  const double flops = 1e12;
  const double bytes = 1e10;
  const Duration computing = fused_time(it, Precision::bf16, flops, 0);
  const Duration moving = fused_time(it, Precision::bf16, 0, bytes);
  EXPECT_EQ(fused_time(it, Precision::bf16, flops, bytes), std::max(computing, moving));
  EXPECT_EQ(moving, memory_time(it, bytes));
}

TEST(KernelTime, AMemoryBoundKernelReachesItsShareOfTheBandwidth) {
  Accelerator it = preset("a100");
  it.launch = Duration(0);
  it.memory_share = 0.5;
  EXPECT_EQ(memory_time(it, 2039e9 / 2), Duration(1'000'000'000'000));
}

}  // namespace
}  // namespace loom::model
