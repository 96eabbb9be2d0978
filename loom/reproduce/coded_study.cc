#include "loom/reproduce/coded_study.h"

#include <fmt/format.h>

#include <array>

#include "loom/base/settings.h"

namespace loom::reproduce {
namespace {

struct MeasuredStudy {
  std::string_view name;
  Measured (*run)(bool quick, const run::RunOptions& options);
};

constexpr std::array<MeasuredStudy, 1> kStudies = {
    {{"lightning_serving", measure_lightning_serving}}};

constexpr auto kMeasuredClaim =
    claim_parameters(claim_measure("name of a number that the study measures"),
                     {{.name = "reason",
                       .type = ValueType::text,
                       .summary = "explanation if the claim does not hold"}});

const MeasuredStudy& study_named(const Tree& name) {
  std::vector<std::string_view> known;
  for (const MeasuredStudy& it : kStudies) {
    if (it.name == name.text) return it;
    known.push_back(it.name);
  }
  throw InputError(name.location,
                   fmt::format("there is no measured study '{}'{}; known are {}", name.text,
                               suggestion(name.text, known), fmt::join(known, ", ")));
}

Found found_in(const Measured& measured, const ClaimEntry& wanted) {
  const auto number = measured.numbers.find(wanted.claim.measure);
  if (number == measured.numbers.end()) {
    wanted.settings.refuse("measure", "the name of a number that the study measures is needed");
  }
  Found found{.value = number->second};
  if (wanted.settings.has("reason")) found.reason = wanted.settings.text("reason");
  const auto interval = measured.intervals.find(wanted.claim.measure);
  if (interval != measured.intervals.end()) found.interval = interval->second;
  return found;
}

}  // namespace

void run_measured(const Tree& section, bool quick, const run::RunOptions& options, Study& study) {
  const MeasuredStudy& wanted = study_named(*section.find("measured"));
  const std::vector<ClaimEntry> claims = read_claims(section, kMeasuredClaim);
  const Measured measured = wanted.run(quick, options);
  for (const ClaimEntry& it : claims) {
    Found found = found_in(measured, it);
    found.reduced = quick;
    study.verdicts.push_back(judge(it.claim, std::move(found)));
  }
  study.files.insert(study.files.end(), measured.files.begin(), measured.files.end());
}

}  // namespace loom::reproduce
