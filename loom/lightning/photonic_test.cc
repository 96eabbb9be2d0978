#include "loom/lightning/photonic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/base/testing.h"
#include "loom/lightning/photonic_inputs.h"
#include "loom/lightning/photonic_serving.h"

namespace loom::lightning {
namespace {

// Two inputs, one hidden value, two outputs.
PhotonicStudy small_study() {
  photonic::PhotonicLayer first;
  first.name = "a";
  first.input = {.channels = 2};
  first.weights = {255, 128};
  photonic::PhotonicLayer second;
  second.name = "b";
  second.outputs = 2;
  second.relu = false;
  second.weights = {255, -255};
  PhotonicStudy study;
  study.network = {"small", {first, second}};
  study.inputs = {200, 100, 0, 7};
  return study;
}

TEST(PhotonicStudy, AnOutcomeWithoutLabelsIsValidJson) {
  const PhotonicStudy study = small_study();
  const nlohmann::ordered_json json = outcome_json(study, run_study(study));
  EXPECT_EQ(json["labels"], nlohmann::ordered_json({0, 0}));
  EXPECT_EQ(json["logits"].size(), 2U);
  EXPECT_EQ(json["log_probabilities"].size(), 2U);
  // Two classes, so their probabilities add up to one.
  const nlohmann::ordered_json& first = json["log_probabilities"][0];
  ASSERT_EQ(first.size(), 2U);
  EXPECT_NEAR(std::exp(first[0].get<double>()) + std::exp(first[1].get<double>()), 1, 1e-5);
  EXPECT_GT(first[0].get<double>(), first[1].get<double>());
  EXPECT_FALSE(json.contains("accuracy"));
  EXPECT_FALSE(json.contains("layers"));
}

TEST(PhotonicStudy, ASkewIsFoundAndCompensatedOnRequest) {
  PhotonicStudy study = small_study();
  study.speed = PhotonicSpeed::cycles;
  study.link.skew = 21;
  EXPECT_TRUE(run_study(study).fault);
  study.search_skew = true;
  const PhotonicOutcome found = run_study(study);
  EXPECT_FALSE(found.fault);
  EXPECT_EQ(found.compensation, 21);
  EXPECT_EQ(found.results.size(), 2U);
  study.link.skew = 900;
  EXPECT_TRUE(run_study(study).fault);
}

TEST(PhotonicStudy, BothEnginesKeepLayersOnRequest) {
  PhotonicStudy study = small_study();
  study.keep_layers = true;
  const nlohmann::ordered_json functional = outcome_json(study, run_study(study));
  EXPECT_EQ(functional["layers"][0][0]["sums"], nlohmann::ordered_json({249}));  // 199 and 50
  EXPECT_EQ(functional["layers"][0][0]["activations"], nlohmann::ordered_json({249}));
  EXPECT_EQ(functional["layers"][0][1]["sums"], nlohmann::ordered_json({248, -248}));
  EXPECT_FALSE(functional["layers"][0][1].contains("activations"));
  study.speed = PhotonicSpeed::cycles;
  EXPECT_EQ(outcome_json(study, run_study(study))["layers"], functional["layers"]);
}

TEST(PhotonicStudy, BadLightIsAWarningOfTheFunctionalPathAndAFaultOfTheCyclePath) {
  PhotonicStudy study = small_study();
  EXPECT_EQ(run_study(study).warning, std::nullopt);
  study.datapath.loss_decibel = 20;
  const std::string why = run_study(study).warning.value_or("none");
  EXPECT_TRUE(why.starts_with("known answer: the sum is 2700 instead of 6306")) << why;
  study.speed = PhotonicSpeed::cycles;
  EXPECT_EQ(run_study(study).fault, why);
  study = small_study();
  study.datapath = {.wavelengths = 2, .adc_range = 0};
  study.inputs = {255, 255, 255, 255};
  EXPECT_EQ(run_study(study).warning, "2 samples exceeded the ADC's range and were clipped");
}

photonic::LoadAnswer answer(photonic::ReplyStatus status, int nanoseconds) {
  photonic::LoadAnswer result;
  result.answered = true;
  result.status = status;
  result.time = std::chrono::nanoseconds(nanoseconds);
  return result;
}

TEST(ServedLoad, PercentilesCountOnlyAnswersThatAreOk) {
  ServedLoad load;
  load.result.answers = {answer(photonic::ReplyStatus::ok, 100),
                         answer(photonic::ReplyStatus::wrong_size, 1), photonic::LoadAnswer{},
                         answer(photonic::ReplyStatus::ok, 300)};
  load.result.lost = 1;
  EXPECT_EQ(load.percentile(0.01), Duration(100'000));
  EXPECT_EQ(load.percentile(1), Duration(300'000));
  EXPECT_EQ(load_json(load, false)["not_in_percentiles"], 2);
  load.result.answers.resize(3);
  load.result.answers.erase(load.result.answers.begin());
  EXPECT_EQ(load.percentile(0.5), std::nullopt);
  EXPECT_TRUE(load_json(load, false)["p50"].is_null());
}

TEST(ServedLoad, LogitsAreAColumnOnRequest) {
  ServedLoad load;
  load.result.answers = {answer(photonic::ReplyStatus::ok, 100), photonic::LoadAnswer{}};
  EXPECT_EQ(load_table(load).columns.back(), "time");
  load.result.answers[0].answer.logits = {-3, 70};
  EXPECT_EQ(to_csv(load_table(load)),
            "request,status,label,cycles,time [ps],logits\n0,ok,0,0,100000,-3 70\n"
            "1,no answer,,,0,\n");
  const nlohmann::ordered_json answers = load_json(load, true)["answers"];
  EXPECT_EQ(answers[0]["logits"], nlohmann::ordered_json({-3, 70}));
  EXPECT_TRUE(answers[1]["logits"].is_null());
}

TEST(ServedLoad, RandomInputsAreAsManyAsRequestedAndFit) {
  const auto count = [](std::uint32_t size, std::int64_t asked) {
    return client_inputs("", "", {size, 2, 1, false, ""}, 1, asked).count(size);
  };
  EXPECT_EQ(count(10, 0), 1000);
  EXPECT_EQ(count(10, 3), 3);
  EXPECT_EQ(count(10, 5000), 1000);
  EXPECT_EQ(count(16 << 20, 0), 4);
  EXPECT_EQ(count(16 << 20, 1), 1);
}

TEST(ServedLoad, AnswersAreCheckedOnlyAgainstAMatchingServerWithoutNoise) {
  const std::string path =
      write_photonic_network(small_study().network, ::testing::TempDir() + "/loom_checked");
  const std::vector<std::uint8_t> inputs = {1, 2};
  EXPECT_EQ(expected_answers(path, inputs, {2, 2, 1, false, ""}).size(), 1U);
  const std::string location = "--network " + path + ": ";
  EXPECT_EQ(message([&] {
              expected_answers(path, inputs, {2, 2, 1, true, ""});
            }),
            location +
                "the server answers with noise; one without --sample-sigma and --output-sigma is "
                "needed to check answers");
  EXPECT_EQ(message([&] {
              expected_answers(path, inputs, {2, 10, 1, false, ""});
            }),
            location + "it has 2 inputs and 2 outputs; the server's network has 2 and 10");
}

}  // namespace
}  // namespace loom::lightning
