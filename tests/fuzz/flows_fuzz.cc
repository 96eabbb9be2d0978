// Flow tables, with the number of devices derived from the table or fixed at eight.
#include "loom/workload/flows.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = loom::fuzz::text_of(data, size);
  for (const int devices : {0, 8}) {
    loom::fuzz::only_input_errors([&] { loom::workload::parse_flows(text, "fuzz.csv", devices); });
  }
  return 0;
}
