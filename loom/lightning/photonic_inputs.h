// Inputs that a client sends, and the answers it expects.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/photonic/server/packet.h"

namespace loom::lightning {

struct ClientInputs {
  std::vector<std::uint8_t> values;  // all inputs, concatenated
  std::vector<std::int32_t> labels;  // one per input, or empty

  std::int64_t count(std::size_t size) const {
    return static_cast<std::int64_t>(values.size() / size);
  }
};

// Reads the files; if `inputs` is "", generates random inputs from the seed: as many as requested
// (0: no limit), but at least one and at most 1000 and about 64 MiB.
ClientInputs client_inputs(const std::string& inputs, const std::string& labels,
                           const photonic::Description& server, std::uint64_t seed,
                           std::int64_t count = 0);

// Computed by the network in this file, with all sums. InputError if the server's network differs
// or answers with noise.
std::vector<photonic::Answer> expected_answers(const std::string& network,
                                               std::span<const std::uint8_t> inputs,
                                               const photonic::Description& server);

}  // namespace loom::lightning
