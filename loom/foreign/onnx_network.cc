#include "loom/foreign/onnx_network.h"

#include <fmt/format.h>

#include <limits>

#include "loom/base/files.h"
#include "loom/base/raw_numbers.h"
#include "loom/base/text.h"
#include "loom/foreign/onnx_network.pb.h"

namespace loom::foreign {
namespace {

// TensorProto.DataType
constexpr int kFloat = 1;
constexpr int kInt64 = 7;
constexpr int kDouble = 11;
constexpr std::int64_t kMaxElements = 1'000'000'000;

[[noreturn]] void refuse(const std::string& source, const std::string& message) {
  throw InputError(location_of(source), message);
}

std::vector<double> values_of(const onnx_network_file::Tensor& tensor) {
  const std::string& raw = tensor.raw_data();
  switch (tensor.data_type()) {
    case kFloat:
      if (!raw.empty()) return raw_numbers<float>(raw);
      return {tensor.float_data().begin(), tensor.float_data().end()};
    case kInt64:
      if (!raw.empty()) return raw_numbers<std::int64_t>(raw);
      return {tensor.int64_data().begin(), tensor.int64_data().end()};
    case kDouble:
      if (!raw.empty()) return raw_numbers<double>(raw);
      return {tensor.double_data().begin(), tensor.double_data().end()};
    default:
      return {};
  }
}

// Converts a tensor of floats, doubles or 64-bit integers. A tensor of another type, such as the
// int8 zero point of a quantizer, gets no values; code that needs them throws an InputError.
OnnxTensor tensor_of(const onnx_network_file::Tensor& from, const std::string& source) {
  if (from.data_location() != 0) {
    refuse(source, fmt::format("tensor '{}' is stored in another file; embedded weights are needed",
                               shortened(from.name())));
  }
  OnnxTensor tensor{{from.dims().begin(), from.dims().end()}, values_of(from)};
  std::int64_t count = 1;
  for (const std::int64_t side : tensor.shape) {
    if (side < 0 || side > kMaxElements || count * side > kMaxElements) {
      refuse(source,
             fmt::format("tensor '{}' has a dimension of {}; at most {} values are possible",
                         shortened(from.name()), side, kMaxElements));
    }
    count *= side;
  }
  const bool known =
      from.data_type() == kFloat || from.data_type() == kInt64 || from.data_type() == kDouble;
  if (known && static_cast<std::int64_t>(tensor.values.size()) != count) {
    refuse(source, fmt::format("tensor '{}' has {} values; its shape needs {}",
                               shortened(from.name()), tensor.values.size(), count));
  }
  return tensor;
}

OnnxNode node_of(const onnx_network_file::Node& from) {
  OnnxNode node;
  node.op = shortened(from.op_type());
  node.inputs.assign(from.input().begin(), from.input().end());
  node.outputs.assign(from.output().begin(), from.output().end());
  const bool unnamed = from.name().empty() && !node.outputs.empty();
  node.name = shortened(unnamed ? node.outputs.front() : from.name());
  for (const onnx_network_file::Attribute& attribute : from.attribute()) {
    auto& integers = node.integers[attribute.name()];
    integers.assign(attribute.ints().begin(), attribute.ints().end());
    if (attribute.has_i()) integers.push_back(attribute.i());
    if (attribute.has_f()) node.reals[attribute.name()] = static_cast<double>(attribute.f());
    if (attribute.has_s()) node.texts[attribute.name()] = attribute.s();
  }
  return node;
}

void set_input(const onnx_network_file::Graph& graph, OnnxNetwork& network) {
  for (const onnx_network_file::ValueInfo& info : graph.input()) {
    if (network.tensors.contains(info.name())) continue;
    if (!network.input.empty()) {
      refuse(network.source, fmt::format("the graph has the inputs '{}' and '{}'; one is needed",
                                         shortened(network.input), shortened(info.name())));
    }
    network.input = info.name();
    for (const onnx_network_file::Dimension& side : info.type().tensor_type().shape().dim()) {
      network.input_shape.push_back(side.dim_value());
    }
  }
  if (network.input.empty()) refuse(network.source, "the graph has no input; one is needed");
}

void set_output(const onnx_network_file::Graph& graph, OnnxNetwork& network) {
  if (graph.output().size() != 1) {
    refuse(network.source,
           fmt::format("the graph has {} outputs; one is needed", graph.output().size()));
  }
  network.output = graph.output(0).name();
}

}  // namespace

OnnxNetwork parse_onnx(const std::string& content, const std::string& source) {
  onnx_network_file::Model model;
  const bool fits = content.size() <= std::size_t{std::numeric_limits<std::int32_t>::max()};
  if (!fits || !model.ParseFromString(content) || model.graph().node().empty()) {
    refuse(source, "this is not an ONNX file; a model with a graph of nodes is needed");
  }
  OnnxNetwork network;
  network.source = source;
  const std::string& name = model.graph().name();
  if (first_not_utf8(name) == name.size()) network.name = shortened(name);
  for (const onnx_network_file::Tensor& tensor : model.graph().initializer()) {
    network.tensors[tensor.name()] = tensor_of(tensor, source);
  }
  for (const onnx_network_file::Node& node : model.graph().node()) {
    if (node.op_type() != "Constant") {
      network.nodes.push_back(node_of(node));
      continue;
    }
    for (const onnx_network_file::Attribute& attribute : node.attribute()) {
      if (!attribute.has_t() || node.output().empty()) continue;
      network.tensors[node.output(0)] = tensor_of(attribute.t(), source);
    }
  }
  set_input(model.graph(), network);
  set_output(model.graph(), network);
  return network;
}

OnnxNetwork read_onnx(const std::string& path, const SourceLocation& from) {
  return parse_onnx(read_file(path, from), path);
}

}  // namespace loom::foreign
