#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/compatibility/compatible_study.h"

namespace loom::compatibility {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxLinksDrawn = 12;  // per page
constexpr double kDrift = 0.05;  // offset at which a job is realigned (CASSINI, NSDI 2024)
// Minimum number of iterations between realignments for jobs to count as compatible.
constexpr double kLong = 100;
// Minimum slowdown that a note mentions, as a fraction of the iteration time.
constexpr double kWorse = 0.01;
// Fraction of the bytes at wrong times above which a learned profile fits poorly.
constexpr double kBadFit = 0.15;

double ratio(Duration a, Duration b) {
  return b.count() == 0 ? 1.0 : static_cast<double>(a.count()) / static_cast<double>(b.count());
}

double rounded(double value) { return std::round(value * 1e9) / 1e9; }

double degrees(Duration shift, Duration perimeter) {
  return 360.0 * static_cast<double>(shift.count()) / static_cast<double>(perimeter.count());
}

std::string score_text(double score) { return fmt::format("{:.4f}", score); }

// The rotation of each job on the link's circle, such as "vgg 0°, bert 90°".
std::string angles_text(const CompatibleResult& result, const jobs::SharedProfiles& reckoned,
                        int link) {
  const Duration perimeter = report::perimeter_of(reckoned, link);
  std::string out;
  for (const int job : report::jobs_on(reckoned, link)) {
    const auto j = static_cast<std::size_t>(job);
    out += fmt::format("{}{} {:.1f}°", out.empty() ? "" : ", ", reckoned.jobs[j].name,
                       degrees(result.best.shifts[j], perimeter));
  }
  return out;
}

std::vector<int> contended(const jobs::SharedProfiles& profiles) {
  std::vector<int> links;
  for (int link = 0; link < static_cast<int>(profiles.links.size()); ++link) {
    if (report::jobs_on(profiles, link).size() > 1) links.push_back(link);
  }
  return links;
}

// The number of iterations after which the error of rounded periods adds up to the offset at which
// a job is realigned.
double iterations_in_step(const jobs::Compatibility& best) {
  return std::max(1.0, std::floor(kDrift / best.rounding));
}

std::string verdict(const CompatibleResult& result) {
  const jobs::Compatibility& best = result.best;
  if (best.rounding > 0 && iterations_in_step(best) < kLong) {
    return fmt::format(
        "not compatible for long: with the given periods, {} unshifted and {} shifted",
        score_text(*result.drifting_before), score_text(*result.drifting));
  }
  const std::string_view of = best.rounding > 0 ? " with rounded periods" : "";
  if (best.score > 1 - 1e-9) {
    return fmt::format("compatible{}: demand never exceeds a link's capacity", of);
  }
  if (best.proved) return fmt::format("not compatible: these shifts are optimal{}", of);
  return fmt::format("not compatible with the best shifts found; no shifts can score above {}",
                     score_text(best.bound));
}

std::string scores_line(const CompatibleResult& result) {
  return fmt::format("score {} unshifted, {} shifted; {}", score_text(result.before.score),
                     score_text(result.best.score), verdict(result));
}

}  // namespace

report::Table jobs_table(const CompatibleResult& result) {
  report::Table table{{"job", "period", "shift", "iteration_isolated", "iteration_before",
                       "iteration_after", "gain"},
                      {}};
  for (std::size_t j = 0; j < result.profiles.jobs.size(); ++j) {
    table.rows.push_back({result.profiles.jobs[j].name, result.best.periods[j],
                          result.best.shifts[j], result.isolated[j], result.times_before[j],
                          result.times_after[j],
                          ratio(result.times_before[j], result.times_after[j])});
  }
  return table;
}

report::Table links_table(const CompatibleResult& result) {
  report::Table table{{"link", "capacity", "circle", "score_before", "score", "angles"}, {}};
  const jobs::SharedProfiles periods = reckoned(result.profiles, result.best.periods);
  for (const int link : contended(periods)) {
    const auto l = static_cast<std::size_t>(link);
    table.rows.push_back({periods.links[l].name, periods.links[l].capacity,
                          report::perimeter_of(periods, link),
                          rounded(result.before.link_scores[l]),
                          rounded(result.best.link_scores[l]), angles_text(result, periods, link)});
  }
  return table;
}

report::Table padding_table(const CompatibleResult& result) {
  report::Table table{{"idle", "score", "slowdown", "periods", "shifts"}, {}};
  for (const auto& [it, slowdown] : result.padding) {
    std::string periods;
    std::string shifts;
    for (std::size_t j = 0; j < it.periods.size(); ++j) {
      const std::string& name = result.profiles.jobs[j].name;
      const std::string_view comma = j == 0 ? "" : ", ";
      periods += fmt::format("{}{} {}", comma, name, exact(it.periods[j]));
      shifts += fmt::format("{}{} {}", comma, name, readable(it.found.shifts[j]));
    }
    table.rows.push_back({fmt::format("{:.2f} %", 100 * it.idle), rounded(it.found.score), slowdown,
                          periods, shifts});
  }
  return table;
}

