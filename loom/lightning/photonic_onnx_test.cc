#include "loom/lightning/photonic_onnx.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::lightning {
namespace {

foreign::OnnxNode node(const std::string& op, const std::vector<std::string>& inputs,
                       const std::string& output) {
  foreign::OnnxNode result;
  result.op = op;
  result.name = output;
  result.inputs = inputs;
  result.outputs = {output};
  return result;
}

foreign::OnnxTensor tensor(const std::vector<std::int64_t>& shape, double value) {
  std::int64_t count = 1;
  for (const std::int64_t side : shape) count *= side;
  return {shape, std::vector<double>(static_cast<std::size_t>(count), value)};
}

// The shape of LeNet-5: two convolutions with pooling, and a dense layer as MatMul and Add.
foreign::OnnxNetwork lenet() {
  foreign::OnnxNetwork onnx;
  onnx.source = "lenet.onnx";
  onnx.name = "lenet";
  onnx.input = "x";
  onnx.output = "s";
  onnx.input_shape = {0, 1, 28, 28};
  onnx.tensors["w1"] = tensor({6, 1, 5, 5}, 0.5);
  onnx.tensors["b1"] = tensor({6}, 0.25);
  onnx.tensors["w2"] = tensor({16, 6, 5, 5}, -0.5);
  onnx.tensors["w3"] = tensor({400, 10}, 1);
  onnx.tensors["b3"] = tensor({10}, 0.5);
  foreign::OnnxNode first = node("Conv", {"x", "w1", "b1"}, "c1");
  first.integers["pads"] = {2, 2, 2, 2};
  foreign::OnnxNode pool = node("MaxPool", {"r1"}, "p1");
  pool.integers["kernel_shape"] = {2, 2};
  pool.integers["strides"] = {2, 2};
  foreign::OnnxNode second_pool = pool;
  second_pool.inputs = {"c2"};
  second_pool.outputs = {"p2"};
  onnx.nodes = {first,
                node("Relu", {"c1"}, "r1"),
                pool,
                node("Conv", {"p1", "w2"}, "c2"),
                second_pool,
                node("Relu", {"p2"}, "r2"),
                node("Flatten", {"r2"}, "f"),
                node("MatMul", {"f", "w3"}, "m"),
                node("Add", {"m", "b3"}, "a"),
                node("Softmax", {"a"}, "s")};
  return onnx;
}

TEST(PhotonicOnnx, AChainOfLayersBecomesANetwork) {
  const photonic::PhotonicNetwork network = photonic_network(lenet());
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(output_shape(network.layers[0]), (photonic::PhotonicShape{6, 14, 14}));
  EXPECT_EQ(output_shape(network.layers[1]), (photonic::PhotonicShape{16, 5, 5}));
  EXPECT_EQ(network.layers[2].outputs, 10);
  EXPECT_FALSE(network.layers[2].relu);
  EXPECT_EQ(network.layers[0].weights.front(), 128);
  EXPECT_EQ(network.layers[1].weights.front(), -128);
  EXPECT_EQ(network.layers[2].weights.front(), 255);
  EXPECT_EQ(network.layers[0].biases.size(), 6U);
  EXPECT_TRUE(network.layers[1].biases.empty());
}

TEST(PhotonicOnnx, AMatrixIsTransposedIfItsOutputsComeLast) {
  foreign::OnnxNetwork onnx;
  onnx.source = "m.onnx";
  onnx.input = "x";
  onnx.output = "y";
  onnx.input_shape = {1, 3};
  onnx.tensors["w"] = {{3, 2}, {1, 2, 3, 4, 5, 6}};
  onnx.nodes = {node("MatMul", {"x", "w"}, "y")};
  EXPECT_EQ(photonic_network(onnx).layers[0].weights,
            (std::vector<std::int16_t>{42, 128, 212, 85, 170, 255}));
  onnx.tensors["w"].shape = {2, 3};
  onnx.nodes[0].op = "Gemm";
  onnx.nodes[0].integers["transB"] = {1};
  EXPECT_EQ(photonic_network(onnx).layers[0].weights,
            (std::vector<std::int16_t>{42, 85, 128, 170, 212, 255}));
}

std::string refusal(const foreign::OnnxNetwork& onnx) {
  return message([&] { photonic_network(onnx); });
}

TEST(PhotonicOnnx, UnsupportedGraphsAreRefused) {
  foreign::OnnxNetwork onnx = lenet();
  onnx.nodes[1].op = "Sigmoid";
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 'r1' (Sigmoid) is not a supported layer; Gemm, MatMul, Conv, Add, Relu, "
      "MaxPool or Flatten is needed");
  onnx = lenet();
  onnx.nodes[1].op = "Identity";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'c2' (Conv) follows a layer without Relu, and light intensity has no "
            "sign; a "
            "Relu between layers is needed");
  onnx = lenet();
  onnx.nodes[3].inputs[0] = "x";
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 'c2' (Conv) takes 'x', which is not the output of the previous node; a "
      "chain is needed");
  onnx = lenet();
  onnx.tensors["w3"] = tensor({300, 10}, 1);
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 'm' (MatMul) has 3000 weights for 400 values; a count of 4000 is needed");
}

// Inserts a node into the chain after another one.
void insert_after(foreign::OnnxNetwork& onnx, std::size_t at, foreign::OnnxNode added) {
  const std::string before = onnx.nodes[at].outputs.front();
  added.inputs.front() = before;
  for (std::string& name : onnx.nodes[at + 1].inputs) {
    if (name == before) name = added.outputs.front();
  }
  onnx.nodes.insert(onnx.nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(added));
}

