// A network of layers out of an ONNX file: its nodes in order, and the numbers they carry.
//
// What the nodes mean is for the reader to say: see lightning/photonic_onnx.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loom/base/error.h"

namespace loom {

struct OnnxTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

struct OnnxNode {
  std::string op;
  std::string name;  // its first output where it has none
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, std::vector<std::int64_t>> integers;  // attributes
  std::map<std::string, double> reals;
  std::map<std::string, std::string> texts;
};

struct OnnxNetwork {
  std::string source;
  std::string name;
  std::string input;                          // the one that is no initializer
  std::vector<std::int64_t> input_shape;      // 0 where the file leaves it open
  std::string output;                         // the only one
  std::vector<OnnxNode> nodes;                // each after those it takes from
  std::map<std::string, OnnxTensor> tensors;  // initializers and constants, by name
};

// InputError where it is no ONNX file, has several inputs or outputs, or keeps its weights
// elsewhere.
OnnxNetwork parse_onnx(const std::string& content, const std::string& source);
OnnxNetwork read_onnx(const std::string& path, const SourceLocation& from = {});

}  // namespace loom
