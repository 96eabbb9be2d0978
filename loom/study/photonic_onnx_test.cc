#include "loom/study/photonic_onnx.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom {
namespace {

OnnxNode node(const std::string& op, const std::vector<std::string>& inputs,
              const std::string& output) {
  OnnxNode result;
  result.op = op;
  result.name = output;
  result.inputs = inputs;
  result.outputs = {output};
  return result;
}

OnnxTensor tensor(const std::vector<std::int64_t>& shape, double value) {
  std::int64_t count = 1;
  for (const std::int64_t side : shape) count *= side;
  return {shape, std::vector<double>(static_cast<std::size_t>(count), value)};
}

// LeNet-5's shape: two convolutions with pools, and a dense layer, once as MatMul and Add.
OnnxNetwork lenet() {
  OnnxNetwork onnx;
  onnx.source = "lenet.onnx";
  onnx.name = "lenet";
  onnx.input = "x";
  onnx.input_shape = {0, 1, 28, 28};
  onnx.tensors["w1"] = tensor({6, 1, 5, 5}, 0.5);
  onnx.tensors["b1"] = tensor({6}, 0.25);
  onnx.tensors["w2"] = tensor({16, 6, 5, 5}, -0.5);
  onnx.tensors["w3"] = tensor({400, 10}, 1);
  onnx.tensors["b3"] = tensor({10}, 0.5);
  OnnxNode first = node("Conv", {"x", "w1", "b1"}, "c1");
  first.integers["pads"] = {2, 2, 2, 2};
  OnnxNode pool = node("MaxPool", {"r1"}, "p1");
  pool.integers["kernel_shape"] = {2, 2};
  pool.integers["strides"] = {2, 2};
  OnnxNode second_pool = pool;
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
  const PhotonicNetwork network = photonic_network(lenet());
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(output_shape(network.layers[0]), (PhotonicShape{6, 14, 14}));
  EXPECT_EQ(output_shape(network.layers[1]), (PhotonicShape{16, 5, 5}));
  EXPECT_EQ(network.layers[2].outputs, 10);
  EXPECT_FALSE(network.layers[2].relu);
  EXPECT_EQ(network.layers[0].weights.front(), 128);
  EXPECT_EQ(network.layers[1].weights.front(), -128);
  EXPECT_EQ(network.layers[2].weights.front(), 255);
  EXPECT_EQ(network.layers[0].biases.size(), 6U);
  EXPECT_TRUE(network.layers[1].biases.empty());
}

TEST(PhotonicOnnx, AMatrixIsTurnedWhereItsOutputsComeLast) {
  OnnxNetwork onnx;
  onnx.source = "m.onnx";
  onnx.input = "x";
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

std::string refusal(const OnnxNetwork& onnx) {
  return message([&] { photonic_network(onnx); });
}

TEST(PhotonicOnnx, WhatLightCannotDoIsRefused) {
  OnnxNetwork onnx = lenet();
  onnx.nodes[1].op = "Sigmoid";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'r1' (Sigmoid) is no layer of light; Gemm, MatMul, Conv, Add, Relu, "
            "MaxPool or Flatten is needed");
  onnx = lenet();
  onnx.nodes[1].op = "Identity";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'c2' (Conv) follows a layer without Relu, and light has no sign; a "
            "Relu between layers is needed");
  onnx = lenet();
  onnx.nodes[3].inputs[0] = "x";
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'c2' (Conv) takes 'x', which is not what the node before gives; a "
            "chain is needed");
  onnx = lenet();
  onnx.tensors["w3"] = tensor({300, 10}, 1);
  EXPECT_EQ(refusal(onnx),
            "lenet.onnx: node 'm' (MatMul) has 3000 weights for 400 values; 4000 is needed");
}

}  // namespace
}  // namespace loom
