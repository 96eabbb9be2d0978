#include "loom/lightning/photonic_onnx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "loom/photonic/network/quantize.h"

namespace loom::lightning {
namespace {

class Converter {
 public:
  explicit Converter(const foreign::OnnxNetwork& onnx) : onnx_(onnx), value_(onnx.input) {
    shape_ = input_shape();
    flat_ = onnx.input_shape.size() <= 2;
  }

  photonic::PhotonicNetwork network() {
    for (const foreign::OnnxNode& node : onnx_.nodes) {
      if (!node.inputs.empty() && !follows(node)) {
        refuse(node,
               fmt::format("takes '{}', which is not the output of the previous node; a chain",
                           node.inputs.front()));
      }
      convert(node);
      if (!node.outputs.empty()) value_ = node.outputs.front();
    }
    if (layers_.empty()) throw InputError(location_of(onnx_.source), "the graph has no layer");
    if (value_ != onnx_.output) {
      throw InputError(location_of(onnx_.source),
                       fmt::format("the graph's output is '{}', but its nodes end with '{}'; the "
                                   "result of the last node is needed",
                                   onnx_.output, value_));
    }
    layers_.back().shape.relu = relu_;
    photonic::PhotonicNetwork result = quantize(onnx_.name.empty() ? "onnx" : onnx_.name, layers_);
    if (const auto why = objection(result)) throw InputError(location_of(onnx_.source), *why);
    return result;
  }

 private:
  [[noreturn]] void refuse(const foreign::OnnxNode& node, const std::string& what) const {
    throw InputError(location_of(onnx_.source),
                     fmt::format("node '{}' ({}) {} is needed", node.name, node.op, what));
  }

  // The shape of an input without the batch, which is the first dimension. Only the batch may be
  // dynamic.
  photonic::PhotonicShape input_shape() const {
    std::vector<std::int64_t> sides = onnx_.input_shape;
    if (sides.size() > 1) sides.erase(sides.begin());
    std::vector<int> shape;
    for (const std::int64_t side : sides) {
      if (side < 1) {
        throw InputError(
            location_of(onnx_.source),
            fmt::format("the input '{}' has a dynamic dimension; only its batch may be dynamic",
                        onnx_.input));
      }
      shape.push_back(static_cast<int>(std::min<std::int64_t>(side, 1 << 20)));
    }
    if (shape.size() == 1) return {.channels = shape[0]};
    if (shape.size() == 3) return {shape[0], shape[1], shape[2]};
    throw InputError(
        location_of(onnx_.source),
        fmt::format("the input has {} dimensions; a batch of values or of channels, rows "
                    "and columns is needed",
                    onnx_.input_shape.size()));
  }

  bool follows(const foreign::OnnxNode& node) const {
    return std::find(node.inputs.begin(), node.inputs.end(), value_) != node.inputs.end();
  }

  const foreign::OnnxTensor& tensor(const foreign::OnnxNode& node, std::size_t input) const {
    const auto found =
        input < node.inputs.size() ? onnx_.tensors.find(node.inputs[input]) : onnx_.tensors.end();
    if (found == onnx_.tensors.end() || found->second.values.empty()) {
      refuse(node, fmt::format("has no constant as its input {}; an initializer", input + 1));
    }
    for (const double value : found->second.values) {
      if (!std::isfinite(value)) refuse(node, "has a weight that is not finite; a finite number");
    }
    return found->second;
  }

  static std::int64_t integer(const foreign::OnnxNode& node, const std::string& name,
                              std::int64_t fallback) {
    const auto found = node.integers.find(name);
    return found == node.integers.end() || found->second.empty() ? fallback : found->second.front();
  }

  // The value of an attribute that must be the same for all dimensions.
  int side(const foreign::OnnxNode& node, const std::string& name, int fallback) const {
    const auto found = node.integers.find(name);
    if (found == node.integers.end() || found->second.empty()) return fallback;
    for (const std::int64_t value : found->second) {
      if (value == found->second.front() && value >= 0 && value <= 1 << 20) continue;
      refuse(node,
             fmt::format("has {} that differ or are too large; one small value for all dimensions",
                         name));
    }
    return static_cast<int>(found->second.front());
  }

  void convert(const foreign::OnnxNode& node) {
    if (node.op == "Gemm" || node.op == "MatMul") return add_dense(node);
    if (node.op == "Conv") return add_convolution(node);
    if (node.op == "Add") return add_bias(node);
    if (node.op == "Relu") return add_relu(node);
    if (node.op == "MaxPool") return add_pool(node);
    if (node.op == "AveragePool" || node.op == "GlobalAveragePool") return pass_average(node);
    if (node.op == "Flatten") return flatten(node);
    if (node.op == "Reshape") return reshape(node);
    if (node.op == "Softmax" || node.op == "LogSoftmax") return end(node);
    if (node.op == "Identity" || node.op == "Dropout") return;
    refuse(node, "is not a supported layer; Gemm, MatMul, Conv, Add, Relu, MaxPool or Flatten");
  }

