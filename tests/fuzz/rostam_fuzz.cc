// Rostam profile files: an accepted file is accepted for two batch sizes, and its workload survives
// a round trip.
#include "loom/foreign/rostam.h"
#include "loom/place/place_profile.h"
#include "tests/fuzz/fuzz.h"

namespace {

loom::workload::Collective usual(const loom::workload::Collective& wanted,
                                 const loom::workload::Groups&) {
  loom::workload::Collective chosen = wanted;
  chosen.algorithm = loom::workload::algorithms_for(wanted.kind).front();
  return chosen;
}

void check_workload(const loom::foreign::RostamProfile& profile) {
  const loom::place::OperatorPlan plan{.group = 2, .replicas = 2};
  const auto placed = loom::place::place_profile(loom::foreign::to_graph(profile), 8, plan, usual);
  const std::string written =
      loom::workload::to_text(std::get<loom::place::PlacedJob>(placed).lowered.workload);
  const loom::workload::Workload again = loom::fuzz::without_objection(
      [&] { return loom::workload::parse_workload(written, "again"); });
  LOOM_CHECK(loom::workload::to_text(again) == written, "a workload's text reads back the same");
}

void check(const std::string& content) {
  std::vector<loom::foreign::RostamFile> files;
  files.push_back({1, "fuzz_bs1.pb", content});
  loom::foreign::parse_rostam(files);
  files.push_back({8, "fuzz_bs8.pb", content});
  check_workload(loom::fuzz::without_objection([&] { return loom::foreign::parse_rostam(files); }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return loom::fuzz::only_input_errors([&] { check(loom::fuzz::text_of(data, size)); });
}
