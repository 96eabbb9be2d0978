// Rostam profile files: an accepted file is accepted for two batch sizes, and its workload survives
// a round trip.
#include "loom/foreign/rostam.h"
#include "loom/place/place_profile.h"
#include "tests/fuzz/fuzz.h"

namespace {

loom::Collective usual(const loom::Collective& wanted, const loom::Groups&) {
  loom::Collective chosen = wanted;
  chosen.algorithm = loom::algorithms_for(wanted.kind).front();
  return chosen;
}

void check_workload(const loom::RostamProfile& profile) {
  const loom::OperatorPlan plan{.group = 2, .replicas = 2};
  const auto placed = loom::place_profile(loom::to_graph(profile), 8, plan, usual);
  const std::string written = loom::to_text(std::get<loom::PlacedJob>(placed).lowered.workload);
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
