// Converts ONNX networks to photonic layers.
//
// The graph must be a chain of Gemm, MatMul, Conv, Add of a bias, Relu, MaxPool, Flatten, Reshape,
// averages over 1x1, Identity and Dropout, optionally ending with Softmax or LogSoftmax, which the
// engine computes anyway. The chain must end in the graph's output. Any other node is refused by
// name.
#pragma once

#include <string>

#include "loom/foreign/onnx_network.h"
#include "loom/photonic/network/network.h"

namespace loom::lightning {

photonic::PhotonicNetwork photonic_network(const foreign::OnnxNetwork& onnx);

}  // namespace loom::lightning
