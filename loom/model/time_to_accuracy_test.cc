#include "loom/model/time_to_accuracy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/base/files.h"
#include "loom/base/testing.h"
#include "loom/model/catalog.h"

namespace loom::model {
namespace {

AccuracyLaw table(std::vector<BatchPoint> points) {
  return {.iterations = IterationTable{std::move(points)}};
}

std::string refusal(const std::string& text) {
  return message([&] { parse_iteration_table(text, "t.csv"); });
}

std::optional<AccuracyLaw> law_from(const std::string& yaml, const std::string& source = "s.yaml") {
  return read_accuracy_law(Settings(parse_yaml(yaml, source), kAccuracyParameters, "workload"));
}

TEST(TimeToAccuracy, AMeasuredBatchNeedsTheMeasuredIterations) {
  const AccuracyLaw law = table({{100, 900}, {1000, 95}});
  EXPECT_EQ(iterations_to_accuracy(law, 100), 900);
  EXPECT_EQ(iterations_to_accuracy(law, 1000), 95);
}

TEST(TimeToAccuracy, InterpolationIsLinearOnLogarithmicAxes) {
  EXPECT_EQ(iterations_to_accuracy(table({{100, 10000}, {10000, 100}}), 1000), 1000);
  EXPECT_EQ(iterations_to_accuracy(table({{64, 4000}, {256, 1000}}), 128), 2000);
}

TEST(TimeToAccuracy, BelowTheTableSamplesAreConstantAndBeyondItIterationsAre) {
  const AccuracyLaw law = table({{100, 900}, {1000, 95}});
  EXPECT_EQ(iterations_to_accuracy(law, 50), 1800);
  EXPECT_EQ(iterations_to_accuracy(law, 7), 12858);
  EXPECT_EQ(iterations_to_accuracy(law, 4000), 95);
  EXPECT_FALSE(time_to_accuracy(law, 50, 1_ms).measured);
  EXPECT_FALSE(time_to_accuracy(law, 4000, 1_ms).measured);
  EXPECT_TRUE(time_to_accuracy(law, 1000, 1_ms).measured);
}

TEST(TimeToAccuracy, TheCriticalBatchNeedsTwiceTheMinimumIterations) {
  const AccuracyLaw law = {.iterations = CriticalBatch{1000, 4096}};
  EXPECT_EQ(iterations_to_accuracy(law, 4096), 2000);
  EXPECT_EQ(iterations_to_accuracy(law, 1), 4097000);
  EXPECT_EQ(iterations_to_accuracy(law, 28672), 1143);
  EXPECT_EQ(iterations_to_accuracy(law, kMaxIterations), 1001);
}

TEST(TimeToAccuracy, TheTimeIsThatOfAllIterations) {
  const AccuracyLaw law = {.iterations = CriticalBatch{1000, 4096}};
  EXPECT_EQ(time_to_accuracy(law, 4096, 90_ms),
            (TrainingTime{2000, TrainingSpan{180'000'000}, true}));
}

TEST(TimeToAccuracy, AnOverflowingTrainingTimeIsALimitError) {
  const AccuracyLaw law = {.iterations = CriticalBatch{kMaxIterations, kMaxIterations}};
  EXPECT_EQ(iterations_to_accuracy(law, 1), 1'000'000'001'000'000'000);
  EXPECT_THROW(time_to_accuracy(law, 1, 1_ms), LimitError);
}

TEST(TimeToAccuracy, NoPublishedLawNeedsMoreIterationsForALargerBatch) {
  for (const ModelPreset& preset : model_presets()) {
    const auto law = published_accuracy_law(preset.name);
    if (!law) continue;
    std::int64_t before = iterations_to_accuracy(*law, 1);
    for (std::int64_t batch = 2; batch < 200'000; batch += 1 + batch / 50) {
      const std::int64_t now = iterations_to_accuracy(*law, batch);
      EXPECT_LE(now, before) << preset.name << " at " << batch;
      before = now;
    }
  }
}

TEST(TimeToAccuracy, APublishedLawNamesItsTargetAndSourceAndCountsThePresetsSamples) {
  int laws = 0;
  for (const ModelPreset& preset : model_presets()) {
    const auto law = published_accuracy_law(preset.name);
    if (!law) continue;
    ++laws;
    EXPECT_FALSE(law->target.empty()) << preset.name;
    EXPECT_FALSE(law->source.empty()) << preset.name;
    const Tree map = parse_yaml("model: " + std::string(preset.name), "m.yaml");
    const Model model = build_model(read_model(map));
    EXPECT_TRUE(law->tokens == 0 || law->tokens == model.tokens) << preset.name;
  }
  EXPECT_EQ(laws, 11);
}

TEST(TimeToAccuracy, AModelWithoutASourceHasNoLaw) {
  EXPECT_FALSE(published_accuracy_law("mixtral-8x7b"));
  EXPECT_FALSE(published_accuracy_law("transformer"));
}

TEST(TimeToAccuracy, TheCriticalBatchesFollowFromThePublishedTrainings) {
  struct Training {
    std::string_view preset;
    double loss;
    double batch;
    double iterations;
  };
  for (const Training& it : {Training{"gpt2-1.5b", std::pow(8.8e13 / 1.5e9, 0.076), 512, 250000},
                             Training{"megatron-8.3b", std::log(9.27), 512, 300000},
                             Training{"gpt3-175b", 2.57 * std::pow(3640, -0.048), 1562.5, 93750}}) {
    const AccuracyLaw law = *published_accuracy_law(it.preset);
    const auto& found = std::get<CriticalBatch>(law.iterations);
    const double critical = 2e8 * std::pow(it.loss, -1 / 0.21) / static_cast<double>(law.tokens);
    EXPECT_NEAR(static_cast<double>(found.critical_batch), critical, 1) << it.preset;
    EXPECT_NEAR(static_cast<double>(found.iterations_minimum),
                it.iterations / (1 + critical / it.batch), 1)
        << it.preset;
  }
}

TEST(TimeToAccuracy, ATableIsReadWithCommasOrSpacesInAnyOrder) {
  const AccuracyLaw law =
      parse_iteration_table("batch,iterations\n 512, 20\r\n\n64\t 100", "t.csv");
  EXPECT_EQ(std::get<IterationTable>(law.iterations), (IterationTable{{{64, 100}, {512, 20}}}));
  EXPECT_EQ(law.source, "t.csv");
}

TEST(TimeToAccuracy, ABrokenTableIsRefusedAtItsLine) {
  EXPECT_EQ(refusal(""),
            "t.csv: the table is empty; at least one batch and its iterations are needed");
  EXPECT_EQ(refusal("batch iterations\n"),
            "t.csv: the table is empty; at least one batch and its iterations are needed");
  EXPECT_EQ(refusal("64 100\n128\n"),
            "t.csv:2: the line has 1 values; a batch and its iterations are needed");
  EXPECT_EQ(refusal("64 100 3"),
            "t.csv:1: the line has 3 values; a batch and its iterations are needed");
  EXPECT_EQ(refusal("0 100"), "t.csv:1: batch is 0; an integer from 1 to 1000000000 is needed");
  EXPECT_EQ(refusal("64 1e5"),
            "t.csv:1: iterations is 1e5; an integer from 1 to 1000000000 is needed");
  EXPECT_EQ(refusal("64 99999999999999999999"),
            "t.csv:1: iterations is 99999999999999999999; an integer from 1 to 1000000000 is "
            "needed");
  EXPECT_EQ(refusal("64 10\n\n64 11"), "t.csv:3: batch 64 appears twice; it may appear once");
  EXPECT_EQ(refusal("64 1\x01"), "t.csv:1: byte 0x01 found; a batch and its iterations are needed");
}

TEST(TimeToAccuracy, AScenarioGivesTheTwoNumbersOrAFile) {
  EXPECT_EQ(law_from("{iterations_minimum: 1000, critical_batch: 4096}"),
            (AccuracyLaw{.source = "s.yaml:1", .iterations = CriticalBatch{1000, 4096}}));
  const std::string folder = ::testing::TempDir();
  write_file(folder + "/measured.csv", "64,100\n");
  EXPECT_EQ(law_from("iterations_file: measured.csv", folder + "/s.yaml")->iterations,
            table({{64, 100}}).iterations);
}

TEST(TimeToAccuracy, AScenarioThatGivesOneNumberOrBothLawsIsRefused) {
  EXPECT_EQ(law_from("{}"), std::nullopt);
  EXPECT_EQ(message([] { law_from("iterations_minimum: 5"); }),
            "s.yaml:1: only one of iterations_minimum and critical_batch is given; both are "
            "needed");
  EXPECT_EQ(message([] { law_from("{iterations_file: t.csv, critical_batch: 5}"); }),
            "s.yaml:1: workload.iterations_file is t.csv; a file, or iterations_minimum and "
            "critical_batch, is needed, not both");
  EXPECT_EQ(message([] { law_from("iterations_file: /no/such/file"); }),
            "s.yaml:1: cannot read '/no/such/file': No such file or directory");
}

}  // namespace
}  // namespace loom::model
