// Converts ONNX networks to photonic layers.
//
// The graph must be a chain of Gemm, MatMul, Conv, Add of a bias, Relu, MaxPool, Flatten, Reshape,
// average pooling over 1x1, Identity and Dropout. A Softmax or LogSoftmax may end the chain,
// because the engine computes it anyway. The result of the chain must be the output of the graph.
// Any other node gives an InputError that names the node.
#pragma once

#include <string>

#include "loom/foreign/onnx_network.h"
#include "loom/photonic/network/network.h"

namespace loom::lightning {

photonic::PhotonicNetwork photonic_network(const foreign::OnnxNetwork& onnx);

}  // namespace loom::lightning
