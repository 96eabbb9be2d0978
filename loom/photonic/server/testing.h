// A network for server tests. Its label is the sum of the input plus a million times the network's
// id.
#pragma once

#include <numeric>

#include "loom/photonic/server/inference_server.h"

namespace loom::photonic {

inline ServedNetwork sum_network(std::uint16_t id, std::uint32_t inputs, int outputs = 3) {
  ServedNetwork network;
  network.id = id;
  network.name = "sum";
  network.inputs = inputs;
  network.outputs = static_cast<std::uint32_t>(outputs);
  network.cycles = 100;
  network.run = [id, outputs](std::span<const std::uint8_t> input, std::uint64_t) {
    PhotonicResult result;
    result.label = id * 1'000'000 + std::accumulate(input.begin(), input.end(), 0);
    result.cycles = 100;
    result.logits.assign(static_cast<std::size_t>(outputs), result.label);
    return result;
  };
  return network;
}

}  // namespace loom::photonic
