// Networks from files, and inputs and labels to run through them.
//
// A network is a YAML file with its shapes, and files of weights beside it:
//
//   name: digits
//   input: 1x28x28                # channels x rows x columns
//   layers:
//     - {name: conv1, kind: convolution, outputs: 6, kernel: 5, pool: 2, weights: conv1.npy}
//     - {name: fc1, outputs: 10, weights: fc1.npy, biases: fc1_bias.npy}
//
// Weights of an NPY file are floating point, and then quantized with one scale for all layers
// (quantize.h), or whole numbers from −255 to 255; any other file holds those as int16 in
// little-endian order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/photonic/network/network.h"

namespace loom {

PhotonicNetwork read_photonic_network(const std::string& path, const SourceLocation& from = {});

// A chain of dense layers with ReLU between them, one file each: outputs × inputs in NPY, or int16
// as PATH:OUTPUTSxINPUTS.
PhotonicNetwork read_dense_network(std::span<const std::string> paths,
                                   const SourceLocation& from = {});

// The network's YAML file and an NPY file for the weights of each layer, in a folder that is made.
// Returns the YAML file's path.
std::string write_photonic_network(const PhotonicNetwork& network, const std::string& folder);

// Inputs of `size` values each: NPY or IDX of unsigned bytes, or raw bytes.
std::vector<std::uint8_t> read_photonic_inputs(const std::string& path, std::int64_t size,
                                               const SourceLocation& from = {});

// Labels, one for each of `inputs` and below `outputs`: NPY of whole numbers, IDX or raw bytes.
std::vector<std::int32_t> read_labels(const std::string& path, std::int64_t inputs,
                                      std::int64_t outputs, const SourceLocation& from = {});

}  // namespace loom