  void begin_layer(const foreign::OnnxNode& node, photonic::RealLayer layer) {
    if (!layers_.empty() && !relu_) {
      refuse(
          node,
          "follows a layer without Relu, and light intensity has no sign; a Relu between layers");
    }
    layer.shape.name = fmt::format("layer{}", layers_.size() + 1);
    relu_ = false;
    if (const auto why = shape_objection(layer.shape)) {
      refuse(node, fmt::format("is not possible: {}; another shape", *why));
    }
    const std::int64_t needed = layer.shape.outputs * vector_length(layer.shape);
    if (static_cast<std::int64_t>(layer.weights.size()) != needed) {
      refuse(node, fmt::format("has {} weights for {} values; a count of {}", layer.weights.size(),
                               elements(layer.shape.input), needed));
    }
    shape_ = output_shape(layer.shape);
    flat_ = layer.shape.kind == photonic::PhotonicLayerKind::dense;
    moved_ = false;
    layers_.push_back(std::move(layer));
  }

  void add_dense(const foreign::OnnxNode& node) {
    if (!flat_) refuse(node, "takes rows and columns; a preceding Flatten");
    const foreign::OnnxTensor& weights = tensor(node, 1);
    const bool by_output = integer(node, "transB", 0) != 0;
    const auto alpha = node.reals.find("alpha");
    const auto beta = node.reals.find("beta");
    if (weights.shape.size() != 2 || integer(node, "transA", 0) != 0 ||
        (alpha != node.reals.end() && alpha->second != 1) ||
        (beta != node.reals.end() && beta->second != 1)) {
      refuse(node, "is not a plain matrix product; one without transA, alpha and beta");
    }
    const std::int64_t outputs = weights.shape[by_output ? 0 : 1];
    const std::int64_t inputs = weights.shape[by_output ? 1 : 0];
    photonic::RealLayer layer;
    layer.shape.input = shape_;
    layer.shape.outputs = static_cast<int>(std::min<std::int64_t>(outputs, 1 << 21));
    for (std::int64_t o = 0; o < outputs; ++o) {
      for (std::int64_t i = 0; i < inputs; ++i) {
        const std::int64_t at = by_output ? o * inputs + i : i * outputs + o;
        layer.weights.push_back(weights.values[static_cast<std::size_t>(at)]);
      }
    }
    begin_layer(node, std::move(layer));
    if (node.inputs.size() > 2 && !node.inputs[2].empty()) set_biases(node, tensor(node, 2));
  }

  void refuse_automatic_pads(const foreign::OnnxNode& node) const {
    const auto automatic = node.texts.find("auto_pad");
    if (automatic != node.texts.end() && automatic->second != "NOTSET") {
      refuse(node, "uses auto_pad; the attribute pads");
    }
  }

  void add_convolution(const foreign::OnnxNode& node) {
    const foreign::OnnxTensor& weights = tensor(node, 1);
    if (weights.shape.size() != 4)
      refuse(node, "is not over rows and columns; a kernel of four dimensions");
    if (side(node, "dilations", 1) != 1) refuse(node, "is dilated; a dilation of 1");
    if (flat_) refuse(node, "takes values without rows and columns; a preceding Reshape");
    refuse_automatic_pads(node);
    photonic::RealLayer layer;
    layer.shape.kind = photonic::PhotonicLayerKind::convolution;
    layer.shape.input = shape_;
    layer.shape.outputs = static_cast<int>(std::min<std::int64_t>(weights.shape[0], 1 << 21));
    layer.shape.kernel_height = static_cast<int>(std::min<std::int64_t>(weights.shape[2], 1 << 21));
    layer.shape.kernel_width = static_cast<int>(std::min<std::int64_t>(weights.shape[3], 1 << 21));
    layer.shape.stride = side(node, "strides", 1);
    layer.shape.padding = side(node, "pads", 0);
    layer.shape.groups =
        static_cast<int>(std::clamp<std::int64_t>(integer(node, "group", 1), 0, 1 << 20));
    layer.weights = weights.values;
    begin_layer(node, std::move(layer));
    if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
      foreign::OnnxTensor biases = tensor(node, 2);
      if (biases.shape.size() == 1)
        biases.shape.insert(biases.shape.end(), 2, 1);  // one bias per channel
      set_biases(node, biases);
    }
  }

  // Sets one bias per output, or one bias for all outputs. ONNX broadcasts from the last dimension,
  // so a shape of [4] is added to columns, and only [4, 1, 1] to channels.
  void set_biases(const foreign::OnnxNode& node, const foreign::OnnxTensor& biases) {
    photonic::RealLayer& layer = layers_.back();
    std::vector<std::int64_t> sides = biases.shape;
    const bool fits = sides.size() <= (flat_ ? 2U : 4U);
    while (!sides.empty() && sides.front() == 1) sides.erase(sides.begin());
    std::vector<std::int64_t> needed = {layer.shape.outputs};
    if (!flat_) needed.insert(needed.end(), 2, 1);
    if (!fits || (!sides.empty() && sides != needed) || !layer.biases.empty()) {
      refuse(node, fmt::format("adds numbers of shape [{}]; one bias per output, [{}],",
                               fmt::join(biases.shape, ", "), fmt::join(needed, ", ")));
    }
    layer.biases = biases.values;
    layer.biases.resize(static_cast<std::size_t>(layer.shape.outputs), biases.values.front());
  }

