// Claims and output files of studies of jobs that share a link.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "loom/base/error.h"
#include "loom/base/settings.h"
#include "loom/report/chart/plot.h"
#include "loom/reproduce/sharing_study.h"

namespace loom::reproduce {
namespace {

constexpr std::array<std::string_view, 7> kSharingMeasures = {
    "speedup",    "p99_speedup", "min_speedup",     "slowdown",
    "compatible", "shift_error", "iterations_apart"};
constexpr std::array<std::string_view, 3> kGroups = {"all", "compatible", "others"};

constexpr auto kSharingClaim = claim_parameters(
    claim_measure("measure that is compared", kSharingMeasures),
    {{.name = "group",
      .type = ValueType::text,
      .summary = "group of jobs; if not given, the group with the largest value"},
     {.name = "groups",
      .type = ValueType::choice,
      .summary = "groups considered if `group` is not given",
      .fallback = "all",
      .choices = kGroups},
     {.name = "job",
      .type = ValueType::integer,
      .summary = "number of the job in the group; 0: mean of all jobs",
      .fallback = "0"},
     {.name = "of", .type = ValueType::text, .summary = "run whose measure is taken"},
     {.name = "over", .type = ValueType::text, .summary = "run to compare with"}});

// Maximum slowdown of compatible jobs.
constexpr double kNotSlowed = 1.01;

bool compatible(const SharingStudy& study, std::size_t group) {
  return study.interleaved_slowdown[group] <= kNotSlowed;
}

template <class List>
std::size_t named(const List& list, const Settings& claim, std::string_view key) {
  const std::string name = claim.given(key) ? claim.text(key) : "";
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& it) { return it.name == name; });
  if (found == list.end()) claim.refuse(key, "a name defined in the study is needed");
  return static_cast<std::size_t>(found - list.begin());
}

double time_of(const std::vector<JobTimes>& times, std::size_t job, bool p99) {
  const auto one = [&](const JobTimes& it) { return p99 ? it.p99 : it.mean; };
  if (job > 0) return one(times[job - 1]);
  double sum = 0;
  for (const JobTimes& it : times) sum += one(it);
  return sum / static_cast<double>(times.size());
}

double speedup(const SharingStudy& study, std::size_t group, const Settings& claim, bool p99) {
  const auto job = static_cast<std::size_t>(claim.integer("job"));
  if (job > study.groups[group].profiles.jobs.size())
    claim.refuse("job", "the number of a job in the group is needed");
  const auto& times = study.times[group];
  return time_of(times[named(study.runs, claim, "of")], job, p99) /
         time_of(times[named(study.runs, claim, "over")], job, p99);
}

double min_speedup(const SharingStudy& study, std::size_t group, const Settings& claim) {
  const auto& of = study.times[group][named(study.runs, claim, "of")];
  const auto& over = study.times[group][named(study.runs, claim, "over")];
  double lowest = of.front().mean / over.front().mean;
  for (std::size_t i = 1; i < of.size(); ++i) lowest = std::min(lowest, of[i].mean / over[i].mean);
  return lowest;
}

double slowdown(const SharingStudy& study, std::size_t group, const Settings& claim) {
  double worst = 0;
  const auto& times = study.times[group][named(study.runs, claim, "of")];
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Duration isolated = study.groups[group].profiles.jobs[i].period();
    worst = std::max(worst, times[i].mean / seconds(isolated));
  }
  return worst;
}

// Runs two equal jobs, the second of which starts `apart` later.
jobs::PeriodicRun pair_run(const jobs::SharedProfiles& pair, const jobs::JobTransport& transport,
                           Duration apart, std::int64_t iterations) {
  jobs::PeriodicOptions options;
  options.transport = transport;
  options.starts = {Duration(0), apart};
  options.iterations = iterations;
  return run_periodic(pair, options);
}

// The communication time per iteration of two equal jobs that send at one rate, then compute.
Duration communication(const jobs::SharedProfiles& pair, const Settings& claim) {
  const bool plain = pair.jobs.size() == 2 && pair.jobs[0].stages.size() == 2 &&
                     pair.jobs[1].stages.size() == 2 &&
                     pair.jobs[0].period() == pair.jobs[1].period();
  if (!plain) claim.refuse("group", "two equal jobs that send and then compute are needed");
  return pair.jobs[0].stages[0].length;
}

// The largest relative error, in percent, of the simulated shift per iteration compared with
// MLTCP's formula Shift(D). The start difference D goes from 0.1 to 0.9 of the communication time.
double shift_error(const jobs::SharedProfiles& pair, const jobs::JobTransport& transport,
                   Duration send) {
  double worst = 0;
  const auto m = static_cast<double>(send.count());
  for (int tenths = 1; tenths < 10; ++tenths) {
    const jobs::PeriodicRun run = pair_run(pair, transport, send * tenths / 10, 10);
    auto apart = static_cast<double>((send * tenths / 10).count());
    for (std::size_t i = 0; i < 10; ++i) {
      const double formula = transport.slope * apart * (m - apart) /
                             (m * transport.intercept + apart * transport.slope);
      const auto next = static_cast<double>((run.jobs[1].end[i] - run.jobs[0].end[i]).count());
      // A smaller shift means that the jobs no longer overlap; its error would be only rounding.
      if (formula > 1e-6 * m) worst = std::max(worst, std::abs((next - apart) / formula - 1));
      apart = next;
    }
  }
  return 100 * worst;
}

