#include "loom/photonic/network/network_files.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "loom/base/files.h"
#include "loom/base/settings.h"
#include "loom/base/tree.h"
#include "loom/photonic/network/npy.h"
#include "loom/photonic/network/quantize.h"

namespace loom::photonic {
namespace {

constexpr std::array<std::string_view, 2> kKinds = {"dense", "convolution"};

constexpr std::array<Parameter, 4> kNetwork = {{
    {.name = "name", .type = ValueType::text, .summary = "name of the network", .required = true},
    {.name = "input",
     .type = ValueType::shape,
     .summary = "shape of an input as channels x rows x columns, or its number of values",
     .required = true},
    {.name = "layers", .type = ValueType::text, .summary = "list of layers in order"},
    {.name = "largest_weight",
     .type = ValueType::real,
     .summary = "real weight that the integer weight 255 represents",
     .fallback = "1"},
}};

constexpr std::array<std::string_view, 1> kElsewhere = {"layers"};

constexpr std::array<Parameter, 11> kLayer = {{
    {.name = "name", .type = ValueType::text, .summary = "name of the layer", .required = true},
    {.name = "kind",
     .type = ValueType::choice,
     .summary = "kind of layer",
     .fallback = "dense",
     .choices = kKinds},
    {.name = "outputs",
     .type = ValueType::integer,
     .summary = "number of outputs, or of output channels of a convolution",
     .required = true,
     .min = 1},
    {.name = "kernel",
     .type = ValueType::shape,
     .summary = "kernel size as rows x columns",
     .fallback = "1"},
    {.name = "stride",
     .type = ValueType::integer,
     .summary = "stride of the kernel",
     .fallback = "1",
     .min = 1},
    {.name = "padding",
     .type = ValueType::integer,
     .summary = "zeros added on every side",
     .fallback = "0"},
    {.name = "groups",
     .type = ValueType::integer,
     .summary = "number of groups of channels that are convolved separately",
     .fallback = "1",
     .min = 1},
    {.name = "pool",
     .type = ValueType::integer,
     .summary = "side of the window of max pooling; 1 for no pooling",
     .fallback = "1",
     .min = 1},
    {.name = "pool_stride",
     .type = ValueType::integer,
     .summary = "stride of the pooling; the side of the window if not given",
     .min = 1},
    {.name = "weights",
     .type = ValueType::text,
     .summary = "file with the weights",
     .required = true},
    {.name = "biases", .type = ValueType::text, .summary = "NPY file with the biases"},
}};

// A layer with its weights as read from a file.
struct GivenLayer {
  RealLayer layer;
  bool real = true;  // false: the weights are integers, already quantized
};

// Parses a file of little-endian int16 numbers.
std::vector<double> raw_weights(const std::string& content, const SourceLocation& location) {
  if (content.size() % 2 != 0) {
    throw InputError(
        location, fmt::format("the file has {} bytes; int16 numbers are needed", content.size()));
  }
  std::vector<double> values(content.size() / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto low = static_cast<unsigned char>(content[2 * i]);
    const auto high = static_cast<unsigned char>(content[2 * i + 1]);
    values[i] = static_cast<std::int16_t>(low | high << 8);
  }
  return values;
}

struct GivenWeights {
  std::vector<double> values;
  std::vector<std::int64_t> shape;  // empty if the file has no shape
  bool real = false;
};

GivenWeights read_weights(const std::string& path, const SourceLocation& from) {
  const std::string content = read_file(path, from);
  const SourceLocation location = location_of(path);
  if (!is_npy(content)) return {raw_weights(content, location), {}, false};
  const NpyArray array = parse_npy(content, location);
  GivenWeights weights{numbers(array, location), array.shape, is_floating(array)};
  for (const double value : weights.values) {
    if (!std::isfinite(value))
      throw InputError(location, "a weight is not finite; a finite number is needed");
    if (weights.real || std::abs(value) <= kLargestMagnitude) continue;
    throw InputError(location, fmt::format("a weight is {}; -255 to 255 are possible", value));
  }
  return weights;
}

void check_count(std::size_t given, std::int64_t needed, std::string_view what,
                 const std::string& path) {
  if (static_cast<std::int64_t>(given) == needed) return;
  throw InputError(location_of(path),
                   fmt::format("the file has {} {}; the layer needs {}", given, what, needed));
}

PhotonicShape shape_of(const std::vector<int>& sides, const SourceLocation& location) {
  if (sides.size() == 1) return {.channels = sides[0]};
  if (sides.size() == 3) return {sides[0], sides[1], sides[2]};
  throw InputError(
      location,
      "the input has another shape; channels x rows x columns, or a number of values, is needed");
}

PhotonicLayer layer_shape(const Settings& settings, const PhotonicShape& input) {
  PhotonicLayer layer;
  layer.name = settings.text("name");
  layer.input = input;
  layer.outputs = static_cast<int>(settings.integer("outputs"));
  layer.pool = static_cast<int>(settings.integer("pool"));
  layer.pool_stride = settings.given("pool_stride")
                          ? static_cast<int>(settings.integer("pool_stride"))
                          : layer.pool;
  if (settings.text("kind") == "dense") {
    for (const std::string_view name : {"kernel", "stride", "padding", "groups"}) {
      if (settings.given(name))
        settings.refuse(name, "a dense layer has none, 'kind: convolution' is needed for it");
    }
    return layer;
  }
  layer.kind = PhotonicLayerKind::convolution;
  const std::vector<int> kernel = settings.shape("kernel");
  if (kernel.size() > 2) settings.refuse("kernel", "rows x columns, or one side, is needed");
  layer.kernel_height = kernel.front();
  layer.kernel_width = kernel.back();
  layer.stride = static_cast<int>(settings.integer("stride"));
  layer.padding = static_cast<int>(settings.integer("padding"));
  layer.groups = static_cast<int>(settings.integer("groups"));
  return layer;
}

// Checks the shape before anything is computed from it.
void check_layer(const PhotonicLayer& shape, const SourceLocation& location) {
  if (const auto why = shape_objection(shape)) {
    throw InputError(location, fmt::format("layer '{}': {}", shape.name, *why));
  }
}

GivenLayer read_layer(const Tree& map, const PhotonicShape& input, const std::string& path) {
  const Settings settings(map, kLayer, "layer");
  GivenLayer given;
  PhotonicLayer& shape = given.layer.shape;
  shape = layer_shape(settings, input);
  check_layer(shape, map.location);
  const std::string file = path_beside(path, settings.text("weights"));
  GivenWeights weights = read_weights(file, settings.location("weights"));
  check_count(weights.values.size(), shape.outputs * vector_length(shape), "weights", file);
  given.layer.weights = std::move(weights.values);
  given.real = weights.real;
  if (!settings.given("biases")) return given;
  if (!given.real) settings.refuse("biases", "biases need floating-point weights");
  const std::string biases = path_beside(path, settings.text("biases"));
  given.layer.biases = read_weights(biases, settings.location("biases")).values;
  check_count(given.layer.biases.size(), shape.outputs, "biases", biases);
  return given;
}

// Combines layers into a network. Throws InputError if some weights are real and some quantized.
PhotonicNetwork network_of(std::string name, std::vector<GivenLayer> given,
                           const SourceLocation& location) {
  std::vector<RealLayer> layers;
  bool real = false;
  bool integer = false;
  for (GivenLayer& layer : given) {
    (layer.real ? real : integer) = true;
    layers.push_back(std::move(layer.layer));
  }
  if (layers.empty())
    throw InputError(location, "the network has no layers; at least one is needed");
  if (real && integer) {
    throw InputError(location,
                     "some weights are floating point and some are integers; one kind is "
                     "needed");
  }
  layers.back().shape.relu = false;
  PhotonicNetwork network{std::move(name), {}};
  if (real) {
    network = quantize(network.name, layers);
  } else {
    for (RealLayer& layer : layers) {
      layer.shape.weights.assign(layer.weights.begin(), layer.weights.end());
      network.layers.push_back(std::move(layer.shape));
    }
  }
  if (const auto why = objection(network)) throw InputError(location, *why);
  return network;
}

// A file of dense weights, given as PATH or PATH:OUTPUTSxINPUTS.
struct DenseFile {
  std::string path;
  std::vector<std::int64_t> shape;
};

DenseFile dense_file(const std::string& given) {
  const std::size_t colon = given.rfind(':');
  const std::size_t cross = given.rfind('x');
  if (colon == std::string::npos || cross == std::string::npos || cross < colon) return {given, {}};
  DenseFile file{given.substr(0, colon), {}};
  const std::string sides[] = {given.substr(colon + 1, cross - colon - 1), given.substr(cross + 1)};
  for (const std::string& side : sides) {
    int value = 0;
    const auto [end, error] = std::from_chars(side.data(), side.data() + side.size(), value);
    if (error != std::errc() || end != side.data() + side.size() || value < 1) return {given, {}};
    file.shape.push_back(value);
  }
  return file;
}

GivenLayer read_dense_layer(const std::string& given, std::size_t index,
                            const SourceLocation& from) {
  const DenseFile file = dense_file(given);
  GivenWeights weights = read_weights(file.path, from);
  const std::vector<std::int64_t>& shape = weights.shape.empty() ? file.shape : weights.shape;
  if (shape.size() != 2) {
    throw InputError(
        location_of(file.path),
        "the file gives no shape of the weights; an NPY matrix, or int16 numbers given "
        "as PATH:OUTPUTSxINPUTS, is needed");
  }
  if (shape[0] < 1 || shape[0] > 1 << 20 || shape[1] < 1 || shape[1] > 1 << 20) {
    throw InputError(location_of(file.path),
                     "a dimension of the weights is 0 or beyond a million; 1 to 1000000 is needed");
  }
  GivenLayer layer;
  layer.layer.shape.name = fmt::format("layer{}", index + 1);
  layer.layer.shape.outputs = static_cast<int>(shape[0]);
  layer.layer.shape.input = {.channels = static_cast<int>(shape[1])};
  check_count(weights.values.size(), shape[0] * shape[1], "weights", file.path);
  layer.layer.weights = std::move(weights.values);
  layer.real = weights.real;
  return layer;
}

}  // namespace

PhotonicNetwork read_photonic_network(const std::string& path, const SourceLocation& from) {
  const Tree tree = parse_yaml(read_file(path, from), path);
  const Settings settings(tree, kNetwork, "network", kElsewhere);
  const Tree* list = tree.find("layers");
  if (list == nullptr || list->kind != Tree::Kind::list) {
    throw InputError(tree.location, "network lacks 'layers'; a list of layers is needed");
  }
  PhotonicShape shape = shape_of(settings.shape("input"), settings.location("input"));
  std::vector<GivenLayer> layers;
  for (const Tree& item : list->items) {
    layers.push_back(read_layer(item, shape, path));
    shape = output_shape(layers.back().layer.shape);
  }
  const double largest = settings.real("largest_weight");
  if (!(largest > 0)) settings.refuse("largest_weight", "a number above 0 is needed");
  const bool real = !layers.empty() && layers.front().real;
  if (real && settings.given("largest_weight")) {
    settings.refuse("largest_weight",
                    "it applies only to integer weights, and these are floating point");
  }
  PhotonicNetwork network = network_of(settings.text("name"), std::move(layers), tree.location);
  if (!real) network.largest_weight = largest;
  return network;
}

PhotonicNetwork read_dense_network(std::span<const std::string> paths, const SourceLocation& from) {
  std::vector<GivenLayer> layers;
  for (const std::string& path : paths) {
    layers.push_back(read_dense_layer(path, layers.size(), from));
  }
  return network_of("dense", std::move(layers), from);
}

std::string write_photonic_network(const PhotonicNetwork& network, const std::string& folder) {
  make_folder(folder);
  const PhotonicShape& input = network.layers.front().input;
  std::string yaml =
      fmt::format("name: {}\ninput: {}x{}x{}\nlargest_weight: {}\nlayers:\n", network.name,
                  input.channels, input.height, input.width, network.largest_weight);
  for (const PhotonicLayer& layer : network.layers) {
    LOOM_CHECK(layer.biases.empty(), "a written layer has no biases");
    NpyArray array{"<i2", {layer.outputs, vector_length(layer)}, ""};
    for (const std::int16_t weight : layer.weights) {
      array.bytes.push_back(static_cast<char>(weight & 255));
      array.bytes.push_back(static_cast<char>(weight >> 8 & 255));
    }
    write_file(fmt::format("{}/{}.npy", folder, layer.name), to_npy(array));
    yaml += fmt::format("  - {{name: {}, outputs: {}", layer.name, layer.outputs);
    if (layer.kind == PhotonicLayerKind::convolution) {
      yaml += fmt::format(", kind: convolution, kernel: {}x{}, stride: {}, padding: {}, groups: {}",
                          layer.kernel_height, layer.kernel_width, layer.stride, layer.padding,
                          layer.groups);
    }
    if (layer.pool != 1)
      yaml += fmt::format(", pool: {}, pool_stride: {}", layer.pool, layer.pool_stride);
    yaml += fmt::format(", weights: {}.npy}}\n", layer.name);
  }
  std::string path = folder + "/network.yaml";
  write_file(path, yaml);
  return path;
}

}  // namespace loom::photonic
