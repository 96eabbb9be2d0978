#include "loom/reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "loom/base/renamed.h"
#include "loom/base/settings.h"
#include "loom/report/table.h"
#include "loom/reproduce/coded_study.h"
#include "loom/reproduce/grid_claims.h"
#include "loom/reproduce/grid_outputs.h"
#include "loom/reproduce/metric.h"
#include "loom/reproduce/papers.h"
#include "loom/reproduce/scheduling_claims.h"
#include "loom/reproduce/sharing_study.h"

namespace loom::reproduce {
namespace {

constexpr auto kCaseClaim = claim_parameters(
    kReportMeasure,
    {{.name = "of", .type = ValueType::text, .summary = "case whose measure is taken"},
     {.name = "over", .type = ValueType::text, .summary = "case whose measure is the divisor"}});

// Keys that determine the kind of a section of a paper.
constexpr std::array<std::string_view, 2> kSectionKeys = {"sections", "scheduling"};

std::string text_of(const Tree& map, std::string_view key) {
  const Tree* found = map.find(key);
  if (found == nullptr || found->kind != Tree::Kind::scalar) {
    throw InputError(
        found == nullptr ? map.location : found->location,
        fmt::format("'{}' is missing or not a single value; a single value is needed", key));
  }
  return found->text;
}

// The scenario of a case: the paper's scenario with the overrides of the case, which must have a
// single point.
scenario::Scenario scenario_of(const Tree& paper, const Tree& one) {
  const Tree* base = paper.find("scenario");
  if (base == nullptr) throw InputError(paper.location, "the paper lacks 'scenario' (a map)");
  std::vector<std::string> overrides;
  for (const auto& entry : one.entries) {
    if (entry.key != "name") overrides.push_back(entry.key + "=" + text_of(one, entry.key));
  }
  std::vector<scenario::Scenario> points = scenario::read_scenarios(*base, overrides);
  if (points.size() != 1)
    throw InputError(one.location, "a case makes several points; exactly one is needed");
  return points.front();
}

double mean_error(const std::vector<Verdict>& before) {
  double sum = 0;
  for (const Verdict& it : before) sum += std::abs(it.found.value / it.claim.published - 1);
  return before.empty() ? 0 : 100 * sum / static_cast<double>(before.size());
}

using Results = std::map<std::string, run::Report>;

const run::Report& case_of(const Results& results, const Settings& claim, std::string_view key) {
  if (!claim.has(key)) {
    throw InputError(claim.location(),
                     fmt::format("the claim lacks '{}', the name of a case", key));
  }
  const auto found = results.find(claim.text(key));
  if (found == results.end()) claim.refuse(key, "the name of a case is needed");
  return found->second;
}

double measure_cases(const ClaimEntry& wanted, const Results& results, const Study& study) {
  const std::string& name = wanted.claim.measure;
  if (name == "mean_error") return mean_error(study.verdicts);
  const double value = measure(case_of(results, wanted.settings, "of"), name);
  if (!wanted.settings.given("over")) return value;
  return value / measure(case_of(results, wanted.settings, "over"), name);
}

void run_cases(const Tree& section, const run::RunOptions& options, Study& study) {
  std::vector<std::string> names;
  std::vector<scenario::Scenario> scenarios;
  for (const Tree& one : list_of(section, "cases").items) {
    names.push_back(text_of(one, "name"));
    scenarios.push_back(scenario_of(section, one));
  }
  const std::vector<ClaimEntry> claims = read_claims(section, kCaseClaim);
  std::vector<run::Report> all = run_all(scenarios, options);
  Results results;
  for (std::size_t i = 0; i < all.size(); ++i) results.emplace(names[i], std::move(all[i]));
  for (const ClaimEntry& it : claims) {
    study.verdicts.push_back(judge(it.claim, {.value = measure_cases(it, results, study)}));
  }
}

void run_grid(const Tree& section, bool quick, const run::RunOptions& options, Study& study) {
  const Tree* scenario = section.find("scenario");
  if (scenario == nullptr) throw InputError(section.location, "the paper lacks 'scenario' (a map)");
  GridStudy grid{read_grid(section, *scenario, quick), {}, plots_of(section)};
  const std::vector<ClaimEntry> claims = read_grid_claims(section);
  std::vector<scenario::Scenario> scenarios;
  for (const GridPoint& it : grid.grid.points) scenarios.push_back(it.scenario);
  grid.results = run_all(scenarios, options);
  for (const ClaimEntry& it : claims) {
    Found found = measure_grid(it, grid.grid, grid.results);
    found.reduced = quick && section.find("quick") != nullptr;
    study.verdicts.push_back(judge(it.claim, std::move(found)));
  }
  study.grids.push_back(std::move(grid));
}

void run_shared(const Tree& section, std::size_t index, const run::RunOptions& options,
                Study& study) {
  const std::vector<ClaimEntry> claims = read_sharing_claims(section);
  const SharingStudy shared = run_sharing(*section.find("sharing"), options);
  for (const ClaimEntry& it : claims) {
    study.verdicts.push_back(judge(it.claim, measure_sharing(it, shared)));
  }
  const std::string suffix = index == 0 ? "" : fmt::format("_{}", index + 1);
  for (auto& file : sharing_files(shared, suffix)) study.files.push_back(std::move(file));
}

}  // namespace

std::vector<std::string_view> paper_names() {
  std::vector<std::string_view> names;
  for (const Paper& it : papers()) names.push_back(it.name);
  return names;
}

std::string_view paper_text(const std::string& name) {
  for (const Paper& it : papers()) {
    if (it.name == name) return it.text;
  }
  const std::vector<std::string_view> known = paper_names();
  throw InputError({}, fmt::format("there is no study '{}'{}; known are {}", name,
                                   suggestion(name, known), fmt::join(known, ", ")));
}

Study reproduce(const Tree& paper, bool quick, const run::RunOptions& options) {
  Study study;
  study.title = text_of(paper, "title");
  study.source = text_of(paper, "source");
  refuse_renamed_keys(paper, "paper", kSectionKeys);
  const Tree* sections = paper.find("sections");
  const std::vector<Tree> all = sections == nullptr ? std::vector<Tree>{paper} : sections->items;
  refuse_repeated_ids(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    run::RunOptions one = options;
    if (options.progress) {
      one.progress = [&, i](double done) {
        options.progress((static_cast<double>(i) + done) / static_cast<double>(all.size()));
      };
    }
    refuse_renamed_keys(all[i], "paper", kSectionKeys);
    if (all[i].find("measured") != nullptr) {
      run_measured(all[i], quick, one, study);
    } else if (all[i].find("grid") != nullptr) {
      run_grid(all[i], quick, one, study);
    } else if (all[i].find("sharing") != nullptr) {
      run_shared(all[i], i, one, study);
    } else if (all[i].find("scheduling") != nullptr) {
      run_scheduling_section(all[i], quick, one, study);
    } else {
      run_cases(all[i], one, study);
    }
  }
  return study;
}

std::string study_text(const Study& study) {
  const bool places = std::any_of(study.verdicts.begin(), study.verdicts.end(),
                                  [](const Verdict& it) { return !it.at().empty(); });
  report::Table table{{"claim", "published", "ours", "ratio", "rule", "holds"}, {}};
  if (places) table.columns.emplace_back("at");
  std::size_t held = 0;
  for (const Verdict& it : study.verdicts) {
    held += it.holds ? 1 : 0;
    const Claim& claim = it.claim;
    const Found& found = it.found;
    table.rows.push_back(
        {claim.text, claim.published, found.value,
         claim.published == 0 ? report::Cell() : report::Cell(found.value / claim.published),
         claim.rule.text,
         fmt::format("{}{}", it.holds ? "yes" : "NO", found.reduced ? " (reduced)" : "")});
    if (places) table.rows.back().emplace_back(it.at());
  }
  std::string text = fmt::format("{}\nsource: {}\n\n{}\n{} of {} claims hold\n", study.title,
                                 study.source, to_text(table), held, study.verdicts.size());
  for (const Verdict& it : study.verdicts) {
    if (it.found.reason.empty()) continue;
    text += fmt::format("\ndoes not hold: {}\n  {}\n", it.claim.text, it.found.reason);
  }
  return text;
}

nlohmann::ordered_json study_json(const Study& study) {
  auto list = nlohmann::ordered_json::array();
  for (const Verdict& it : study.verdicts) {
    list.push_back({{"id", it.claim.id},
                    {"claim", it.claim.text},
                    {"source", study.source},
                    {"rule", it.claim.rule.text},
                    {"published", it.claim.published},
                    {"ours", it.found.value},
                    {"holds", it.holds}});
    if (!it.at().empty()) list.back()["at"] = it.at();
    if (it.found.reduced) list.back()["reduced"] = true;
    if (!it.found.reason.empty()) list.back()["reason"] = it.found.reason;
  }
  return list;
}

}  // namespace loom::reproduce
