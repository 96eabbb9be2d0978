// A processor that serves one batch after the other: what the published model leaves out.
//
// A request's input first comes in over a link, one after the other, and spends a fixed time with
// the host. When the processor is free it takes the request that has waited longest and with it
// others of the same network, up to the largest batch; it never waits for a batch to fill. The
// answer goes back over the link's other direction. How long a batch takes is a table, so that any
// model of time can stand behind it: kernels of a GPU, or light that is fed from a memory.
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
  Power power;        // of the board, while it works
  Duration host{0};   // that every request spends on its way in, however many there are
  Bandwidth link;     // 0: inputs are there at once
  int max_batch = 1;  // at least 1
  // By model and size of the batch less one; empty for a network it cannot serve.
  std::vector<std::vector<Duration>> service = {};
};

// Runs until the first `first` requests have been answered (0: all). Needs a time for every network
// that is asked for.
Completions simulate_fifo(const FifoProcessor& processor, const std::vector<ServedModel>& models,
                          const std::vector<Arrival>& arrivals, std::size_t first);

// A GPU as one would really serve with it: fp16 on the matrix units, kernels by loom/model's time
// of them, inputs over PCI Express.
FifoProcessor batching_gpu(std::string name, const Accelerator& accelerator, Power power,
                           Duration host, int max_batch, const std::vector<ServedModel>& models);

// An A100 (PCIe, 40 GB) behind a host, and an A100X, whose network card is on the board.
FifoProcessor fair_a100(int max_batch, const std::vector<ServedModel>& models);
FifoProcessor fair_a100x(int max_batch, const std::vector<ServedModel>& models);

// Lightning's cores, with weights read from a memory: a layer takes at least as long as its weights
// (a byte each, read once a request) take to come. Rows of tables are looked up.
FifoProcessor fed_lightning(Bandwidth memory, const std::vector<ServedModel>& models);

// The memory of the A100 (PCIe, 40 GB) beside it: 1555 GB/s (NVIDIA A100 datasheet, 2021).
inline constexpr Bandwidth kFeedingMemory{1'555'000'000'000 * 8};

}  // namespace loom::photonic
