#include "loom/compatibility/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/base/error.h"
#include "loom/base/renamed.h"
#include "loom/jobs/cassini/time_shifts.h"
#include "loom/jobs/contention/iteration_times.h"
#include "loom/jobs/contention/transports/transports.h"
#include "loom/jobs/profile/profile_file.h"
#include "loom/report/chart/plot.h"

namespace loom::compatibility {
namespace {

template <class Names>
std::size_t choice(const Names& names, const std::string& given, std::string_view option) {
  const auto found = std::find(names.begin(), names.end(), given);
  if (found == names.end()) {
    throw InputError(location_of(fmt::format("--{} {}", option, given)),
                     choice_objection(given, names));
  }
  return static_cast<std::size_t>(found - names.begin());
}

void check_count(std::size_t given, std::size_t jobs, std::string_view option) {
  if (given == 0 || given == jobs) return;
  throw InputError(location_of(fmt::format("--{}", option)),
                   fmt::format("{} are given; one for each of {} jobs is needed", given, jobs));
}

std::vector<Duration> starts_of(const ShareRequest& request, const jobs::SharedProfiles& profiles) {
  std::vector<Duration> starts;
  for (const std::string& text : request.starts) {
    std::string why;
    const auto start = parse_duration(text, why);
    if (!start) throw InputError(location_of("--start " + text), why);
    starts.push_back(*start);
  }
  check_count(starts.size(), profiles.jobs.size(), "start");
  return starts;
}

// Idle time added to each period so that a delayed job can catch up, as a fraction of the period;
// as in MLTCP's testbed. The jitter of the computations comes on top.
constexpr double kCatchUp = 0.02;

jobs::SharedProfiles with_room(jobs::SharedProfiles profiles, double jitter) {
  for (jobs::JobProfile& it : profiles.jobs) {
    const auto room = static_cast<double>(it.period().count()) * (kCatchUp + jitter);
    it.stages.push_back({Duration(std::llround(room)), {}});
  }
  return profiles;
}

// Sets each job's start, and the alignment period if jobs are realigned.
void plan_shifts(const ShareRequest& request, const jobs::SharedProfiles& profiles,
                 jobs::PeriodicOptions& options) {
  const jobs::SharedProfiles kept =
      request.realign ? with_room(profiles, request.jitter) : profiles;
  if (request.shift) {
    const jobs::Compatibility best = best_shifts(kept);
    options.starts = best.shifts;
    options.periods = best.periods;
  } else {
    options.starts = starts_of(request, profiles);
    for (const jobs::JobProfile& it : kept.jobs) options.periods.push_back(it.period());
  }
}

// Refuses options that have no effect with the chosen transport.
void check_used(const ShareRequest& request) {
  const auto refuse = [](std::string_view option, std::string_view transport) {
    throw InputError(
        location_of(fmt::format("--{}", option)),
        fmt::format("it has no effect with this transport; --transport {} is needed", transport));
  };
  if (request.contention_loss != 0 && request.transport == "srpt") {
    refuse("contention-loss", "fair, weighted or mltcp");
  }
  if (request.transport == "mltcp") return;
  if (!request.weights.empty() && request.transport != "weighted") {
    refuse("weights", "weighted and mltcp");
  }
  const ShareRequest usual;
  if (request.slope != usual.slope) refuse("slope", "mltcp");
  if (request.intercept != usual.intercept) refuse("intercept", "mltcp");
  if (request.share != usual.share) refuse("share", "mltcp");
}

jobs::PeriodicOptions options_of(const ShareRequest& request,
                                 const jobs::SharedProfiles& profiles) {
  jobs::PeriodicOptions options;
  jobs::JobTransport& transport = options.transport;
  choice(jobs::kTransportNames, request.transport, "transport");
  transport.kind = &jobs::transport_named(request.transport);
  transport.share =
      static_cast<jobs::MltcpShare>(choice(jobs::kMltcpShareNames, request.share, "share"));
  transport.slope = request.slope;
  transport.intercept = request.intercept;
  transport.contention_loss = request.contention_loss;
  check_count(request.weights.size(), profiles.jobs.size(), "weights");
  if (transport.kind->needs_weights && request.weights.empty()) {
    throw InputError(location_of("--transport " + request.transport),
                     "no weights are given; --weights with one per job is needed");
  }
  options.weights = request.weights;
  check_used(request);
  plan_shifts(request, profiles, options);
  options.iterations = request.iterations;
  options.jitter = request.jitter;
  options.seed = request.seed;
  options.realign = request.realign;
  return options;
}

double fraction_of(Duration portion, Duration whole) {
  return whole.count() == 0
             ? 0
             : static_cast<double>(portion.count()) / static_cast<double>(whole.count());
}

}  // namespace

ShareResult share_links(const Tree& file, const ShareRequest& request) {
  if (!jobs::holds_profiles(file)) {
    throw InputError(file.location,
                     "the file has no 'links'; profiles are needed, which 'lightloom compatible "
                     "--profiles FILE' writes for the jobs of a scenario");
  }
  ShareResult result;
  result.profiles = jobs::read_profiles(file).profiles;
  result.options = options_of(request, result.profiles);
  result.run = run_periodic(result.profiles, result.options);
  return result;
}

report::Table share_jobs_table(const ShareResult& result) {
  report::Table table{
      {"job", "start", "isolated", "mean", "p50", "p99", "last", "slowdown", "realignments"}, {}};
  for (std::size_t i = 0; i < result.profiles.jobs.size(); ++i) {
    const jobs::JobProfile& job = result.profiles.jobs[i];
    const jobs::PeriodicJobRun& run = result.run.jobs[i];
    const std::vector<Duration> times = run.iteration_times();
    const std::vector<Duration>& starts = result.options.starts;
    table.rows.push_back({job.name, starts.empty() ? Duration(0) : starts[i], job.period()});
    if (times.empty()) {
      table.rows.back().resize(table.columns.size());
      continue;
    }
    const jobs::TimeSpread spread = jobs::spread_of(times);
    for (const report::Cell& cell :
         std::vector<report::Cell>{spread.mean, spread.p50, spread.p99, times.back(),
                                   fraction_of(spread.mean, job.period()), run.realignments}) {
      table.rows.back().push_back(cell);
    }
  }
  return table;
}

report::Table share_links_table(const ShareResult& result) {
  report::Table table{{"link", "capacity", "used", "congested", "excess"}, {}};
  for (std::size_t i = 0; i < result.profiles.links.size(); ++i) {
    const jobs::SharedLink& link = result.profiles.links[i];
    const jobs::SharedLinkUse& use = result.run.links[i];
    const double could = static_cast<double>(link.capacity.bits_per_second) / 8e12 *
                         static_cast<double>(result.run.end.count());
    table.rows.push_back({link.name, link.capacity, could == 0 ? 0 : use.bytes / could,
                          fraction_of(use.congested, result.run.end),
                          Bytes{std::llround(use.excess_bytes)}});
  }
  return table;
}

std::string share_text(const ShareResult& result) {
  const auto& transport = result.options.transport;
  std::string text =
      fmt::format("{} jobs, {} iterations each, {}{}\n\n", result.profiles.jobs.size(),
                  result.options.iterations, transport.kind->name,
                  result.run.complete ? "" : "; stopped early: a job is starved");
  return text + to_text(share_jobs_table(result)) + "\n" + to_text(share_links_table(result));
}

nlohmann::ordered_json share_json(const ShareResult& result) {
  nlohmann::ordered_json json;
  json["transport"] = result.options.transport.kind->name;
  json["complete"] = result.run.complete;
  json["end"] = result.run.end.count();
  json["jobs"] = to_json(share_jobs_table(result));
  for (std::size_t i = 0; i < result.run.jobs.size(); ++i) {
    auto times = nlohmann::ordered_json::array();
    for (const Duration it : result.run.jobs[i].iteration_times()) times.push_back(it.count());
    json["jobs"][i]["iteration_times"] = std::move(times);
  }
  json["links"] = to_json(share_links_table(result));
  return json;
}

std::string share_plot(const ShareResult& result) {
  report::Plot plot{.title = "iteration times",
                    .x_label = "iteration",
                    .y_label = "iteration time (ms)",
                    .series = {}};
  for (std::size_t i = 0; i < result.run.jobs.size(); ++i) {
    report::PlotSeries series{result.profiles.jobs[i].name, {}};
    const std::vector<Duration> times = result.run.jobs[i].iteration_times();
    for (std::size_t k = 0; k < times.size(); ++k) {
      series.points.emplace_back(static_cast<double>(k + 1),
                                 static_cast<double>(times[k].count()) / 1e9);
    }
    plot.series.push_back(std::move(series));
  }
  return to_svg(plot);
}

}  // namespace loom::compatibility
