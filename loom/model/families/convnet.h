// Convolutional networks for images: VGG (arXiv 1409.1556) and ResNet with bottlenecks (arXiv
// 1512.03385), with the layer shapes of torchvision: ResNet has its strides on the 3 × 3
// convolutions, and VGG averages its features to 7 × 7 for any image size.
//
// A convolution is an implicit matrix product with one row per output pixel, and keeps its input.
// ReLUs work in place; a ReLU keeps its output only if no later convolution does.
#pragma once

#include "loom/model/catalog.h"

namespace loom::model {

// One block per layer with weights, together with the layers without weights that follow it.
extern const ModelFamily kVggFamily;

// One block per residual block; the first convolution belongs to the first block, the classifier to
// the last.
extern const ModelFamily kResnetFamily;

}  // namespace loom::model
