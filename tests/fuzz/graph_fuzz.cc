// Custom graphs: CSV if the first byte is 'c', else YAML. An accepted graph survives a round trip.
#include "loom/fabric/kinds/electrical/custom.h"
#include "tests/fuzz/fuzz.h"

namespace {

void check(const std::string& text) {
  const loom::fabric::Network graph =
      loom::fabric::read_custom_graph(text.substr(1), "fuzz", text.front() == 'c');
  const std::string written = loom::fabric::to_text(graph);
  const loom::fabric::Network again = loom::fuzz::without_objection(
      [&] { return loom::fabric::read_custom_graph(written, "again", false); });
  LOOM_CHECK(loom::fabric::to_text(again) == written, "a graph's text reads back the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
