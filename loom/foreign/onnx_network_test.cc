#include "loom/foreign/onnx_network.h"

#include <gtest/gtest.h>

#include <cstring>

#include "loom/base/testing.h"
#include "loom/foreign/testing.h"

namespace loom::foreign {
namespace {

std::string floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// TensorProto: dims 1, data_type 2, name 8, raw_data 9.
std::string tensor(const std::string& name, const std::vector<std::uint64_t>& dims,
                   const std::string& raw, std::uint64_t type = 1) {
  std::string bytes;
  for (const std::uint64_t side : dims) bytes += number_field(1, side);
  return bytes + number_field(2, type) + content_field(8, name) + content_field(9, raw);
}

// NodeProto: input 1, output 2, op_type 4, attribute 5 (name 1, i 3, ints 8).
std::string gemm() {
  const std::string trans = content_field(1, "transB") + number_field(3, 1);
  return content_field(1, "x") + content_field(1, "w") + content_field(2, "y") +
         content_field(4, "Gemm") + content_field(5, trans);
}

std::string input(const std::string& name, const std::vector<std::uint64_t>& sides) {
  std::string shape;
  for (const std::uint64_t side : sides) shape += content_field(1, number_field(1, side));
  const std::string type = content_field(1, number_field(1, 1) + content_field(2, shape));
  return content_field(1, name) + content_field(2, type);
}

std::string model(const std::string& graph) {
  return number_field(1, 8) + content_field(7, content_field(2, "net") + graph);
}

std::string refusal(const std::string& content) {
  return message([&] { parse_onnx(content, "n.onnx"); });
}

TEST(Onnx, NodesAndTheirTensorsAreRead) {
  const OnnxNetwork network = parse_onnx(
      model(content_field(1, gemm()) +
            content_field(5, tensor("w", {2, 3}, floats({1, 2, 3, 4, 5, 6}))) +
            content_field(11, input("x", {1, 3})) + content_field(11, input("w", {2, 3})) +
            content_field(12, input("y", {1, 2}))),
      "n.onnx");
  EXPECT_EQ(network.name, "net");
  EXPECT_EQ(network.input, "x");
  EXPECT_EQ(network.input_shape, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(network.output, "y");
  ASSERT_EQ(network.nodes.size(), 1U);
  EXPECT_EQ(network.nodes[0].op, "Gemm");
  EXPECT_EQ(network.nodes[0].name, "y");
  EXPECT_EQ(network.nodes[0].integers.at("transB"), std::vector<std::int64_t>{1});
  EXPECT_EQ(network.tensors.at("w").values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Onnx, AFileThatIsNotANetworkIsRefused) {
  EXPECT_EQ(refusal("nothing"),
            "n.onnx: this is not an ONNX file; a model with a graph of nodes is needed");
  EXPECT_EQ(refusal(""),
            "n.onnx: this is not an ONNX file; a model with a graph of nodes is needed");
  EXPECT_EQ(refusal(model(content_field(1, gemm()))),
            "n.onnx: the graph has no input; one is needed");
  EXPECT_EQ(refusal(model(content_field(1, gemm()) + content_field(11, input("x", {1})) +
                          content_field(11, input("z", {1})))),
            "n.onnx: the graph has the inputs 'x' and 'z'; one is needed");
  EXPECT_EQ(refusal(model(content_field(1, gemm()) + content_field(11, input("x", {1})))),
            "n.onnx: the graph has 0 outputs; one is needed");
  EXPECT_EQ(refusal(model(content_field(1, gemm()) + content_field(11, input("x", {1})) +
                          content_field(12, input("y", {1})) + content_field(12, input("z", {1})))),
            "n.onnx: the graph has 2 outputs; one is needed");
  EXPECT_EQ(refusal(model(content_field(1, gemm()) + content_field(11, input("x", {1})) +
                          content_field(5, tensor("w", {2, 3}, floats({1}))))),
            "n.onnx: tensor 'w' has 1 values; its shape needs 6");
}

}  // namespace
}  // namespace loom::foreign
