// VGG and ResNet, layer by layer.
#include "loom/model/families/convnet.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "loom/model/families/mlp.h"

namespace loom::model {
namespace {

constexpr Parameter kImage =
    integer_parameter("image", "image width and height in pixels", "224", 32, 1 << 13);
constexpr Parameter kClasses =
    integer_parameter("classes", "number of classes", "1000", 1, 1'000'000);

constexpr std::array kVggParameters = {
    shape_parameter("convolutions", "number of convolutions in each of five stages", "2x2x3x3x3"),
    kImage, kClasses};
constexpr std::array kResnetParameters = {
    shape_parameter("stages", "number of residual blocks in each of four stages", "3x4x6x3"),
    kImage, kClasses};

// Reads the number of layers or blocks of each stage; refuses a list whose length is not `count`.
std::vector<std::int64_t> read_stages(const Settings& settings, std::string_view name,
                                      std::size_t count) {
  std::vector<std::int64_t> stages = bounded_shape(settings, name, count, 1000);
  if (stages.size() != count) settings.refuse(name, fmt::format("{} numbers are needed", count));
  return stages;
}

// The output of an operator: channels of size × size pixels.
struct Feature {
  int op = -1;  // -1: the image itself
  std::int64_t channels = 3;
  std::int64_t size = 0;

