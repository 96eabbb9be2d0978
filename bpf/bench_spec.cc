// Quantities that follow from a bench's specification, without running it.
#include <algorithm>
#include <sstream>

#include "bpf/bench.h"

namespace loom::bpf {

bool has_suffix(std::string_view name, std::string_view suffix) { return name.ends_with(suffix); }

std::string kernel_algorithm(std::string_view name) {
  for (const std::string_view suffix : {"_f1", "_shifted"}) {
    if (name.ends_with(suffix)) return std::string(name.substr(0, name.size() - suffix.size()));
  }
  return std::string(name);
}

std::vector<std::string> algorithms_in(const std::string& list) {
  std::istringstream stream(list);
  std::vector<std::string> names;
  for (std::string name; std::getline(stream, name, ',');) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

Duration sending_time(const BenchSpec& spec) {
  return transfer_time({spec.size.count * 1514 / 1448}, spec.bandwidth);
}

Duration expected_isolated(const BenchSpec& spec) {
  return sending_time(spec) + spec.compute + spec.jitter;
}

Duration apart(const BenchSpec& spec, int seed) {
  return sending_time(spec) * (2 * seed + 1) / (2 * spec.seeds);
}

Duration shift_period(const BenchSpec& spec) {
  const Duration isolated = sending_time(spec) + spec.compute;
  return isolated + isolated / 50;
}

}  // namespace loom::bpf
