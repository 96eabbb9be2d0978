// Files of Rostam profiles: what is accepted once is accepted for two batch sizes, and as a
// workload its text reads back the same.
#include "loom/foreign/rostam.h"
#include "tests/fuzz/fuzz.h"

namespace {

void check_workload(const loom::RostamProfile& profile) {
  const std::string written = loom::to_text(loom::to_workload(profile, {.devices = 4, .batch = 8}));
  const loom::Workload again =
      loom::fuzz::without_objection([&] { return loom::parse_workload(written, "again"); });
  LOOM_CHECK(loom::to_text(again) == written, "a workload's text reads back the same");
}

void check(const std::string& content) {
  std::vector<loom::RostamFile> files;
  files.push_back({1, "fuzz_bs1.pb", content});
  loom::parse_rostam(files);
  files.push_back({8, "fuzz_bs8.pb", content});
  check_workload(loom::fuzz::without_objection([&] { return loom::parse_rostam(files); }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