double iterations_apart(const jobs::SharedProfiles& pair, const jobs::JobTransport& transport,
                        Duration send) {
  constexpr std::int64_t kIterationLimit = 1000;
  const jobs::PeriodicRun run = pair_run(pair, transport, send / 100, kIterationLimit);
  for (std::size_t i = 0; i < kIterationLimit; ++i) {
    if (run.jobs[1].end[i] - run.jobs[0].end[i] >= send * 95 / 100)
      return static_cast<double>(i + 1);
  }
  return static_cast<double>(kIterationLimit);
}

double measure_of(const SharingStudy& study, std::size_t group, const ClaimEntry& wanted) {
  const std::string& measure = wanted.claim.measure;
  const Settings& claim = wanted.settings;
  if (measure == "speedup") return speedup(study, group, claim, false);
  if (measure == "p99_speedup") return speedup(study, group, claim, true);
  if (measure == "min_speedup") return min_speedup(study, group, claim);
  if (measure == "slowdown") return slowdown(study, group, claim);
  if (measure == "compatible") return compatible(study, group) ? 1 : 0;
  const jobs::SharedProfiles& pair = study.groups[group].profiles;
  const jobs::JobTransport& transport =
      study.runs[named(study.runs, claim, "of")].options.transport;
  const Duration send = communication(pair, claim);
  return measure == "shift_error" ? shift_error(pair, transport, send)
                                  : iterations_apart(pair, transport, send);
}

// Finds the largest value over the groups considered; NaN if there are none.
Found measure_largest(const SharingStudy& study, const ClaimEntry& wanted) {
  const std::string groups = wanted.settings.text("groups");
  Found largest;
  for (std::size_t i = 0; i < study.groups.size(); ++i) {
    if (groups != "all" && compatible(study, i) != (groups == "compatible")) continue;
    const double value = measure_of(study, i, wanted);
    if (value <= largest.value) continue;
    largest.value = value;
    largest.at = study.groups[i].name;
  }
  return largest;
}

}  // namespace

std::vector<ClaimEntry> read_sharing_claims(const Tree& section) {
  return read_claims(section, kSharingClaim);
}

Found measure_sharing(const ClaimEntry& claim, const SharingStudy& study) {
  if (!claim.settings.given("group")) return measure_largest(study, claim);
  return {.value = measure_of(study, named(study.groups, claim.settings, "group"), claim)};
}

report::Table sharing_jobs_table(const SharingStudy& study) {
  report::Table table{{"job", "strategy", "iteration_time", "bytes", "link_busy", "stages"}, {}};
  for (const run::IsolatedProfile& it : study.jobs) {
    table.rows.push_back({it.profile.name, it.strategy, it.profile.period(), it.bytes, it.busy,
                          static_cast<std::int64_t>(it.profile.stages.size())});
  }
  return table;
}

report::Table sharing_table(const SharingStudy& study) {
  report::Table table{{"group", "run", "job", "isolated", "mean_seconds", "p99_seconds", "slowdown",
                       "interleaved_slowdown"},
                      {}};
  for (std::size_t g = 0; g < study.groups.size(); ++g) {
    for (std::size_t r = 0; r < study.runs.size(); ++r) {
      for (std::size_t j = 0; j < study.times[g][r].size(); ++j) {
        const jobs::JobProfile& job = study.groups[g].profiles.jobs[j];
        const JobTimes& it = study.times[g][r][j];
        table.rows.push_back({study.groups[g].name, study.runs[r].name, job.name, job.period(),
                              it.mean, it.p99, it.mean / seconds(job.period()),
                              study.interleaved_slowdown[g]});
      }
    }
  }
  return table;
}

std::vector<std::pair<std::string, std::string>> sharing_files(const SharingStudy& study,
                                                               const std::string& suffix) {
  constexpr std::size_t kDrawn = 60;  // number of iterations in a chart
  std::vector<std::pair<std::string, std::string>> files = {
      {"jobs" + suffix + ".csv", to_csv(sharing_jobs_table(study))},
      {"sharing" + suffix + ".csv", to_csv(sharing_table(study))}};
  std::vector<report::Plot> plots;
  for (std::size_t g = 0; g < study.groups.size(); ++g) {
    report::Plot plot{.title = study.groups[g].name,
                      .x_label = "iteration",
                      .y_label = "iteration time (ms)",
                      .series = {}};
    for (std::size_t r = 0; r < study.runs.size(); ++r) {
      report::PlotSeries series{study.runs[r].name, {}};
      for (std::size_t i = 0; i < kDrawn; ++i) {
        double sum = 0;
        std::size_t jobs = 0;
        for (const JobTimes& it : study.times[g][r]) {
          if (i >= it.all.size()) continue;
          sum += static_cast<double>(it.all[i].count()) / 1e9;
          ++jobs;
        }
        if (jobs > 0)
          series.points.emplace_back(static_cast<double>(i + 1), sum / static_cast<double>(jobs));
      }
      plot.series.push_back(std::move(series));
    }
    plots.push_back(std::move(plot));
  }
  files.emplace_back("iterations" + suffix + ".svg",
                     to_svg_grid(plots, 2, "iteration times, mean of the jobs"));
  return files;
}

}  // namespace loom::reproduce
