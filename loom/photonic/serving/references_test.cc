// Comparison with the released simulation's results, digit for digit; the data is not part of the
// project.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "loom/base/files.h"
#include "loom/photonic/serving/tick_simulation.h"

namespace loom::photonic {
namespace {

class References : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("LOOM_LIGHTNING_DATA");
    if (folder == nullptr) {
      GTEST_SKIP() << "LOOM_LIGHTNING_DATA does not name the reference data";
    }
    folder_ = std::string(folder) + "/des/";
  }

  std::string folder_;
};

TEST_F(References, ThePublishedNetworksAreTheirLayers) {
  const auto table = parse_layer_table(read_file(folder_ + "dag_layers.csv"), "dag_layers.csv");
  const auto ours = published_models();
  EXPECT_EQ(table.size(), ours.size());
  for (const ServedModel& model : table) {
    const ServedModel* found = find_model(ours, model.name);
    ASSERT_NE(found, nullptr) << model.name;
    EXPECT_TRUE(found->layers == model.layers) << model.name;
  }
}

TEST_F(References, MeanServingTimesAreEqualToAllDigits) {
  const auto models = published_models();
  std::ifstream lines(folder_ + "reference_traces_1_2.jsonl");
  int compared = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto reference = nlohmann::json::parse(line);
    const std::string name = reference["processor"] == "DPU" ? "A100X" : reference["processor"];
    const std::string file = fmt::format("sched_0.06_{}.csv", reference["trace"].get<int>());
    const auto arrivals = parse_requests(read_file(folder_ + file), file, models);
    for (const TickProcessor& processor : published_processors()) {
      if (processor.name != name) continue;
      const auto first = reference["requests"].get<std::size_t>();
      const auto means =
          means_by_model(simulate_ticks(processor, models, arrivals, first), models.size());
      for (std::size_t m = 0; m < models.size(); ++m) {
        if (means[m].answers == 0) continue;
        const double expected = reference["mean_serve_ns"].at(models[m].name);
        EXPECT_EQ(means[m].nanoseconds, expected) << name << " " << models[m].name;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 2 * 4 * 7);
}

}  // namespace
}  // namespace loom::photonic
