// Pieces of operators: together the whole, each with what it needs.
#include "loom/parallelize/operator_cut.h"

#include "loom/parallelize/choose_cuts.h"
#include "loom/parallelize/testing.h"

namespace loom {
namespace {

struct Case {
  Model model;
  Job job = {};
  Accelerator accelerator = small_accelerator();
  MeasuredTimes measured = {};

  OperatorCuts cuts(std::int64_t samples) const {
    return OperatorCuts({model, job, accelerator, measured, samples});
  }
  int index(const std::string& name) const {
    const auto found = std::find_if(model.operators.begin(), model.operators.end(),
                                    [&](const Operator& op) { return op.name == name; });
    return static_cast<int>(found - model.operators.begin());
  }
};

Case transformer() { return {small_transformer(2)}; }
Case images() { return {model_of("model: resnet-50, image: 64")}; }
Case mixture() { return {small_mixture(1)}; }
Case dense() { return {model_of("model: mlp, inputs: 64, widths: 96x300x64")}; }
Case tables() { return {model_of("model: dlrm")}; }

constexpr std::array kDimensions = {CutDimension::sample, CutDimension::parameter,
                                    CutDimension::attribute};

void expect_whole(const Operator& op, const CutOperator& it) {
  std::int64_t made = 0;
  std::int64_t parameters = 0;
  for (std::size_t p = 0; p < it.pieces.size(); ++p) {
    made += elements(it.pieces[p].output);
    parameters += it.pieces[p].parameters;
    for (std::size_t q = 0; q < p && !it.sums; ++q) {
      EXPECT_TRUE(overlap(it.pieces[p].output, it.pieces[q].output).empty());
    }
  }
  const auto degree = static_cast<std::int64_t>(it.pieces.size());
  EXPECT_EQ(made, it.whole.elements() * (it.sums ? degree : 1)) << op.name;
  EXPECT_EQ(parameters, op.parameters * (it.shared ? degree : 1)) << op.name;
}

TEST(OperatorCut, PiecesAreTogetherTheWhole) {
  for (const Case& it : {transformer(), images(), mixture(), dense(), tables()}) {
    const OperatorCuts cuts = it.cuts(7);
    for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
      for (const CutDimension dimension : kDimensions) {
        for (const int degree : {1, 2, 3, 5, 7}) {
          if (!cuts.objection(op, {dimension, degree}).empty()) continue;
          expect_whole(it.model.operators[static_cast<std::size_t>(op)],
                       cuts.cut(op, {dimension, degree}));
        }
      }
    }
  }
}

TEST(OperatorCut, OneWayIsTheOperatorItself) {
  for (const Case& it : {transformer(), images(), mixture(), dense(), tables()}) {
    const OperatorCuts cuts = it.cuts(4);
    for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
      const Operator& whole = it.model.operators[static_cast<std::size_t>(op)];
      const OperatorTime time =
          operator_time(whole, {.samples = 4}, it.accelerator, it.job.precision, {});
      const CutOperator cut = cuts.cut(op, {});
      EXPECT_EQ(cut.pieces.front().forward, time.forward);
      EXPECT_EQ(cut.pieces.front().backward, time.backward);
    }
  }
}

// What divides evenly is what a strategy's division gives.
TEST(OperatorCut, EvenPiecesTakeAsLongAsTensorParallelismSays) {
  const Case it = transformer();
  const OperatorCuts cuts = it.cuts(4);
  for (int op = 0; op < static_cast<int>(it.model.operators.size()); ++op) {
    const Operator& whole = it.model.operators[static_cast<std::size_t>(op)];
    if (whole.tensor == TensorSplit::replicated || whole.kind == OperatorKind::lookup) continue;
    const OperatorTime time =
        operator_time(whole, {.samples = 4, .tensor = 4}, it.accelerator, it.job.precision, {});
    for (int p = 0; p < 4; ++p) {
      const OperatorTime piece = cuts.piece_time(op, {CutDimension::parameter, 4}, p);
      EXPECT_EQ(piece.forward, time.forward) << whole.name;
      EXPECT_EQ(piece.backward, time.backward) << whole.name;
    }
  }
}

