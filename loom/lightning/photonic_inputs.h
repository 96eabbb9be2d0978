// Inputs that a client sends to an inference server, and the answers that it expects.
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

// Reads inputs and labels from files. If `inputs` is "", generates random inputs from the seed
// instead: `count`, but at most 1000 and at most 64 MiB, or as many as these limits allow if
// `count` is 0; in any case at least one.
ClientInputs client_inputs(const std::string& inputs, const std::string& labels,
                           const photonic::Description& server, std::uint64_t seed,
                           std::int64_t count = 0);

// The answers that the network in file `network` gives, including the logits. Throws InputError if
// the server's network has other dimensions, or if the server adds noise.
std::vector<photonic::Answer> expected_answers(const std::string& network,
                                               std::span<const std::uint8_t> inputs,
                                               const photonic::Description& server);

}  // namespace loom::lightning
