// Bytes that one iteration of a job sends, compared with the textbook.
//
// Ψ is the number of parameters, m the number of micro-batches; activations have two bytes,
// gradients four unless stated otherwise.
#include "loom/place/testing.h"

namespace loom::place {
namespace {

constexpr std::int64_t kLayers = 4;
constexpr std::int64_t kBytes = std::int64_t{32} * 64 * 2;  // activations of one sequence

model::Model gpt() { return parallelize::small_transformer(static_cast<int>(kLayers)); }

TEST(Traffic, DataParallelismReducesEveryGradientOnce) {
  for (const std::int64_t micro_batches : {1, 4}) {
    const model::Model model = gpt();
    EXPECT_EQ(common_traffic(lowered(model, {.batch = 4 * micro_batches}, {.data = 4})),
              (Traffic{{"data all_reduce", 4 * model.parameters()}}));
  }
}

TEST(Traffic, EveryIterationSendsTheSame) {
  const model::Model model = gpt();
  EXPECT_EQ(common_traffic(lowered(model, {.batch = 4}, {.data = 4}, 3)),
            (Traffic{{"data all_reduce", model.parameters() * 3 * 4}}));
}

TEST(Traffic, WithoutOverlapTheSameIsReduced) {
  const model::Model model = gpt();
  EXPECT_EQ(common_traffic(lowered(model, {.batch = 8, .bucket = 1_B, .overlap_gradients = false},
                                   {.data = 4})),
            (Traffic{{"data all_reduce", 4 * model.parameters()}}));
}

// arXiv 1910.02054, section 7: stages 1 and 2 send as much as data parallelism, 2Ψ elements, and
// stage 3 half as much again. With several micro-batches, data that is not kept is sent for each.
TEST(Traffic, ZeroScattersGradientsAndGathersWeights) {
  const model::Model model = gpt();
  const std::int64_t parameters = model.parameters();
  for (const std::int64_t m : {1, 3}) {
    const auto traffic = [&](int zero) {
      return common_traffic(lowered(model, {.batch = 4 * m}, {.data = 4, .zero = zero}));
    };
    EXPECT_EQ(traffic(1), (Traffic{{"data reduce_scatter", 4 * parameters},
                                   {"data all_gather", 2 * parameters}}));
    EXPECT_EQ(traffic(2), (Traffic{{"data reduce_scatter", m * 4 * parameters},
                                   {"data all_gather", 2 * parameters}}));
    EXPECT_EQ(traffic(3), (Traffic{{"data reduce_scatter", m * 4 * parameters},
                                   {"data all_gather", m * parameters * 2 * 2}}));
  }
}

TEST(Traffic, ZeroThreeSendsThreeTimesTheParametersIfGradientsHaveTwoBytes) {
  const model::Model model = gpt();
  const parallelize::Job job{.batch = 4, .gradient_bytes = 2};
  const Traffic traffic = common_traffic(lowered(model, job, {.data = 4, .zero = 3}));
  EXPECT_EQ(traffic.at("data reduce_scatter") + traffic.at("data all_gather"),
            model.parameters() * 3 * 2);
}

TEST(Traffic, GradientsAreReducedOverDataAndContextRanks) {
  const model::Model model = gpt();
  const Traffic traffic = common_traffic(lowered(model, {.batch = 2}, {.context = 4, .data = 2}));
  EXPECT_EQ(traffic.at("data all_reduce"), 4 * model.parameters());
}

TEST(Traffic, ExpertsAreReducedOverTheirOwnReplicas) {
  const model::Model model = parallelize::small_mixture(static_cast<int>(kLayers));
  std::int64_t experts = 0;
  for (const model::Operator& op : model.operators) experts += op.experts > 0 ? op.parameters : 0;
  const std::int64_t dense = model.parameters() - experts;
  const auto reduced = [&](int expert) {
    return common_traffic(lowered(model, {.batch = 4}, {.expert = expert, .data = 4}))
        .at("data all_reduce");
  };
  EXPECT_EQ(reduced(1), 4 * (dense + experts));
  EXPECT_EQ(reduced(2), 4 * (dense + experts / 2));
  EXPECT_EQ(reduced(4), 4 * dense);
}

// Per layer, two all-reduces of b·s·h forward and two backward, plus one each for embedding and
// head.
TEST(Traffic, TensorParallelismReducesActivationsFourTimesALayer) {
  for (const std::int64_t m : {1, 3}) {
    EXPECT_EQ(common_traffic(lowered(gpt(), {.batch = 2 * m}, {.tensor = 4, .micro_batch = 2})),
              (Traffic{{"tensor all_reduce", m * 2 * (4 * kLayers + 2) * kBytes}}));
  }
}

// An all-reduce is a reduce-scatter and an all-gather of the same size.
TEST(Traffic, SequenceParallelismSendsTheSameBytesInTwoHalves) {
  const std::int64_t size = 3 * (4 * kLayers + 2) * kBytes;
  EXPECT_EQ(common_traffic(lowered(gpt(), {.batch = 3}, {.tensor = 4, .sequence_parallel = true})),
            (Traffic{{"tensor all_gather", size}, {"tensor reduce_scatter", size}}));
}

TEST(Traffic, AMixtureExchangesTokensFourTimesALayer) {
  for (const double capacity : {1.0, 1.5}) {
    const Traffic traffic = common_traffic(
        lowered(parallelize::small_mixture(static_cast<int>(kLayers)),
                {.batch = 8, .capacity = capacity}, {.expert = 4, .data = 4, .micro_batch = 2}));
    const auto once =
        static_cast<std::int64_t>(static_cast<double>(kBytes) * 2 * 2 * capacity);  // top-2 routing
    EXPECT_EQ(traffic.at("expert all_to_all"), 4 * kLayers * once);
  }
}

TEST(Traffic, ContextParallelismExchangesKeysAndValues) {
  const Traffic traffic = common_traffic(lowered(gpt(), {.batch = 3}, {.context = 4}));
  EXPECT_EQ(traffic.at("context all_gather"), kBytes * 3 * kLayers * 2);
  EXPECT_EQ(traffic.at("context reduce_scatter"), kBytes * 3 * kLayers * 2);
}

// b·s·h / t over every boundary in each direction: an inner stage sends in both.
TEST(Traffic, PipelinesSendActivationsOverEveryBoundary) {
  for (const int t : {1, 2}) {
    const parallelize::Strategy strategy{
        .tensor = t, .pipeline = 4, .micro_batch = 2, .sequence_parallel = true};
    const std::vector<Traffic> traffic = traffic_of(lowered(gpt(), {.batch = 12}, strategy));
    const std::int64_t once = 2 * kBytes / t;
    for (int d = 0; d < strategy.devices(); ++d) {
      const int stage = Grid(strategy).coordinate(d, parallelize::Dimension::pipeline);
      const bool at_an_end = stage == 0 || stage == 3;
      EXPECT_EQ(traffic[static_cast<std::size_t>(d)].at("pipeline point_to_point"),
                once * (at_an_end ? 1 : 2) * 6);
    }
  }
}

// arXiv 2104.04473, section 2.2.2: v chunks send v times as much.
TEST(Traffic, ChunksMultiplyPipelineTraffic) {
  for (const int v : {1, 2, 3}) {
    const parallelize::Strategy strategy{
        .pipeline = 2, .interleave = v, .schedule = parallelize::PipelineSchedule::interleaved};
    std::int64_t sum = 0;
    for (const Traffic& it :
         traffic_of(lowered(parallelize::small_transformer(6), {.batch = 4}, strategy))) {
      sum += it.at("pipeline point_to_point");
    }
    EXPECT_EQ(sum, kBytes * 2 * (2 * v - 1) * 4);
  }
}

// Without sequence parallelism each receiver gets a fraction and gathers the rest.
TEST(Traffic, TensorRanksGatherTheFractionsTheyReceive) {
  const auto gathered = [&](bool sequence_parallel) {
    std::int64_t sum = 0;
    for (const Traffic& it : traffic_of(
             lowered(gpt(), {.batch = 3},
                     {.tensor = 2, .pipeline = 2, .sequence_parallel = sequence_parallel}))) {
      const auto found = it.find("tensor all_gather");
      sum += found == it.end() ? 0 : found->second;
    }
    return sum;
  };
  EXPECT_EQ(gathered(false), kBytes * 4 * 3);
}

TEST(Traffic, OneDeviceSendsNothing) {
  for (const model::ModelPreset& preset : model::model_presets()) {
    const model::Model model = model::model_of("model: " + std::string(preset.name));
    for (int zero = 0; zero <= 3; ++zero) {
      const LoweredJob job = lowered(model, {.batch = 2}, {.zero = zero}, 2);
      EXPECT_TRUE(job.workload.collectives.empty()) << preset.name;
      EXPECT_EQ(job.workload.devices, 1);
    }
  }
}

}  // namespace
}  // namespace loom::place
