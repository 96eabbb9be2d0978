#include "loom/study/photonic_inputs.h"

#include <fmt/format.h>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/photonic/network_files.h"
#include "loom/study/photonic_serving.h"

namespace loom {

ClientInputs client_inputs(const std::string& inputs, const std::string& labels, std::size_t size,
                           std::uint64_t seed) {
  constexpr int kRandomInputs = 1000;
  ClientInputs all;
  if (inputs.empty()) {
    Random random = random_stream(seed);
    all.values.resize(size * kRandomInputs);
    for (std::uint8_t& it : all.values) it = static_cast<std::uint8_t>(random(256));
  } else {
    const Place place = place_of("--inputs " + inputs);
    all.values = read_photonic_inputs(inputs, static_cast<std::int64_t>(size), place);
    if (all.values.empty()) throw InputError(place, "there is no input; at least one is needed");
  }
  if (labels.empty()) return all;
  const Place place = place_of("--labels " + labels);
  all.labels = read_labels(labels, place);
  if (static_cast<std::int64_t>(all.labels.size()) != all.count(size)) {
    throw InputError(place, fmt::format("there are {} labels; one for each of {} inputs is needed",
                                        all.labels.size(), all.count(size)));
  }
  return all;
}

std::vector<photonic::Answer> expected_answers(const std::string& network,
                                               std::span<const std::uint8_t> inputs,
                                               std::size_t size) {
  const std::vector<photonic::ServedNetwork> one = read_served_networks({network}, {});
  if (one.front().inputs != size) {
    throw InputError(
        place_of("--network " + network),
        fmt::format("it takes {} values; the server's takes {}", one.front().inputs, size));
  }
  std::vector<photonic::Answer> answers;
  for (std::size_t begin = 0; begin < inputs.size(); begin += size) {
    const PhotonicResult result = one.front().run(inputs.subspan(begin, size), 0);
    answers.push_back({static_cast<std::uint32_t>(result.label),
                       static_cast<std::uint64_t>(result.cycles), result.logits});
  }
  return answers;
}

}  // namespace loom
