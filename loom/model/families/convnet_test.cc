// Shapes of VGG and ResNet.
#include "loom/model/families/convnet.h"

#include "loom/model/testing.h"

namespace loom::model {
namespace {

TEST(Vgg, EveryLayerWithWeightsIsABlock) {
  const Model model = model_of("model: vgg-16");
  EXPECT_EQ(model.blocks, 16);
  EXPECT_EQ(model.sample, "image");
  EXPECT_EQ(model.operators.back().block, 15);
  EXPECT_EQ(model.boundary(0), 64 * 224 * 224);
  EXPECT_EQ(model.boundary(1), 64 * 112 * 112);
  EXPECT_EQ(model.boundary(12), 512 * 7 * 7);
  EXPECT_EQ(model.boundary(14), 4096);
}

TEST(Vgg, TheDenseLayersArePartitionedByColumnsThenRows) {
  const Model model = model_of("model: vgg-19");
  EXPECT_EQ(operator_of(model, "fc6").tensor, TensorSharding::column);
  EXPECT_EQ(operator_of(model, "fc6.dropout").tensor, TensorSharding::sharded);
  EXPECT_EQ(operator_of(model, "fc7").tensor, TensorSharding::row);
  EXPECT_EQ(operator_of(model, "fc8").tensor, TensorSharding::replicated);
}

// torchvision averages the last features to 7 × 7.
TEST(Vgg, TheParametersDoNotDependOnTheImage) {
  const Model large = model_of("model: vgg-16, image: 448");
  EXPECT_EQ(large.parameters(), 138'357'544);
  EXPECT_EQ(operator_of(large, "average").output, 512 * 7 * 7);
  EXPECT_EQ(operator_of(large, "conv1_1").product.flops(),
            4 * operator_of(model_of("model: vgg-16"), "conv1_1").product.flops());
}

TEST(Resnet, EveryResidualBlockIsABlock) {
  const Model model = model_of("model: resnet-50");
  EXPECT_EQ(model.blocks, 16);
  EXPECT_EQ(model.operators.front().name, "conv1");
  EXPECT_EQ(model.boundary(0), 256 * 56 * 56);
  EXPECT_EQ(model.boundary(3), 512 * 28 * 28);
  EXPECT_EQ(model.boundary(14), 2048 * 7 * 7);
}

TEST(Resnet, TheStrideIsOnTheThreeByThreeConvolution) {
  const Model model = model_of("model: resnet-50");
  EXPECT_EQ(operator_of(model, "stage2.block0.conv1").product.rows, 56 * 56);
  EXPECT_EQ(operator_of(model, "stage2.block0.conv2").product,
            (MatrixProduct{.rows = 784, .inner = 1152, .columns = 128}));
}

// If the shape changes, the sum reads a convolution of the input, otherwise the input.
TEST(Resnet, TheSumReadsBothBranches) {
  const Model model = model_of("model: resnet-50");
  const auto name = [&](int op) { return model.operators[static_cast<std::size_t>(op)].name; };
  const Operator& first = operator_of(model, "stage3.block0.add");
  EXPECT_EQ(name(first.inputs[0]), "stage3.block0.conv3.norm");
  EXPECT_EQ(name(first.inputs[1]), "stage3.block0.downsample.norm");
  const Operator& second = operator_of(model, "stage3.block1.add");
  EXPECT_EQ(name(second.inputs[1]), "stage3.block0.relu3");
}

// Every input of a convolution or norm is one tensor.
TEST(Resnet, EveryTensorIsKeptOnce) {
  const Model model = model_of("model: resnet-50");
  EXPECT_EQ(operator_of(model, "stage2.block0.conv1").saved, 256 * 56 * 56);
  EXPECT_EQ(operator_of(model, "stage2.block0.downsample").saved, 0);
  EXPECT_EQ(operator_of(model, "stage2.block0.relu1").saved, 0);
  EXPECT_EQ(operator_of(model, "stage4.block2.relu3").saved, 2048 * 7 * 7);
}

TEST(Convnet, InvalidShapesAreRefused) {
  EXPECT_EQ(refusal_of("model: resnet, stages: 3x4x6"),
            "test.yaml:1: workload.stages is 3x4x6; 4 numbers are needed");
  EXPECT_EQ(refusal_of("model: resnet, stages: 3x4x6x3x3"),
            "test.yaml:1: workload.stages is 3x4x6x3x3; at most 4 numbers are possible");
  EXPECT_EQ(refusal_of("model: vgg, convolutions: 2x2x3x3x2000"),
            "test.yaml:1: workload.convolutions is 2x2x3x3x2000; every size may be at most 1000");
  EXPECT_EQ(refusal_of("model: vgg, image: 16"),
            "test.yaml:1: workload.image is 16; at least 32 is needed");
}

}  // namespace
}  // namespace loom::model
