// Test support for training jobs: small models, and an accelerator with round numbers.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "loom/base/testing.h"
#include "loom/model/testing.h"
#include "loom/parallelize/shard.h"

namespace loom::parallelize {

// A small GPT as in Megatron-LM: hidden 64, 8 heads, sequence 32.
inline model::Model small_transformer(int layers, const std::string& more = "") {
  return model::model_of(
      fmt::format("model: transformer, layers: {}, hidden: 64, heads: 8, vocabulary: 256, "
                  "sequence: 32, positions: 32{}",
                  layers, more));
}

inline model::Model small_mixture(int layers, const std::string& more = "") {
  return small_transformer(layers, ", experts: 4, chosen_experts: 2" + more);
}

inline model::Accelerator small_accelerator() {
  model::Accelerator it;
  it.name = "small";
  it.peak.fill({1'000'000'000'000});
  it.memory = 80_GB;
  it.memory_bandwidth = {800'000'000'000};
  it.launch = 1_us;
  return it;
}

inline ShardedModel sharded(const model::Model& model, const Job& job, const Strategy& strategy) {
  EXPECT_EQ(why(objection(model, job, strategy)), "no objection") << to_text(strategy);
  return shard(model, job, strategy, small_accelerator(), {});
}

}  // namespace loom::parallelize
