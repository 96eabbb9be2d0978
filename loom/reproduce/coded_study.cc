#include "loom/reproduce/coded_study.h"

#include <fmt/format.h>

#include <array>

#include "loom/base/settings.h"
#include "loom/reproduce/metric.h"

namespace loom {
namespace {

struct MeasuredStudy {
  std::string_view name;
  Measured (*run)(bool quick, const RunOptions& options);
};

constexpr std::array<MeasuredStudy, 1> kStudies = {
    {{"lightning_serving", measure_lightning_serving}}};

constexpr std::array<Parameter, 5> kClaim = {{
    kClaimInWords,
    {.name = "measure",
     .type = ValueType::text,
     .summary = "name of a number that the study measures",
     .required = true},
    kClaimPublished,
    kClaimRule,
    {.name = "reason",
     .type = ValueType::text,
     .summary = "explanation if the claim does not hold"},
}};

Measured run_named(const Tree& name, bool quick, const RunOptions& options) {
  std::vector<std::string_view> known;
  for (const MeasuredStudy& it : kStudies) {
    if (it.name == name.text) return it.run(quick, options);
    known.push_back(it.name);
  }
  throw InputError(name.location,
                   fmt::format("there is no measured study '{}'{}; known are {}", name.text,
                               suggestion(name.text, known), fmt::join(known, ", ")));
}

}  // namespace

void run_measured(const Tree& section, bool quick, const RunOptions& options, Study& study) {
  const Measured measured = run_named(*section.find("measured"), quick, options);
  const Tree* claims = section.find("claims");
  if (claims == nullptr || claims->kind != Tree::Kind::list) {
    throw InputError(section.location, "the paper lacks 'claims' (a list)");
  }
  for (const Tree& it : claims->items) {
    const Settings wanted(it, kClaim, "claim");
    const auto found = measured.numbers.find(wanted.text("measure"));
    if (found == measured.numbers.end())
      wanted.refuse("measure", "the name of a number that the study measures is needed");
    Claim claim;
    claim.claim = wanted.text("claim");
    claim.source = study.source;
    claim.rule = wanted.text("rule");
    claim.published = wanted.real("published");
    claim.ours = found->second;
    claim.holds = holds(claim.rule, claim.published, claim.ours, wanted.location("rule"));
    const auto interval = measured.intervals.find(found->first);
    if (interval != measured.intervals.end()) {
      const auto [low, high] = interval->second;
      const auto holds_at = [&](double ours) {
        return holds(claim.rule, claim.published, ours, wanted.location("rule"));
      };
      const bool decided = holds_at(low) == claim.holds && holds_at(high) == claim.holds;
      claim.at =
          fmt::format("interval {:.3g} to {:.3g}{}", low, high, decided ? "" : ": not decided");
    }
    claim.reduced = quick;
    if (!claim.holds && wanted.has("reason")) claim.reason = wanted.text("reason");
    study.claims.push_back(std::move(claim));
  }
  study.files.insert(study.files.end(), measured.files.begin(), measured.files.end());
}

}  // namespace loom