TEST(PhotonicOnnx, SoftmaxIsAllowedOnlyAtTheEnd) {
  foreign::OnnxNetwork onnx = lenet();
  insert_after(onnx, 6, node("Softmax", {""}, "early"));
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 'early' (Softmax) is not over the final values; a position as the last "
      "node is needed");
  onnx = lenet();
  onnx.nodes.back().integers["axis"] = {0};
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 's' (Softmax) is not over the final values; a position as the last node "
      "is needed");
}

// A convolution with 4 output channels of 4x4, a bias of this shape, and a dense layer.
foreign::OnnxNetwork biased(const std::vector<std::int64_t>& shape) {
  foreign::OnnxNetwork onnx;
  onnx.source = "b.onnx";
  onnx.input = "x";
  onnx.output = "y";
  onnx.input_shape = {1, 1, 4, 4};
  onnx.tensors["w"] = tensor({4, 1, 1, 1}, 1);
  onnx.tensors["b"] = tensor(shape, 1);
  onnx.tensors["m"] = tensor({64, 4}, 1);
  onnx.tensors["c"] = tensor({1, 4}, 1);
  onnx.nodes = {node("Conv", {"x", "w"}, "a"), node("Add", {"b", "a"}, "d"),
                node("Relu", {"d"}, "r"), node("Flatten", {"r"}, "f"),
                node("Gemm", {"f", "m", "c"}, "y")};
  return onnx;
}

TEST(PhotonicOnnx, ABiasIsPerChannelOnlyIfItsShapeSaysSo) {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{4, 1, 1}, {1, 4, 1, 1}, {1}, {}}) {
    const photonic::PhotonicNetwork network = photonic_network(biased(shape));
    EXPECT_EQ(network.layers[0].biases.size(), 4U);
    EXPECT_EQ(network.layers[1].biases.size(), 4U);
  }
  const auto refused = [](const std::string& shape) {
    return "b.onnx: node 'd' (Add) adds numbers of shape [" + shape +
           "]; one bias per output, [4, 1, 1], is needed";
  };
  EXPECT_EQ(refusal(biased({4})), refused("4"));
  EXPECT_EQ(refusal(biased({4, 1})), refused("4, 1"));
  EXPECT_EQ(refusal(biased({1, 1, 1, 4})), refused("1, 1, 1, 4"));
  EXPECT_EQ(refusal(biased({1, 1, 4, 1, 1})), refused("1, 1, 4, 1, 1"));
  foreign::OnnxNetwork onnx = biased({4, 1, 1});
  onnx.tensors["c"] = tensor({4, 1}, 1);
  EXPECT_EQ(refusal(onnx),
            "b.onnx: node 'y' (Gemm) adds numbers of shape [4, 1]; one bias per output, [4], is "
            "needed");
}

TEST(PhotonicOnnx, TheChainEndsInTheGraphsOutput) {
  foreign::OnnxNetwork onnx = lenet();
  onnx.output = "r1";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: the graph's output is 'r1', but its nodes end with 's'; the result of the "
            "last node is needed");
}

TEST(PhotonicOnnx, OnlyTheBatchMayBeDynamic) {
  foreign::OnnxNetwork onnx = lenet();
  onnx.input_shape = {0, 1, 0, 28};
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: the input 'x' has a dynamic dimension; only its batch may be dynamic");
}

TEST(PhotonicOnnx, AnAverageOfOneValueIsThatValue) {
  foreign::OnnxNetwork onnx = lenet();
  foreign::OnnxNode average = node("AveragePool", {""}, "g");
  average.integers["kernel_shape"] = {1, 1};
  insert_after(onnx, 2, average);
  EXPECT_EQ(photonic_network(onnx), photonic_network(lenet()));
  onnx.nodes[3].integers["kernel_shape"] = {2, 2};
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 'g' (AveragePool) averages several values; a window of 1x1, or MaxPool, "
      "is needed");
  onnx.nodes[3].op = "GlobalAveragePool";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'g' (GlobalAveragePool) averages several values; a window of 1x1, or "
            "MaxPool, is needed");
}

TEST(PhotonicOnnx, AReshapeIsFollowed) {
  foreign::OnnxNetwork onnx = lenet();
  onnx.nodes[6] = node("Reshape", {"r2", "t"}, "f");
  for (const std::vector<double>& sides : {std::vector<double>{-1, 400}, {0, -1}, {1, 400}}) {
    onnx.tensors["t"] = {{2}, sides};
    EXPECT_EQ(photonic_network(onnx), photonic_network(lenet()));
  }
  for (const std::vector<double>& sides :
       {std::vector<double>{-1, 200}, {-1, -1}, {400}, {2, 200}, {1, -2}}) {
    onnx.tensors["t"] = {{static_cast<std::int64_t>(sides.size())}, sides};
    EXPECT_NE(refusal(onnx).find("node 'f' (Reshape) has the shape ["), std::string::npos)
        << sides[0];
  }
  onnx = lenet();
  onnx.nodes[2] =
      node("Reshape", {"r1", "t"},
           "p1");  // rows change: no pool, and another geometry for the next convolution
  onnx.tensors["t"] = {{4}, {1, 6, 14, 56}};
  EXPECT_EQ(
      refusal(onnx),
      "lenet.onnx: node 'm' (MatMul) has 4000 weights for 2080 values; a count of 20800 is needed");
}

TEST(PhotonicOnnx, RowsAndColumnsAreFlattenedBeforeADenseLayer) {
  foreign::OnnxNetwork onnx = lenet();
  onnx.nodes[6].op = "Identity";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'm' (MatMul) takes rows and columns; a preceding Flatten is needed");
}

}  // namespace
}  // namespace loom::lightning