// Eight heads in three: the columns before and the rows behind them go with the heads.
TEST(OperatorCut, FeaturesAreCutBetweenHeads) {
  const Case it = transformer();
  const OperatorCuts cuts = it.cuts(1);
  const Cut cut{CutDimension::parameter, 3};
  const CutOperator qkv = cuts.cut(it.index("layer0.attention.qkv"), cut);
  const CutOperator scores = cuts.cut(it.index("layer0.attention.scores"), cut);
  for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(scores.needs[0][p], qkv.pieces[p].output);
  EXPECT_EQ(qkv.pieces[0].output.front().features, (Interval{0, 72}));
  EXPECT_EQ(qkv.pieces[2].output.front().features, (Interval{144, 192}));
}

TEST(OperatorCut, AttentionNeedsEverybodysKeysAndValues) {
  const Case it = transformer();
  const OperatorCuts cuts = it.cuts(1);
  const CutOperator scores =
      cuts.cut(it.index("layer0.attention.scores"), {CutDimension::attribute, 4});
  // Of 32 tokens its own 8 with queries, keys and values of 64 each, and the keys of the others.
  EXPECT_EQ(elements(scores.needs[0][1]), 8 * 192 + 24 * 64);
}

// 3 × 3 with stride 1: a row more on each side that is not the border of the image.
TEST(OperatorCut, ConvolutionsNeedTheRowsBesideTheirOwn) {
  const Case it = images();
  const OperatorCuts cuts = it.cuts(1);
  const CutOperator conv = cuts.cut(it.index("stage1.block0.conv2"), {CutDimension::attribute, 4});
  EXPECT_EQ(conv.needs[0][0].front().positions, (Interval{0, 5}));
  EXPECT_EQ(conv.needs[0][1].front().positions, (Interval{3, 9}));
  EXPECT_EQ(conv.needs[0][3].front().positions, (Interval{11, 16}));
  const CutOperator half = cuts.cut(it.index("stage2.block0.conv2"), {CutDimension::attribute, 4});
  EXPECT_EQ(half.needs[0][1].front().positions, (Interval{3, 8}));  // stride 2
}

TEST(OperatorCut, MeasuredTimesScaleThePieces) {
  Case it = dense();
  it.measured.exact[it.model.operators.front().name] = {80_us, Duration::min()};  // forward
  const Case predicted = dense();
  const Cut cut{CutDimension::sample, 2};
  const double factor =
      80e6 / static_cast<double>(predicted.cuts(8).piece_time(0, {}, 0).forward.count());
  EXPECT_EQ(it.cuts(8).piece_time(0, {}, 0).forward, 80_us);
  EXPECT_NEAR(static_cast<double>(it.cuts(8).piece_time(0, cut, 0).forward.count()),
              factor * static_cast<double>(predicted.cuts(8).piece_time(0, cut, 0).forward.count()),
              2);
}

TEST(OperatorCut, ObjectionsSayHowManyWaysThereAre) {
  const Case it = transformer();
  EXPECT_EQ(it.cuts(2).objection(it.index("layer0.attention.qkv"), {CutDimension::sample, 3}),
            "layer0.attention.qkv 3 ways by sample; at most 2 are possible");
  EXPECT_EQ(it.cuts(2).objection(it.index("layer0.attention.norm"), {CutDimension::parameter, 2}),
            "layer0.attention.norm 2 ways by parameter; at most 1 is possible");
}

TEST(ChooseCuts, TheFirstPatternThatFitsCounts) {
  const Case it = transformer();
  const auto chosen =
      choose_cuts(it.cuts(4), {.devices = 4,
                               .manual = {{"layer0.attention.qkv", {CutDimension::parameter, 2}},
                                          {"layer*.attention.qkv", {CutDimension::attribute, 3}},
                                          {"*", {CutDimension::sample, 4}}}});
  const auto& cuts = std::get<std::vector<Cut>>(chosen);
  const auto of = [&](const char* name) { return cuts[static_cast<std::size_t>(it.index(name))]; };
  EXPECT_EQ(of("layer0.attention.qkv"), (Cut{CutDimension::parameter, 2}));
  EXPECT_EQ(of("layer1.attention.qkv"), (Cut{CutDimension::attribute, 3}));
  EXPECT_EQ(of("layer1.attention.norm"), (Cut{CutDimension::sample, 4}));
}

TEST(ChooseCuts, ALongQuantumLeavesOperatorsWhole) {
  const Case it = transformer();
  const auto chosen = choose_cuts(it.cuts(4), {.devices = 4, .quantum = 1000_ms});
  for (const Cut& cut : std::get<std::vector<Cut>>(chosen)) EXPECT_EQ(cut.degree, 1);
}

}  // namespace
}  // namespace loom
