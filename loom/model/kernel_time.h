// Kernel times: a roofline with one efficiency curve for all matrix products.
//
// A product is divided into tiles that the units of the accelerator process in waves (NVIDIA,
// "Matrix Multiplication Background User's Guide": tile and wave quantization). A tile computes at
// the sustained speed and then stores its result, which no computation of the same wave hides;
// products with a small inner dimension are therefore slow. The total is at least the time to read
// the operands and write the result. Uses the best of the common tiles, as cuBLAS does.
#pragma once

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom::model {

// Needs a peak speed for the precision.
Duration product_time(const Accelerator& accelerator, Precision precision,
                      const MatrixProduct& product);

// Attention as one kernel: its products at the sustained speed, its operands moved once.
Duration fused_time(const Accelerator& accelerator, Precision precision, double flops,
                    double bytes);

// A memory-bound kernel that reads and writes `bytes` in total.
Duration memory_time(const Accelerator& accelerator, double bytes);

}  // namespace loom::model