std::vector<std::string> notes_of(const CompatibleResult& result) {
  std::vector<std::string> notes;
  notes.push_back(fmt::format("with phase error: score {} shifted, {} unshifted",
                              score_text(result.jittered), score_text(result.jittered_before)));
  if (result.best.rounding > 0) {
    notes.push_back(
        fmt::format("periods were rounded by at most {:.2g} % to shorten the circles: jobs drift "
                    "and are off by 5 % after {:.0f} iterations",
                    100 * result.best.rounding, iterations_in_step(result.best)));
  }
  for (std::size_t j = 0; j < result.profiles.jobs.size(); ++j) {
    if (ratio(result.times_before[j], result.times_after[j]) > 1 - kWorse) continue;
    notes.push_back(fmt::format("{} is slower when shifted", result.profiles.jobs[j].name));
  }
  if (!result.best.proved) {
    notes.push_back(fmt::format("the search used {} nodes; an optimality gap of {:.4f} remains",
                                result.best.nodes, result.best.gap()));
  }
  if (result.grid) {
    notes.push_back(
        fmt::format("grid of angles: best score {}{} on the grid, {} in continuous time",
                    score_text(result.grid->score), result.grid->proved ? "" : " or better",
                    score_text(result.grid->found.score)));
  }
  for (const jobs::LearnedJob& it : result.learned) {
    const auto job = static_cast<std::size_t>(it.job);
    notes.push_back(fmt::format("{} was learned: period {}, {:.1f} % of bytes misplaced{}",
                                result.profiles.jobs[job].name, readable(result.isolated[job]),
                                100 * it.error,
                                it.error > kBadFit ? ": a poor fit, its iterations differ" : ""));
  }
  return notes;
}

std::string compatible_text(const CompatibleResult& result) {
  std::string out = scores_line(result) + "\n";
  for (const std::string& it : notes_of(result)) out += it + "\n";
  out += "\n" + to_text(jobs_table(result));
  const report::Table links = links_table(result);
  if (!links.rows.empty()) out += "\n" + to_text(links);
  if (!result.padding.empty()) {
    out += "\npadding that would shorten iterations:\n" + to_text(padding_table(result));
  }
  return out;
}

Json compatible_json(const CompatibleResult& result) {
  Json json;
  json["score_before"] = result.before.score;
  json["score"] = result.best.score;
  json["bound"] = result.best.bound;
  json["gap"] = result.best.gap();
  json["proved"] = result.best.proved && result.best.rounding == 0;
  json["nodes"] = result.best.nodes;
  json["rounding"] = result.best.rounding;
  if (result.drifting) {
    json["score_with_given_periods"] = *result.drifting;
    json["score_with_given_periods_before"] = *result.drifting_before;
  }
  json["score_under_phase_error"] = result.jittered;
  json["score_under_phase_error_before"] = result.jittered_before;
  json["jobs"] = to_json(jobs_table(result));
  json["links"] = Json::array();
  const jobs::SharedProfiles periods = reckoned(result.profiles, result.best.periods);
  for (const int link : contended(periods)) {
    const auto l = static_cast<std::size_t>(link);
    const Duration perimeter = report::perimeter_of(periods, link);
    Json angles = Json::object();
    for (const int job : report::jobs_on(periods, link)) {
      const auto j = static_cast<std::size_t>(job);
      angles[periods.jobs[j].name] = degrees(result.best.shifts[j], perimeter);
    }
    json["links"].push_back({{"link", periods.links[l].name},
                             {"capacity", periods.links[l].capacity.bits_per_second},
                             {"circle", perimeter.count()},
                             {"score_before", result.before.link_scores[l]},
                             {"score", result.best.link_scores[l]},
                             {"angles", angles}});
  }
  if (result.grid) {
    json["grid"] = {{"score_on_grid", result.grid->score},
                    {"score", result.grid->found.score},
                    {"proved", result.grid->proved}};
  }
  json["padding"] = Json::array();
  for (const auto& [it, slowdown] : result.padding) {
    Json longer = Json::array();
    for (const Duration period : it.periods) longer.push_back(period.count());
    Json shifts = Json::array();
    for (const Duration shift : it.found.shifts) shifts.push_back(shift.count());
    json["padding"].push_back({{"idle", it.idle},
                               {"score", it.found.score},
                               {"slowdown", slowdown},
                               {"periods", longer},
                               {"shifts", shifts}});
  }
  json["learned"] = Json::array();
  for (const jobs::LearnedJob& it : result.learned) {
    json["learned"].push_back({{"job", result.profiles.jobs[static_cast<std::size_t>(it.job)].name},
                               {"error", it.error},
                               {"periodicity", it.periodicity}});
  }
  return json;
}

report::CirclesPage page_of(const CompatibleResult& result, const std::string& title,
                            const std::string& command) {
  report::CirclesPage page;
  page.title = title;
  page.summary = scores_line(result);
  page.notes = notes_of(result);
  page.tables = {{"Jobs", jobs_table(result)},
                 {"Links", links_table(result)},
                 {"Padding that would shorten iterations", padding_table(result)}};
  const report::CirclePicture picture = picture_of(result, "Before and after");
  const std::vector<int> links = links_to_draw(picture, kMaxLinksDrawn);
  if (!links.empty()) page.svg = circles_svg(picture, links);
  page.command = command;
  return page;
}

}  // namespace loom::compatibility
