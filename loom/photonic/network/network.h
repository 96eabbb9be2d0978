// A quantized neural network for a photonic engine: its layers, and the sizes that follow from
// their shapes.
//
// Light has an intensity but no sign, so a weight is an 8-bit magnitude with a separate sign, and
// activations are 8-bit magnitudes. A layer is a set of dot products of equal length: one per
// output of a dense layer, one per output channel and position of a convolution (im2col).
// Everything else (ReLU, pooling, normalization) is digital.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loom::photonic {

inline constexpr int kLargestMagnitude = 255;  // limit for weights, inputs and activations

struct PhotonicShape {
  int channels = 1;
  int height = 1;
  int width = 1;

  bool operator==(const PhotonicShape&) const = default;
};

std::int64_t elements(const PhotonicShape& shape);

enum class PhotonicLayerKind : std::uint8_t { dense, convolution };

struct PhotonicLayer {
  std::string name;
  PhotonicLayerKind kind = PhotonicLayerKind::dense;
  PhotonicShape input;  // a dense layer flattens it in the order channel, row, column
  int outputs = 1;      // for a convolution: output channels

  // Convolutions only.
  int kernel_height = 1;
  int kernel_width = 1;
  int stride = 1;
  int padding = 0;  // zeros on every side
  int groups = 1;   // each group of output channels uses only its group of input channels

  bool relu = true;     // only the last layer may have none: others feed light, which has no sign
  int pool = 1;         // window side of max pooling after ReLU; 1: no pooling
  int pool_stride = 1;  // stride of the pooling

  // Weights from −255 to 255, one row of vector_length(layer) elements per output. A row of a
  // convolution has the order input channel, kernel row, kernel column.
  std::vector<std::int16_t> weights;

  // Bias of each output: the initial value of its sum in units of 1/65536, before any layer
  // rescales its activations. Empty: no biases.
  std::vector<std::int64_t> biases;

  bool operator==(const PhotonicLayer&) const = default;
};

struct PhotonicNetwork {
  std::string name;
  std::vector<PhotonicLayer> layers;
  double largest_weight = 1;  // real weight that the integer weight 255 represents

  bool operator==(const PhotonicNetwork&) const = default;
};

// Quantities that follow from a layer's shape.
std::int64_t vector_length(const PhotonicLayer& layer);  // elements of a dot product
PhotonicShape sums_shape(const PhotonicLayer& layer);    // shape of the sums, before pooling
PhotonicShape output_shape(const PhotonicLayer& layer);  // shape of the output, after pooling
std::int64_t positions(const PhotonicLayer& layer);      // kernel positions; 1 for a dense layer
std::int64_t dot_products(const PhotonicLayer& layer);

std::int64_t input_size(const PhotonicNetwork& network);
std::int64_t output_size(const PhotonicNetwork& network);
std::int64_t multiplications(const PhotonicNetwork& network);  // per input

// Units of the last layer's sums that represent the real number 1, before any rescaling, if real
// inputs from 0 to 1 are sent as 0 to 255.
double logit_unit(const PhotonicNetwork& network);

// The first reason why a layer's shape is invalid, regardless of its weights; nullopt if it is
// valid.
std::optional<std::string> shape_objection(const PhotonicLayer& layer);

// The first reason why the layers do not form a network, such as "layer 'fc2' takes 300 values; the
// previous layer gives 100"; nullopt if they do.
std::optional<std::string> objection(const PhotonicNetwork& network);

}  // namespace loom::photonic
