// Convolutional networks for images: VGG (arXiv 1409.1556) and ResNet with bottlenecks (arXiv
// 1512.03385), with the layer shapes of torchvision: ResNet has its strides on the 3 × 3
// convolutions, and VGG averages its features to 7 × 7 whatever the image's size.
//
// A convolution is an implicit product: a row for every pixel of the output. It keeps its input;
// rectified linear units work in place and keep only what no convolution behind them keeps.
#pragma once

#include "loom/model/catalog.h"

namespace loom {

// A block for every layer with weights, with what follows it.
extern const ModelFamily kVggFamily;

// A block for every residual block; the first convolution belongs to the first, the classifier to
// the last.
extern const ModelFamily kResnetFamily;

}  // namespace loom
