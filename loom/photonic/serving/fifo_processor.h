// A processor that serves one batch at a time, with effects that the published model leaves out.
//
// Inputs first arrive over a link, one after the other, and spend a fixed time in the host. A free
// processor takes the request that has waited longest, plus others for the same network up to the
// largest batch; it never waits for a batch to fill. The answer returns over the link's other
// direction. Batch times come from a table, so that any timing model can be used: GPU kernels, or
// photonic cores fed from a memory.
#pragma once

#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/model/accelerator.h"
#include "loom/photonic/serving/completions.h"
#include "loom/photonic/serving/requests.h"
#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {

struct FifoProcessor {
  std::string name;
  Power power;        // board power while it works
  Duration host{0};   // fixed delay of every request in the host, independent of load
  Bandwidth link;     // 0: inputs arrive instantly
  int max_batch = 1;  // at least 1
  // Indexed by model and batch size minus one; empty for a network that it cannot serve.
  std::vector<std::vector<Duration>> service = {};
};

// Runs until the first `first` requests have been answered (0: all). Needs times for every
// requested network.
Completions simulate_fifo(const FifoProcessor& processor, const std::vector<ServedModel>& models,
                          const std::vector<Arrival>& arrivals, std::size_t first);

// A realistically used GPU: fp16 on the matrix units, kernel times from loom/model, inputs over PCI
// Express.
FifoProcessor batching_gpu(std::string name, const model::Accelerator& accelerator, Power power,
                           Duration host, int max_batch, const std::vector<ServedModel>& models);

// An A100 (PCIe, 40 GB) behind a host, and an A100X, whose network card is on the board.
FifoProcessor fair_a100(int max_batch, const std::vector<ServedModel>& models);
FifoProcessor fair_a100x(int max_batch, const std::vector<ServedModel>& models);

// Lightning's cores with weights read from a memory: a layer takes at least as long as reading its
// weights (one byte each, once per request). Rows of embedding tables are looked up.
FifoProcessor fed_lightning(Bandwidth memory, const std::vector<ServedModel>& models);

// The same memory as the A100 (PCIe, 40 GB): 1555 GB/s (NVIDIA A100 datasheet, 2021).
inline constexpr Bandwidth kFeedingMemory{1'555'000'000'000 * 8};

}  // namespace loom::photonic
