#include "loom/lightning/photonic_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/lightning/photonic_serving.h"
#include "loom/photonic/network/network_files.h"

namespace loom::lightning {
namespace {

std::vector<std::uint8_t> random_inputs(std::size_t size, std::int64_t asked, std::uint64_t seed) {
  constexpr std::int64_t kMaxInputs = 1000;
  constexpr std::int64_t kMaxInputBytes = std::int64_t{64} << 20;
  const std::int64_t fit =
      std::max<std::int64_t>(1, kMaxInputBytes / static_cast<std::int64_t>(size));
  const std::int64_t count = std::min({kMaxInputs, fit, asked > 0 ? asked : kMaxInputs});
  Random random = random_stream(seed);
  std::vector<std::uint8_t> values(size * static_cast<std::size_t>(count));
  for (std::uint8_t& it : values) it = static_cast<std::uint8_t>(random(256));
  return values;
}

}  // namespace

ClientInputs client_inputs(const std::string& inputs, const std::string& labels,
                           const photonic::Description& server, std::uint64_t seed,
                           std::int64_t count) {
  const std::size_t size = server.inputs;
  ClientInputs all;
  if (inputs.empty()) {
    all.values = random_inputs(size, count, seed);
  } else {
    const SourceLocation location = location_of("--inputs " + inputs);
    all.values = photonic::read_photonic_inputs(inputs, static_cast<std::int64_t>(size), location);
    if (all.values.empty())
      throw InputError(location, "the file has no inputs; at least one is needed");
  }
  if (labels.empty()) return all;
  all.labels = photonic::read_labels(labels, all.count(size), server.outputs,
                                     location_of("--labels " + labels));
  return all;
}

std::vector<photonic::Answer> expected_answers(const std::string& network,
                                               std::span<const std::uint8_t> inputs,
                                               const photonic::Description& server) {
  const SourceLocation location = location_of("--network " + network);
  if (server.noisy) {
    throw InputError(location,
                     "the server answers with noise; one without --sample-sigma and --output-sigma "
                     "is needed to check answers");
  }
  const std::vector<photonic::ServedNetwork> one = read_served_networks({network}, {});
  const photonic::ServedNetwork& ours = one.front();
  if (ours.inputs != server.inputs || ours.outputs != server.outputs) {
    throw InputError(location,
                     fmt::format("it has {} inputs and {} outputs; the server's network has {} and "
                                 "{}",
                                 ours.inputs, ours.outputs, server.inputs, server.outputs));
  }
  const std::size_t size = server.inputs;
  std::vector<photonic::Answer> answers;
  for (std::size_t begin = 0; begin < inputs.size(); begin += size) {
    const photonic::PhotonicResult result = ours.run(inputs.subspan(begin, size), 0);
    answers.push_back({static_cast<std::uint32_t>(result.label),
                       static_cast<std::uint64_t>(result.cycles), result.logits});
  }
  return answers;
}

}  // namespace loom::lightning
