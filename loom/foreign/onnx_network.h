// Reads a layered network from an ONNX file: its nodes in order, and their tensors.
//
// The caller interprets the nodes: see lightning/photonic_onnx.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loom/base/error.h"

namespace loom::foreign {

struct OnnxTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

struct OnnxNode {
  std::string op;
  std::string name;  // name of the first output if the node has no name
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, std::vector<std::int64_t>> integers;  // integer attributes
  std::map<std::string, double> reals;
  std::map<std::string, std::string> texts;
};

struct OnnxNetwork {
  std::string source;
  std::string name;
  std::string input;                          // name of the only input that is not an initializer
  std::vector<std::int64_t> input_shape;      // 0 stands for a dynamic dimension
  std::string output;                         // name of the only output
  std::vector<OnnxNode> nodes;                // in the order of the file
  std::map<std::string, OnnxTensor> tensors;  // initializers and constants by name
};

// Throws InputError unless the content is an ONNX model with one input, one output and all weights
// in the same file, as many as their shapes need.
OnnxNetwork parse_onnx(const std::string& content, const std::string& source);
OnnxNetwork read_onnx(const std::string& path, const SourceLocation& from = {});

}  // namespace loom::foreign
