// Workloads: a workload that parses survives a round trip.
#include "loom/workload/workload.h"
#include "tests/fuzz/fuzz.h"

namespace {

void check(const std::string& text) {
  const loom::workload::Workload workload = loom::workload::parse_workload(text, "fuzz.yaml");
  const loom::workload::Workload again = loom::fuzz::without_objection([&] {
    return loom::workload::parse_workload(loom::workload::to_text(workload), "again.yaml");
  });
  LOOM_CHECK(again == workload, "a workload's text reads back the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
