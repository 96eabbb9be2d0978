// Times of operators divided over devices, and measured times.
#include "loom/model/operator_time.h"

#include "loom/base/tree.h"
#include "loom/model/testing.h"

namespace loom::model {
namespace {

Accelerator a100() { return read_accelerator(parse_yaml("a100", "test.yaml")); }

Model gpt() {
  return model_of(
      "model: transformer, layers: 12, hidden: 1024, heads: 16, vocabulary: 51200, sequence: 1024, "
      "positions: 1024");
}

OperatorTime time_of(const Operator& op, const Division& division,
                     const MeasuredTimes& measured = {}) {
  return operator_time(op, division, a100(), Precision::bf16, measured);
}

TEST(OperatorTime, MoreSamplesNeverTakeLess) {
  for (const std::string name : {"resnet-50", "bert-large", "mixtral-8x7b", "dlrm"}) {
    for (const Operator& op : model_of("model: " + name).operators) {
      OperatorTime before;
      for (const std::int64_t samples : {1, 2, 4, 8, 16}) {
        const OperatorTime time = time_of(op, {.samples = samples});
        EXPECT_GT(time.forward.count(), 0) << op.name;
        EXPECT_GT(time.backward.count(), 0) << op.name;
        EXPECT_GE(time.forward, before.forward) << op.name;
        EXPECT_GE(time.backward, before.backward) << op.name;
        before = time;
      }
    }
  }
}

TEST(OperatorTime, ShardingNeverTakesLonger) {
  for (const Operator& op : gpt().operators) {
    const OperatorTime whole = time_of(op, {.samples = 4});
    for (const Division& division :
         {Division{.samples = 4, .tensor = 4}, Division{.samples = 4, .context = 4},
          Division{.samples = 4, .tensor = 4, .sequence_parallel = true}}) {
      EXPECT_LE(time_of(op, division).forward, whole.forward) << op.name;
      EXPECT_LE(time_of(op, division).backward, whole.backward) << op.name;
    }
  }
}

TEST(OperatorTime, OnlySequenceParallelismDividesReplicatedOperators) {
  for (const Operator& op : gpt().operators) {
    if (op.tensor != TensorSharding::replicated || op.output < 1000) continue;
    const OperatorTime whole = time_of(op, {.samples = 4});
    EXPECT_EQ(time_of(op, {.samples = 4, .tensor = 4}).forward, whole.forward) << op.name;
    EXPECT_LT(time_of(op, {.samples = 4, .tensor = 4, .sequence_parallel = true}).forward,
              whole.forward)
        << op.name;
  }
}

TEST(OperatorTime, ABusierExpertTakesLonger) {
  const Model model = model_of("model: mixtral-8x7b, layers: 1");
  for (const Operator& op : model.operators) {
    const OperatorTime fair = time_of(op, {.samples = 4, .expert = 8});
    const OperatorTime busy = time_of(op, {.samples = 4, .expert = 8, .expert_load = 2});
    EXPECT_EQ(busy.forward > fair.forward, op.experts > 0) << op.name;
  }
}

constexpr const char* kTimes =
    "operator,pass,time\n"
    "layer1.attention.qkv,forward,7 us\n"
    "layer1.*,forward,5 us\n"
    "layer1.*,backward,6 us\n"
    "layer*,backward,9 us\n";

TEST(MeasuredTimes, TheExactNamePrecedesTheLongestPattern) {
  const MeasuredTimes measured = parse_measured_times(kTimes, "times.csv");
  const Model model = gpt();
  const Operator& qkv = operator_of(model, "layer1.attention.qkv");
  EXPECT_EQ(time_of(qkv, {}, measured).forward, 7_us);
  EXPECT_EQ(time_of(qkv, {}, measured).backward, time_of(qkv, {}).backward);
  const Operator& up = operator_of(model, "layer1.feed_forward.up");
  EXPECT_EQ(time_of(up, {}, measured).forward, 5_us);
  EXPECT_EQ(time_of(up, {}, measured).backward, 6_us);
}

TEST(MeasuredTimes, APassThatIsNotNamedIsPredicted) {
  const MeasuredTimes measured = parse_measured_times(kTimes, "times.csv");
  const Model model = gpt();
  const Operator& up = operator_of(model, "layer2.feed_forward.up");
  EXPECT_EQ(time_of(up, {}, measured).forward, time_of(up, {}).forward);
  EXPECT_EQ(time_of(up, {}, measured).backward, 9_us);
  const Operator& tokens = operator_of(model, "embedding.tokens");
  EXPECT_EQ(time_of(tokens, {}, measured).forward, time_of(tokens, {}).forward);
}

TEST(MeasuredTimes, ErrorsInTheFileAreRefused) {
  const auto refusal = [](const std::string& text) {
    return message([&] { parse_measured_times(text, "times.csv"); });
  };
  EXPECT_EQ(refusal("operator,pass,time\na,sideways,1 us\n"),
            "times.csv:2: pass is sideways; forward or backward is needed");
  EXPECT_EQ(refusal("operator,pass\na,forward\n"),
            "times.csv:1: column 'time' is missing; known are operator, pass, time");
}

}  // namespace
}  // namespace loom::model
