// What a client sends, and what it should get back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/photonic/server/packet.h"

namespace loom {

struct ClientInputs {
  std::vector<std::uint8_t> values;  // one input after the other
  std::vector<std::int32_t> labels;  // or none

  std::int64_t count(std::size_t size) const {
    return static_cast<std::int64_t>(values.size() / size);
  }
};

// From files; "" for inputs: random ones from the seed, as many as are asked for (0: any number)
// but at most 1000 and some 64 MiB, and at least one.
ClientInputs client_inputs(const std::string& inputs, const std::string& labels,
                           const photonic::Description& server, std::uint64_t seed,
                           std::int64_t count = 0);

// By the network of this file, with all sums. InputError where the server's is another, or answers
// with noise.
std::vector<photonic::Answer> expected_answers(const std::string& network,
                                               std::span<const std::uint8_t> inputs,
                                               const photonic::Description& server);

}  // namespace loom
