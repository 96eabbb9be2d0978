// Reads and writes the files of quantized networks, and reads inputs and labels.
//
// A network is a YAML file with its shapes, and files of weights beside it:
//
//   name: digits
//   input: 1x28x28                # channels x rows x columns
//   layers:
//     - {name: conv1, kind: convolution, outputs: 6, kernel: 5, pool: 2, weights: conv1.npy}
//     - {name: fc1, outputs: 10, weights: fc1.npy, biases: fc1_bias.npy}
//
// An NPY file of weights holds either floating-point numbers, which are quantized with one scale
// for all layers (quantize.h), or integers from −255 to 255. Any other file of weights holds
// little-endian int16 numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/photonic/network/network.h"

namespace loom::photonic {

PhotonicNetwork read_photonic_network(const std::string& path, const SourceLocation& from = {});

// Reads a chain of dense layers with ReLU in between, one file per layer: an NPY matrix of outputs
// × inputs, or a file of int16 numbers, given as PATH:OUTPUTSxINPUTS.
PhotonicNetwork read_dense_network(std::span<const std::string> paths,
                                   const SourceLocation& from = {});

// Writes the network's YAML file and one NPY file of weights per layer into a new folder. Returns
// the path of the YAML file.
std::string write_photonic_network(const PhotonicNetwork& network, const std::string& folder);

// Reads inputs of `size` values each from an NPY file, an IDX file of unsigned bytes, or raw bytes.
std::vector<std::uint8_t> read_photonic_inputs(const std::string& path, std::int64_t size,
                                               const SourceLocation& from = {});

// Reads labels, one per input and less than `outputs`, from an NPY file of integers, an IDX file,
// or raw bytes.
std::vector<std::int32_t> read_labels(const std::string& path, std::int64_t inputs,
                                      std::int64_t outputs, const SourceLocation& from = {});

}  // namespace loom::photonic
