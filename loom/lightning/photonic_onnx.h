// Networks of ONNX as layers of light.
//
// Of a chain of Gemm, MatMul, Conv, Add of a bias, Relu, MaxPool, Flatten, Reshape, averages over
// 1x1, Identity and Dropout, with a Softmax or LogSoftmax at most at its end, which is what the
// engine does anyway. The chain has to end in the graph's output. Anything else is refused by name.
#pragma once

#include <string>

#include "loom/foreign/onnx_network.h"
#include "loom/photonic/network/network.h"

namespace loom {

PhotonicNetwork photonic_network(const OnnxNetwork& onnx);

}  // namespace loom
