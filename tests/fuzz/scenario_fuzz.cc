// Scenarios: any text is rejected or expands to points. YAML that parses survives a round trip.
#include "loom/base/testing.h"
#include "loom/base/tree.h"
#include "loom/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"

namespace loom {
namespace {

void check(const std::string& text) {
  Tree tree = parse_yaml(text, "fuzz.yaml");
  const Tree again = fuzz::without_objection([&] { return parse_yaml(to_yaml(tree), "again"); });
  LOOM_CHECK(same(again, tree), "YAML is read back the same");
  scenario::read_scenarios(std::move(tree), {});
}

}  // namespace
}  // namespace loom

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { loom::check(loom::fuzz::text_of(data, size)); });
}
