// Traces for a workload of three operations on four devices.
#include "loom/run/trace/trace.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  loom::workload::Workload workload;
  workload.devices = 4;
  workload.operations.resize(3);
  return loom::fuzz::only_input_errors(
      [&] { loom::run::read_trace(loom::fuzz::text_of(data, size), "fuzz.csv", workload); });
}
