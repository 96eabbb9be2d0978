// Kernel times: a roofline with one efficiency curve for all matrix products.
//
// A product is divided into tiles that the units of the accelerator process in waves (NVIDIA,
// "Matrix Multiplication Background User's Guide": tile and wave quantization). A unit computes a
// tile at the sustained speed, small tiles at a fraction of it, and then stores the result; no
// computation of the same wave hides the store, so products with a small inner dimension are slow.
// The total is at least the time to read the operands and write the result. The fastest of the
// common tile sizes is used, as in cuBLAS. Every kernel also takes the launch overhead.
#pragma once

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom::model {

// The time of a matrix product. The accelerator must have a peak speed for the precision.
Duration product_time(const Accelerator& accelerator, Precision precision,
                      const MatrixProduct& product);

// Lower bound, in seconds, on the time of all the products together into which this one may be
// divided along any of its dimensions: without launches and the rounding to tiles and waves.
double min_product_seconds(const Accelerator& accelerator, Precision precision,
                           const MatrixProduct& product);

// The time of attention as one kernel: the longer of the time to compute `flops` at the sustained
// speed and the time to move `bytes`.
Duration fused_time(const Accelerator& accelerator, Precision precision, double flops,
                    double bytes);

// The time of a memory-bound kernel that reads and writes `bytes` in total.
Duration memory_time(const Accelerator& accelerator, double bytes);

}  // namespace loom::model
