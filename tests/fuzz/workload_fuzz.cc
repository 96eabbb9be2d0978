// Workloads: a workload that parses survives a round trip.
#include "loom/workload/workload.h"
#include "tests/fuzz/fuzz.h"

namespace {

void check(const std::string& text) {
  const loom::Workload workload = loom::parse_workload(text, "fuzz.yaml");
  const loom::Workload again = loom::fuzz::without_objection(
      [&] { return loom::parse_workload(loom::to_text(workload), "again.yaml"); });
  LOOM_CHECK(again == workload, "a workload's text reads back the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
