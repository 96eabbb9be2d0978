// Networks of ONNX as layers of light.
//
// Of a chain of Gemm, MatMul, Conv, Add of a bias, Relu, MaxPool, Flatten, Reshape, Identity and
// Dropout; a Softmax or LogSoftmax at the end is what the engine does anyway. Anything else is
// refused by name.
#pragma once

#include <string>

#include "loom/foreign/onnx_network.h"
#include "loom/photonic/network.h"

namespace loom {

PhotonicNetwork photonic_network(const OnnxNetwork& onnx);

}  // namespace loom
