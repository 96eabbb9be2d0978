// --set overrides, one per line, applied to a valid scenario.
#include "loom/scenario/points.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr const char* kScenario =
    "workload: {collective: all_reduce, size: [1 MB, 1 GB], algorithm: ring}\n"
    "gpus: 4\n"
    "fabrics:\n"
    "  - {kind: switch, bandwidth: 1 Gbps}\n"
    "  - {kind: torus, shape: 2x2, bandwidth: [1 Gbps, 2 Gbps]}\n"
    "changes:\n"
    "  - {at: 1 ms, link: 0->switch, bandwidth: 0 bps}\n";

void check(const std::string& lines) {
  loom::Tree scenario = loom::parse_yaml(kScenario, "good.yaml");
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    loom::scenario::override_value(scenario, lines.substr(begin, end - begin));
    begin = end + 1;
  }
  loom::scenario::expand_axes(scenario);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