  std::int64_t pixels() const { return size * size; }
  std::int64_t elements() const { return channels * pixels(); }
  std::vector<int> inputs() const { return op < 0 ? std::vector<int>{} : std::vector<int>{op}; }
};

struct Filter {
  std::int64_t channels = 0;  // output channels
  std::int64_t width = 3;     // padded by width / 2
  std::int64_t stride = 1;
  bool bias = false;
  bool keeps = true;  // keeps its input; false if another convolution keeps the same tensor
};

Feature add_convolution(ModelBuilder& builder, std::string name, const Feature& in,
                        const Filter& filter) {
  Feature out = {.channels = filter.channels, .size = (in.size - 1) / filter.stride + 1};
  Operator op = product_operator(std::move(name), in.inputs(),
                                 {.rows = out.pixels(),
                                  .inner = filter.width * filter.width * in.channels,
                                  .columns = filter.channels},
                                 filter.bias, TensorSharding::replicated);
  op.kind = OperatorKind::convolution;
  op.saved = filter.keeps ? in.elements() : 0;
  out.op = builder.add(std::move(op));
  return out;
}

Feature add_relu(ModelBuilder& builder, std::string name, Feature in, bool kept) {
  in.op = builder.add(relu_operator(std::move(name), in.op, in.elements(), kept));
  return in;
}

// Batch normalization. Forward reads the input twice: for mean and variance, and to normalize.
// Backward reads the gradient and the input twice each, and writes a gradient. Keeps its input.
Feature add_batch_norm(ModelBuilder& builder, std::string name, Feature in) {
  const std::int64_t n = in.elements();
  Operator op = memory_operator(std::move(name), {in.op}, n, {2 * n, n, 5 * n});
  op.parameters = 2 * in.channels;
  op.saved = n;
  in.op = builder.add(std::move(op));
  return in;
}

// Max pooling. Keeps its input and, for each output, the 8-byte index of the maximum, which counts
// as four elements of memory traffic. Backward reads the gradient and the indices, clears the
// gradient of the input, and writes one element of it per output.
Feature add_max_pool(ModelBuilder& builder, std::string name, const Feature& in,
                     std::int64_t out_size) {
  Feature out = {.channels = in.channels, .size = out_size};
  const std::int64_t n = out.elements();
  Operator op = memory_operator(std::move(name), in.inputs(), n,
                                {in.elements(), 5 * n, 6 * n + in.elements()});
  op.saved = in.elements();
  op.masks = 8 * n;
  out.op = builder.add(std::move(op));
  return out;
}

Feature add_average_pool(ModelBuilder& builder, std::string name, const Feature& in,
                         std::int64_t out_size) {
  Feature out = {.channels = in.channels, .size = out_size};
  const std::int64_t n = out.elements();
  out.op = builder.add(
      memory_operator(std::move(name), in.inputs(), n, {in.elements(), n, in.elements() + n}));
  return out;
}

// Stages of 3 × 3 convolutions. Each convolution is a block; the last block of a stage includes the
// pooling.
Feature add_vgg_features(ModelBuilder& builder, const Settings& settings) {
  constexpr std::array<std::int64_t, 5> kChannels = {64, 128, 256, 512, 512};
  const std::vector<std::int64_t> stages = read_stages(settings, "convolutions", kChannels.size());
  Feature last = {.size = settings.integer("image")};
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    for (std::int64_t i = 0; i < stages[stage]; ++i) {
      const std::string name = fmt::format("conv{}_{}", stage + 1, i + 1);
      last = add_convolution(builder, name, last, {.channels = kChannels[stage], .bias = true});
      last = add_relu(builder, name + ".relu", last, false);
      if (i + 1 == stages[stage]) {
        last = add_max_pool(builder, fmt::format("pool{}", stage + 1), last, last.size / 2);
      }
      builder.next_block();
    }
  }
  return last;
}

// A dense layer, ReLU and dropout in one block; the ReLU keeps its output and the dropout its mask.
int add_vgg_dense(ModelBuilder& builder, const DenseLayer& layer) {
  const int product = add_dense(builder, layer);
  const std::int64_t n = layer.columns;
  const TensorSharding tensor =
      layer.tensor == TensorSharding::column ? TensorSharding::sharded : TensorSharding::replicated;
  const int relu = builder.add(relu_operator(layer.name + ".relu", product, n, true, tensor));
  Operator dropout =
      memory_operator(layer.name + ".dropout", {relu}, n, {n, n + n / 2, 2 * n + n / 2}, tensor);
  dropout.masks = n;
  const int last = builder.add(std::move(dropout));
  builder.next_block();
  return last;
}

// The last dense layer and the loss.
void add_classifier(ModelBuilder& builder, const std::string& name, int input, std::int64_t inner,
                    std::int64_t classes) {
  builder.keep(true);
  const int logits =
      add_dense(builder, {.name = name, .input = input, .inner = inner, .columns = classes});
  builder.add(cross_entropy_operator("loss", {logits}, 1, classes, TensorSharding::replicated));
}

Model build_vgg(const Settings& settings) {
  constexpr std::int64_t kAveraged = 7;
  constexpr std::int64_t kWide = 4096;
  ModelBuilder builder(settings, "image");
  Feature last = add_vgg_features(builder, settings);
  if (last.size != kAveraged) last = add_average_pool(builder, "average", last, kAveraged);
  const int fc6 = add_vgg_dense(builder, {.name = "fc6",
                                          .input = last.op,
                                          .inner = last.elements(),
                                          .columns = kWide,
                                          .tensor = TensorSharding::column});
  const int fc7 = add_vgg_dense(builder, {.name = "fc7",
                                          .input = fc6,
                                          .inner = kWide,
                                          .columns = kWide,
                                          .tensor = TensorSharding::row});
  add_classifier(builder, "fc8", fc7, kWide, settings.integer("classes"));
  builder.model.sample = "image";
  return builder.finish();
}

Feature add_normed(ModelBuilder& builder, const std::string& name, const Feature& in,
                   const Filter& filter) {
  return add_batch_norm(builder, name + ".norm", add_convolution(builder, name, in, filter));
}

// A bottleneck block: a 1 × 1 convolution down to `width` channels, a 3 × 3 convolution, a 1 × 1
// convolution up to 4 · width channels, and the sum with the input of the block. If the shape
// changes, a 1 × 1 convolution adapts the input. The sum reads two tensors and writes one; its
// backward pass moves nothing. Where the input splits into the two branches, backward reads their
// two gradients and writes the sum. `last`: no later convolution keeps the output, so the ReLU
// does.
Feature add_bottleneck(ModelBuilder& builder, const std::string& name, const Feature& in,
                       std::int64_t width, std::int64_t stride, bool last) {
  const std::int64_t channels = 4 * width;
  Feature out = add_normed(builder, name + ".conv1", in, {.channels = width, .width = 1});
  out = add_relu(builder, name + ".relu1", out, false);
  out = add_normed(builder, name + ".conv2", out, {.channels = width, .stride = stride});
  out = add_relu(builder, name + ".relu2", out, false);
  out = add_normed(builder, name + ".conv3", out, {.channels = channels, .width = 1});
  Feature beside = in;
  if (stride != 1 || in.channels != channels) {
    beside = add_normed(builder, name + ".downsample", in,
                        {.channels = channels, .width = 1, .stride = stride, .keeps = false});
  }
  const std::int64_t n = out.elements();
  out.op = builder.add(
      memory_operator(name + ".add", {out.op, beside.op}, n, {2 * n, n, 3 * in.elements()}));
  return add_relu(builder, name + ".relu3", out, last);
}

Feature add_stem(ModelBuilder& builder, std::int64_t image) {
  const Feature in = {.size = image};
  Feature out = add_normed(builder, "conv1", in, {.channels = 64, .width = 7, .stride = 2});
  out = add_relu(builder, "relu1", out, false);
  return add_max_pool(builder, "pool1", out, (out.size - 1) / 2 + 1);
}

Model build_resnet(const Settings& settings) {
  const std::vector<std::int64_t> stages = read_stages(settings, "stages", 4);
  ModelBuilder builder(settings, "image");
  Feature last = add_stem(builder, settings.integer("image"));
  std::int64_t width = 64;
  for (std::size_t stage = 0; stage < stages.size(); ++stage, width *= 2) {
    for (std::int64_t i = 0; i < stages[stage]; ++i) {
      if (stage > 0 || i > 0) builder.next_block();
      const bool final = stage + 1 == stages.size() && i + 1 == stages[stage];
      last = add_bottleneck(builder, fmt::format("stage{}.block{}", stage + 1, i), last, width,
                            stage > 0 && i == 0 ? 2 : 1, final);
    }
  }
  last = add_average_pool(builder, "average", last, 1);
  add_classifier(builder, "fc", last.op, last.elements(), settings.integer("classes"));
  builder.model.sample = "image";
  return builder.finish();
}

}  // namespace

const ModelFamily kVggFamily = {"vgg", "3 × 3 convolutions and three dense layers", kVggParameters,
                                build_vgg};
const ModelFamily kResnetFamily = {"resnet", "residual blocks with bottlenecks", kResnetParameters,
                                   build_resnet};

}  // namespace loom::model
