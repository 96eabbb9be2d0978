#include "loom/reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

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

namespace loom {
namespace {

constexpr std::array<Parameter, 6> kCaseClaim = {{
    kClaimInWords,
    kClaimMeasure,
    {.name = "of", .type = ValueType::text, .summary = "case that is measured"},
    {.name = "over", .type = ValueType::text, .summary = "case to divide by"},
    kClaimPublished,
    kClaimRule,
}};

// Keys that decide the kind of a section of a paper.
constexpr std::array<std::string_view, 2> kSectionKeys = {"sections", "scheduling"};

const Tree& list_of(const Tree& paper, std::string_view key) {
  const Tree* list = paper.find(key);
  if (list == nullptr || list->kind != Tree::Kind::list || list->items.empty()) {
    throw InputError(list == nullptr ? paper.location : list->location,
                     fmt::format("the paper lacks '{}' (a list)", key));
  }
  return *list;
}

std::string text_of(const Tree& map, std::string_view key) {
  const Tree* found = map.find(key);
  if (found == nullptr || found->kind != Tree::Kind::scalar) {
    throw InputError(
        found == nullptr ? map.location : found->location,
        fmt::format("'{}' is missing or not a single value; a single value is needed", key));
  }
  return found->text;
}

// The single point of the scenario with the overrides of a case.
Scenario scenario_of(const Tree& paper, const Tree& one) {
  const Tree* base = paper.find("scenario");
  if (base == nullptr) throw InputError(paper.location, "the paper lacks 'scenario' (a map)");
  std::vector<std::string> overrides;
  for (const auto& entry : one.entries) {
    if (entry.key != "name") overrides.push_back(entry.key + "=" + text_of(one, entry.key));
  }
  std::vector<Scenario> points = read_scenarios(*base, overrides);
  if (points.size() != 1)
    throw InputError(one.location, "a case makes several points; exactly one is needed");
  return points.front();
}

double mean_error(const std::vector<Claim>& before) {
  double sum = 0;
  for (const Claim& it : before) sum += std::abs(it.ours / it.published - 1);
  return before.empty() ? 0 : 100 * sum / static_cast<double>(before.size());
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

using Results = std::map<std::string, Report>;

const Report& case_of(const Results& results, const Settings& claim, std::string_view key) {
  if (!claim.has(key)) {
    throw InputError(claim.location(), fmt::format("the claim lacks '{}' (a case)", key));
  }
  const auto found = results.find(claim.text(key));
  if (found == results.end()) claim.refuse(key, "the name of a case is needed");
  return found->second;
}

Claim judge(const Settings& wanted, const Results& results, const Study& study) {
  Claim claim;
  claim.claim = wanted.text("claim");
  claim.source = study.source;
  claim.rule = wanted.text("rule");
  claim.published = wanted.real("published");
  const std::string name = wanted.text("measure");
  if (name == "mean_error") {
    claim.ours = mean_error(study.claims);
  } else {
    claim.ours = measure(case_of(results, wanted, "of"), name);
    if (wanted.given("over")) claim.ours /= measure(case_of(results, wanted, "over"), name);
  }
  claim.holds = holds(claim.rule, claim.published, claim.ours, wanted.location("rule"));
  return claim;
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

bool holds(const std::string& rule, double published, double ours, const SourceLocation& location) {
  const auto after = [&](std::string_view words) -> std::optional<double> {
    return rule.starts_with(words) ? number(std::string_view(rule).substr(words.size()))
                                   : std::nullopt;
  };
  if (const auto min = after("at least ")) return ours >= *min;
  if (const auto max = after("at most ")) return ours <= *max;
  if (rule.starts_with("within ") && rule.ends_with(" %")) {
    const auto percent = number(std::string_view(rule).substr(7, rule.size() - 9));
    if (percent) return std::abs(ours - published) <= std::abs(published) * *percent / 100;
  }
  const std::size_t to = rule.find(" to ");
  if (rule.starts_with("from ") && to != std::string::npos) {
    const auto low = number(std::string_view(rule).substr(5, to - 5));
    const auto high = number(std::string_view(rule).substr(to + 4));
    if (low && high) return ours >= *low && ours <= *high;
  }
  throw InputError(location,
                   fmt::format("rule is {}; within X %, at least X, at most X or from X to "
                               "Y is needed",
                               rule));
}

namespace {

void run_cases(const Tree& section, const RunOptions& options, Study& study) {
  std::vector<std::string> names;
  std::vector<Scenario> scenarios;
  for (const Tree& one : list_of(section, "cases").items) {
    names.push_back(text_of(one, "name"));
    scenarios.push_back(scenario_of(section, one));
  }
  std::vector<Report> all = run_all(scenarios, options);
  Results results;
  for (std::size_t i = 0; i < all.size(); ++i) results.emplace(names[i], std::move(all[i]));
  for (const Tree& claim : list_of(section, "claims").items) {
    study.claims.push_back(judge(Settings(claim, kCaseClaim, "claim"), results, study));
  }
}

void run_grid(const Tree& section, bool quick, const RunOptions& options, Study& study) {
  const Tree* scenario = section.find("scenario");
  if (scenario == nullptr) throw InputError(section.location, "the paper lacks 'scenario' (a map)");
  GridStudy grid{read_grid(section, *scenario, quick), {}, plots_of(section)};
  std::vector<Scenario> scenarios;
  for (const GridPoint& it : grid.grid.points) scenarios.push_back(it.scenario);
  grid.results = run_all(scenarios, options);
  for (const Tree& claim : list_of(section, "claims").items) {
    Claim judged = judge_grid(claim, grid.grid, grid.results);
    judged.source = study.source;
    judged.reduced = quick && section.find("quick") != nullptr;
    study.claims.push_back(std::move(judged));
  }
  study.grids.push_back(std::move(grid));
}

void run_shared(const Tree& section, std::size_t index, const RunOptions& options, Study& study) {
  const SharingStudy shared = run_sharing(*section.find("sharing"), options);
  for (const Tree& claim : list_of(section, "claims").items) {
    study.claims.push_back(judge_sharing(claim, shared));
    study.claims.back().source = study.source;
  }
  const std::string suffix = index == 0 ? "" : fmt::format("_{}", index + 1);
  for (auto& file : sharing_files(shared, suffix)) study.files.push_back(std::move(file));
}

}  // namespace

Study reproduce(const Tree& paper, bool quick, const RunOptions& options) {
  Study study;
  study.title = text_of(paper, "title");
  study.source = text_of(paper, "source");
  refuse_renamed_keys(paper, "paper", kSectionKeys);
  const Tree* sections = paper.find("sections");
  const std::vector<Tree> all = sections == nullptr ? std::vector<Tree>{paper} : sections->items;
  for (std::size_t i = 0; i < all.size(); ++i) {
    RunOptions one = options;
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
  const bool places = std::any_of(study.claims.begin(), study.claims.end(),
                                  [](const Claim& it) { return !it.at.empty(); });
  Table table{{"claim", "published", "ours", "ratio", "rule", "holds"}, {}};
  if (places) table.columns.emplace_back("at");
  std::size_t held = 0;
  for (const Claim& it : study.claims) {
    held += it.holds ? 1 : 0;
    table.rows.push_back(
        {it.claim, it.published, it.ours, it.published == 0 ? Cell() : Cell(it.ours / it.published),
         it.rule, fmt::format("{}{}", it.holds ? "yes" : "NO", it.reduced ? " (reduced)" : "")});
    if (places) table.rows.back().emplace_back(it.at);
  }
  std::string text = fmt::format("{}\nsource: {}\n\n{}\n{} of {} claims hold\n", study.title,
                                 study.source, to_text(table), held, study.claims.size());
  for (const Claim& it : study.claims) {
    if (!it.reason.empty()) text += fmt::format("\ndoes not hold: {}\n  {}\n", it.claim, it.reason);
  }
  return text;
}

nlohmann::ordered_json study_json(const Study& study) {
  auto list = nlohmann::ordered_json::array();
  for (const Claim& it : study.claims) {
    list.push_back({{"claim", it.claim},
                    {"source", it.source},
                    {"rule", it.rule},
                    {"published", it.published},
                    {"ours", it.ours},
                    {"holds", it.holds}});
    if (!it.at.empty()) list.back()["at"] = it.at;
    if (it.reduced) list.back()["reduced"] = true;
    if (!it.reason.empty()) list.back()["reason"] = it.reason;
  }
  return list;
}

}  // namespace loom