  void add_bias(const foreign::OnnxNode& node) {
    if (layers_.empty() || relu_ || moved_ || node.inputs.size() != 2) {
      refuse(node, "adds something other than a layer's bias; a bias after MatMul or Conv");
    }
    set_biases(node, tensor(node, node.inputs[0] == value_ ? 1 : 0));
  }

  void add_relu(const foreign::OnnxNode& node) {
    if (layers_.empty()) refuse(node, "comes before any layer; a preceding layer");
    relu_ = true;
  }

  void add_pool(const foreign::OnnxNode& node) {
    photonic::PhotonicLayer* layer = layers_.empty() ? nullptr : &layers_.back().shape;
    const int size = side(node, "kernel_shape", 1);
    refuse_automatic_pads(node);
    if (layer == nullptr || moved_ || layer->pool != 1 || side(node, "pads", 0) != 0 ||
        side(node, "dilations", 1) != 1 || integer(node, "ceil_mode", 0) != 0) {
      refuse(node, "does not follow a layer, or has padding; plain pooling after a layer");
    }
    layer->pool = size;
    layer->pool_stride = side(node, "strides", 1);
    if (const auto why = shape_objection(*layer)) {
      refuse(node, fmt::format("is not possible: {}; another shape", *why));
    }
    shape_ = output_shape(*layer);
  }

  // Accepts the average of a single value, which changes nothing; the engine supports no other
  // averages.
  void pass_average(const foreign::OnnxNode& node) const {
    const bool one = node.op == "AveragePool"
                         ? side(node, "kernel_shape", 1) == 1 && side(node, "strides", 1) == 1 &&
                               side(node, "pads", 0) == 0
                         : shape_.height == 1 && shape_.width == 1;
    if (!one) refuse(node, "averages several values; a window of 1x1, or MaxPool,");
  }

  void set_shape(const photonic::PhotonicShape& shape, bool flat) {
    if (shape != shape_ || flat != flat_) moved_ = true;
    shape_ = shape;
    flat_ = flat;
  }

  void flatten(const foreign::OnnxNode& node) {
    if (integer(node, "axis", 1) != 1)
      refuse(node, "merges the batch with other dimensions; an axis of 1");
    set_shape({.channels = static_cast<int>(elements(shape_))}, true);
  }

  // Reshapes to a batch of values, or of channels, rows and columns; one dimension may be inferred
  // (-1).
  void reshape(const foreign::OnnxNode& node) {
    std::vector<double> sides = tensor(node, 1).values;
    const auto all = static_cast<double>(elements(shape_));
    const auto open = std::find(sides.begin(), sides.end(), -1);
    double product = 1;
    for (std::size_t i = 1; i < sides.size(); ++i) product *= sides[i] == -1 ? 1 : sides[i];
    if (open > sides.begin() && open != sides.end()) {
      *open = all / product;
      product = all;
    }
    const bool known = sides.size() == 2 || sides.size() == 4;
    const bool whole = std::all_of(sides.begin() + (known ? 1 : 0), sides.end(),
                                   [](double it) { return it >= 1 && it == std::rint(it); });
    if (!known || std::abs(sides[0]) > 1 || !whole || product != all) {
      refuse(node,
             fmt::format(
                 "has the shape [{}] for {} values; a batch of values, or of channels, rows and "
                 "columns,",
                 fmt::join(tensor(node, 1).values, ", "), all));
    }
    const auto at = [&](std::size_t i) { return static_cast<int>(sides[i]); };
    const bool flat = sides.size() == 2;
    set_shape(flat ? photonic::PhotonicShape{.channels = at(1)}
                   : photonic::PhotonicShape{at(1), at(2), at(3)},
              flat);
  }

  // Accepts a softmax at the end, because the engine applies a softmax to the logits anyway.
  void end(const foreign::OnnxNode& node) const {
    const std::int64_t axis = integer(node, "axis", -1);
    if (&node != &onnx_.nodes.back() || !flat_ || (axis != -1 && axis != 1)) {
      refuse(node, "is not over the final values; a position as the last node");
    }
  }

  const foreign::OnnxNetwork& onnx_;
  std::string value_;  // name of the last value of the chain so far
  photonic::PhotonicShape shape_;
  bool flat_ = false;   // this value has no rows and columns
  bool moved_ = false;  // reshaped since the last layer
  std::vector<photonic::RealLayer> layers_;
  bool relu_ = false;  // a ReLU follows the last layer
};

}  // namespace

photonic::PhotonicNetwork photonic_network(const foreign::OnnxNetwork& onnx) {
  return Converter(onnx).network();
}

}  // namespace loom::lightning
