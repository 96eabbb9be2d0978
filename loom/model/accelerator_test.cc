// Accelerators: presets, user-defined ones, and modified presets.
#include "loom/model/accelerator.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/base/tree.h"

namespace loom::model {
namespace {

Accelerator accelerator_of(const std::string& text) {
  return read_accelerator(parse_yaml(text, "test.yaml"));
}

std::string refusal_of(const std::string& text) {
  return message([&] { accelerator_of(text); });
}

TEST(Accelerator, EveryPresetIsReadAndComplete) {
  for (const AcceleratorPreset& preset : accelerator_presets()) {
    const Accelerator it = accelerator_of(std::string(preset.name));
    EXPECT_EQ(it.name, preset.name);
    EXPECT_GT(it.memory.count, 0);
    EXPECT_GT(it.memory_bandwidth.bits_per_second, 0);
    EXPECT_GT(it.units, 1);
    EXPECT_GT(it.sustained, 0.4);
    EXPECT_LE(it.sustained, 1);
    const auto peak = [&](Precision p) { return it.peak[static_cast<std::size_t>(p)].per_second; };
    EXPECT_TRUE(peak(Precision::bf16) > 0 || peak(Precision::fp16) > 0);
    EXPECT_FALSE(preset.source.empty());
    EXPECT_FALSE(preset.summary.empty());
  }
}

TEST(Accelerator, APresetEqualsItselfAsABase) {
  for (const AcceleratorPreset& preset : accelerator_presets()) {
    const std::string name(preset.name);
    EXPECT_EQ(accelerator_of("{base: " + name + "}"), accelerator_of(name));
  }
}

TEST(Accelerator, GivenValuesOverrideTheBase) {
  Accelerator expected = accelerator_of("a100");
  expected.memory = 40_GB;
  expected.sustained = 0.5;
  EXPECT_EQ(accelerator_of("{base: a100, memory: 40 GB, sustained: 0.5}"), expected);
}

TEST(Accelerator, AUserDefinedOneNeedsItsMemoryAndGetsDefaultsForTheRest) {
  const Accelerator it =
      accelerator_of("{fp16: 1 Tflop/s, memory: 5 GB, memory_bandwidth: 1 GB/s}");
  EXPECT_EQ(it.name, "own");
  EXPECT_EQ(it.units, 1);
  EXPECT_EQ(it.launch, 1_us);
  EXPECT_EQ(it.peak[static_cast<std::size_t>(Precision::fp16)].per_second, 1'000'000'000'000);
  EXPECT_EQ(it.peak[static_cast<std::size_t>(Precision::bf16)].per_second, 0);
}

TEST(Accelerator, AReserveOfTheMemoryIsNotUsable) {
  EXPECT_EQ(accelerator_of("a100").usable_memory(), 81920_MiB - 4_GB);
  EXPECT_EQ(memory_text(accelerator_of("a100")), "a100 has 85.90 GB, of which 4 GB are reserved");
  const Accelerator full = accelerator_of("{base: a100, memory_reserve: 0 B}");
  EXPECT_EQ(full.usable_memory(), 81920_MiB);
  EXPECT_EQ(memory_text(full), "a100 has 85.90 GB");
  EXPECT_EQ(refusal_of("{base: a100, memory: 4 GB}"),
            "test.yaml:1: accelerator.memory_reserve is 4 GB; less than the memory, 4.000 GB, is "
            "needed");
}

// The datasheet of the rack divided by its 72 GPUs: 360 Pflop/s in bf16 with sparsity, twice the
// dense speed, and 576 TB/s.
TEST(Accelerator, AGb200IsASeventySecondOfItsRack) {
  const Accelerator it = accelerator_of("gb200");
  const auto bf16 = it.peak[static_cast<std::size_t>(Precision::bf16)].per_second;
  EXPECT_EQ(bf16 * 72 * 2, 360'000'000'000'000'000);
  EXPECT_EQ(it.memory_bandwidth.bits_per_second * 72, std::int64_t{576'000'000'000'000} * 8);
}

TEST(Accelerator, ActivationsInEightBitsAreKeptInSixteen) {
  EXPECT_EQ(bytes_of(Precision::fp32), 4);
  EXPECT_EQ(bytes_of(Precision::tf32), 4);
  EXPECT_EQ(bytes_of(Precision::fp16), 2);
  EXPECT_EQ(bytes_of(Precision::bf16), 2);
  EXPECT_EQ(bytes_of(Precision::fp8), 2);
}

TEST(Accelerator, InvalidValuesAreRefused) {
  EXPECT_EQ(refusal_of("a1000"),
            "test.yaml:1: accelerator is a1000; one of v100, a100, a100-40gb, h100, h200, b200, "
            "gb200, mi300x, tpu-v4, tpu-v5p, ascend-910, or a map with its values, is needed (did "
            "you mean 'a100'?)");
  EXPECT_EQ(refusal_of("[a100]"), "test.yaml:1: accelerator is a list; a name or a map is needed");
  EXPECT_EQ(refusal_of("{memory: 1 GB}"),
            "test.yaml:1: accelerator lacks 'memory_bandwidth' (memory bandwidth, such as 2039 "
            "GB/s)");
  EXPECT_EQ(refusal_of("{base: a100, sustained: 0}"),
            "test.yaml:1: accelerator.sustained is 0; a value above 0 and at most 1 is needed");
  EXPECT_EQ(refusal_of("{base: a100, memory_share: 1.01}"),
            "test.yaml:1: accelerator.memory_share is 1.01; a value above 0 and at most 1 is "
            "needed");
  EXPECT_EQ(refusal_of("{base: a100, units: 0}"),
            "test.yaml:1: accelerator.units is 0; at least 1 is needed");
}

}  // namespace
}  // namespace loom::model
