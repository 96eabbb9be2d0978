// A quantized network as a photonic engine computes it: plain data, and what follows from shapes.
//
// Light has an intensity and no sign, so a weight is a magnitude of 8 bits with its sign beside it,
// and what flows between layers is a magnitude of 8 bits. A layer is many dot products of one
// length: of a dense layer one for each output, of a convolution one for each output channel and
// position (im2col). Everything else (ReLU, pooling, normalization) is digital and rides along.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loom {

inline constexpr int kLargestMagnitude = 255;  // of weights, inputs and activations

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
  PhotonicShape input;  // dense layers take it flattened: channel, row, column
  int outputs = 1;      // of a convolution: channels

  // Of a convolution.
  int kernel_height = 1;
  int kernel_width = 1;
  int stride = 1;
  int padding = 0;  // zeros on every side
  int groups = 1;   // output channels see their part of the input channels only

  bool relu = true;     // else sums stay signed: only the last layer
  int pool = 1;         // side of the maximum taken over sums after ReLU; 1: none
  int pool_stride = 1;  // step of it

  // outputs × vector_length, row by row, −255 to 255; of a convolution in the order input channel,
  // kernel row, kernel column.
  std::vector<std::int16_t> weights;

  // What each sum begins with, for inputs that no layer has rescaled yet, in 1/65536; empty: none.
  std::vector<std::int64_t> biases;

  bool operator==(const PhotonicLayer&) const = default;
};

struct PhotonicNetwork {
  std::string name;
  std::vector<PhotonicLayer> layers;
  double largest_weight = 1;  // what a weight of 255 stands for

  bool operator==(const PhotonicNetwork&) const = default;
};

// What follows from a layer's numbers.
std::int64_t vector_length(const PhotonicLayer& layer);  // elements of a dot product
PhotonicShape sums_shape(const PhotonicLayer& layer);    // before pooling
PhotonicShape output_shape(const PhotonicLayer& layer);  // after it
std::int64_t positions(const PhotonicLayer& layer);      // of a kernel; 1 of a dense layer
std::int64_t dot_products(const PhotonicLayer& layer);

std::int64_t input_size(const PhotonicNetwork& network);
std::int64_t output_size(const PhotonicNetwork& network);
std::int64_t multiplications(const PhotonicNetwork& network);  // for one input

// What 1 is worth in the last layer's sums, before any rescaling, where inputs of 0 to 1 are sent
// as 0 to 255.
double logit_unit(const PhotonicNetwork& network);

// The first reason why there is no layer of such a shape, whatever its weights; none if there is.
std::optional<std::string> shape_objection(const PhotonicLayer& layer);

// The first reason why these layers do not make a network, such as "layer 'fc2' takes 300 values;
// the layer before gives 100"; none if they do.
std::optional<std::string> objection(const PhotonicNetwork& network);

}  // namespace loom
