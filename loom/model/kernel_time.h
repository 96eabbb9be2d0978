// How long one kernel takes: a roofline with one efficiency curve for all products.
//
// A product is cut into tiles that the units of the accelerator take in waves (NVIDIA, "Matrix
// Multiplication Background User's Guide": tile and wave quantization). A tile computes at the
// sustained speed and then stores its result, which no computation of the same wave hides; so
// products with a small inner dimension are slow. The whole is never faster than its operands can
// be read and its result written. The best of the usual tiles is taken, as cuBLAS does.
#pragma once

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom {

// Needs a peak for the precision.
Duration product_time(const Accelerator& accelerator, Precision precision,
                      const MatrixProduct& product);

// Attention as one kernel: its products at the sustained speed, its operands once through memory.
Duration fused_time(const Accelerator& accelerator, Precision precision, double flops,
                    double bytes);

// A pass over memory that reads and writes so much.
Duration memory_time(const Accelerator& accelerator, double bytes);

}  // namespace loom
