// What follows from the description of a bench alone.
#include "bpf/bench.h"

namespace loom::bpf {

bool has_suffix(std::string_view name, std::string_view suffix) { return name.ends_with(suffix); }

std::string kernel_algorithm(std::string_view name) {
  for (const std::string_view suffix : {"_f1", "_shifted"}) {
    if (name.ends_with(suffix)) return std::string(name.substr(0, name.size() - suffix.size()));
  }
  return std::string(name);
}

Duration sending_time(const BenchSpec& spec) {
  return transfer_time({spec.size.count * 1514 / 1448}, spec.bandwidth);
}

Duration apart(const BenchSpec& spec, int seed) {
  return sending_time(spec) * (2 * seed + 1) / (2 * spec.seeds);
}

Duration shift_period(const BenchSpec& spec) {
  const Duration alone = sending_time(spec) + spec.compute;
  return alone + alone / 50;
}

}  // namespace loom::bpf
