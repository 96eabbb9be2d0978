// A processor that serves one batch at a time, with effects that the published model
// (tick_processor.h) leaves out: batches, link, host and memory.
//
// Inputs arrive over a link, one after the other, and spend a fixed time in the host. A free
// processor takes the request that has waited longest and further requests for the same network, up
// to the maximum batch size; it never waits for a batch to fill. The answer returns over the other
// direction of the link. Batch times come from a table, so that any timing model can be used: GPU
// kernels, or photonic cores fed from a memory.
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
  Bandwidth link;     // link from the network to the processor; 0: inputs arrive instantly
  int max_batch = 1;  // at least 1
  // Service time of a batch, indexed by model and batch size minus one; empty for a model that the
  // processor cannot serve.
  std::vector<std::vector<Duration>> service = {};
};

// Runs until the first `first` requests have been answered (0: all). Needs the batch times of every
// requested model.
Completions simulate_fifo(const FifoProcessor& processor, const std::vector<ServedModel>& models,
                          const std::vector<Arrival>& arrivals, std::size_t first);

// A GPU as used in practice: fp16 on its matrix units, kernel times from loom/model, and inputs
// over PCI Express.
FifoProcessor batching_gpu(std::string name, const model::Accelerator& accelerator, Power power,
                           Duration host, int max_batch, const std::vector<ServedModel>& models);

// An A100 (PCIe, 40 GB) behind a host, and an A100X, whose network card is on the board.
FifoProcessor fair_a100(int max_batch, const std::vector<ServedModel>& models);
FifoProcessor fair_a100x(int max_batch, const std::vector<ServedModel>& models);

// Lightning's cores with weights read from a memory: a layer takes at least as long as reading its
// weights (one byte each, once per request). Embedding lookups take no time.
FifoProcessor fed_lightning(Bandwidth memory, const std::vector<ServedModel>& models);

// Memory bandwidth of Lightning-fed: that of the A100 (PCIe, 40 GB), 1555 GB/s (NVIDIA A100
// datasheet, 2021).
inline constexpr Bandwidth kFeedingMemory{1'555'000'000'000 * 8};

}  // namespace loom::photonic
