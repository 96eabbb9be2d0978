#include "loom/reproduce/sharing_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "loom/base/error.h"
#include "loom/base/parallel.h"
#include "loom/base/settings.h"
#include "loom/jobs/cassini/time_shifts.h"
#include "loom/jobs/contention/iteration_times.h"
#include "loom/jobs/contention/transports/transports.h"

namespace loom::reproduce {
namespace {

constexpr std::array<Parameter, 6> kSharing = {{
    {.name = "link",
     .type = ValueType::bandwidth,
     .summary = "capacity of the link",
     .required = true,
     .min = 1},
    {.name = "iterations",
     .type = ValueType::integer,
     .summary = "iterations per job",
     .fallback = "1000",
     .min = 1},
    {.name = "settle",
     .type = ValueType::integer,
     .summary = "number of initial iterations that are ignored",
     .fallback = "100"},
    {.name = "jitter",
     .type = ValueType::real,
     .summary = "sigma of computation times: each is multiplied by exp(jitter · z), z standard "
                "normal",
     .fallback = "0"},
    {.name = "seed", .type = ValueType::integer, .summary = "seed of the jitter", .fallback = "1"},
    {.name = "apart",
     .type = ValueType::duration,
     .summary = "delay between the starts of consecutive jobs",
     .fallback = "0 s"},
}};
constexpr std::array<std::string_view, 4> kSections = {"scenario", "jobs", "groups", "runs"};

constexpr std::array<Parameter, 6> kRun = {{
    {.name = "transport",
     .type = ValueType::choice,
     .summary = "transport of the jobs",
     .required = true,
     .choices = jobs::kTransportNames},
    {.name = "weights", .type = ValueType::shape, .summary = "weight of each job, such as 60x40"},
    {.name = "slope",
     .type = ValueType::real,
     .summary = "slope of MLTCP's F(r) = slope r + intercept",
     .fallback = "1.75"},
    {.name = "intercept",
     .type = ValueType::real,
     .summary = "intercept of MLTCP's F(r)",
     .fallback = "0.25"},
    {.name = "share",
     .type = ValueType::choice,
     .summary = "bandwidth shares under MLTCP: proportional to F or to its square root",
     .fallback = "linear",
     .choices = jobs::kMltcpShareNames},
    {.name = "contention_loss",
     .type = ValueType::real,
     .summary = "fraction of a link's capacity lost while demand exceeds it",
     .fallback = "0"},
}};

constexpr std::array<Parameter, 2> kPlain = {{
    {.name = "send",
     .type = ValueType::duration,
     .summary = "communication time per iteration, at the rate of the link",
     .required = true,
     .min = 1},
    {.name = "compute",
     .type = ValueType::duration,
     .summary = "computation time per iteration, after the communication",
     .required = true,
     .min = 1},
}};

const Tree& section_of(const Tree& map, std::string_view key) {
  const Tree* found = map.find(key);
  if (found == nullptr || found->kind != Tree::Kind::map || found->entries.empty()) {
    throw InputError(found == nullptr ? map.location : found->location,
                     fmt::format("the study lacks '{}' (a map)", key));
  }
  return *found;
}

run::IsolatedProfile plain_profile(const TreeEntry& entry, Bandwidth link) {
  const Settings it(entry.value, kPlain, "job");
  const Duration send = it.duration("send");
  const Duration compute = it.duration("compute");
  run::IsolatedProfile isolated;
  isolated.profile = {entry.key, {{send, {{0, link}}}, {compute, {}}}};
  isolated.busy = static_cast<double>(send.count()) / static_cast<double>((send + compute).count());
  isolated.bytes = {
      static_cast<std::int64_t>(Int128{link.bits_per_second} * send.count() / 8'000'000'000'000)};
  return isolated;
}

run::IsolatedProfile profile_of(const TreeEntry& entry, const Tree& sharing, Bandwidth link) {
  if (entry.value.find("send") != nullptr) return plain_profile(entry, link);
  const Tree* scenario = sharing.find("scenario");
  if (scenario == nullptr) throw InputError(sharing.location, "the study lacks 'scenario' (a map)");
  std::vector<std::string> overrides;
  for (const TreeEntry& set : entry.value.entries) {
    overrides.push_back(set.key + "=" + set.value.text);
  }
  const std::vector<scenario::Scenario> points = scenario::read_scenarios(*scenario, overrides);
  if (points.size() != 1)
    throw InputError(entry.value.location, "a job makes several points; exactly one is needed");
  return run::isolated_profile(points.front(), entry.key);
}

SharingGroup group_of(const TreeEntry& entry, const std::vector<run::IsolatedProfile>& jobs,
                      Bandwidth link) {
  SharingGroup group{entry.key, {{{"link", link}}, {}}};
  for (const Tree& item : entry.value.items) {
    const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const run::IsolatedProfile& it) {
      return it.profile.name == item.text;
    });
    if (found == jobs.end()) {
      throw InputError(item.location, fmt::format("there is no job '{}'", item.text));
    }
    group.profiles.jobs.push_back(found->profile);
  }
  if (group.profiles.jobs.empty()) throw InputError(entry.value.location, "the group has no jobs");
  return group;
}

SharingRun run_of(const TreeEntry& entry, const Settings& sharing) {
  const Settings it(entry.value, kRun, "run");
  SharingRun run{entry.key, {}};
  const auto index = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  jobs::JobTransport& transport = run.options.transport;
  transport.kind = &jobs::transport_named(it.text("transport"));
  transport.slope = it.real("slope");
  transport.intercept = it.real("intercept");
  transport.share = static_cast<jobs::MltcpShare>(index(jobs::kMltcpShareNames, it.text("share")));
  transport.contention_loss = it.real("contention_loss");
  if (it.given("weights")) {
    for (const int weight : it.shape("weights")) run.options.weights.push_back(weight);
  }
  run.options.iterations = sharing.integer("iterations");
  run.options.jitter = sharing.real("jitter");
  run.options.seed = static_cast<std::uint64_t>(sharing.integer("seed"));
  return run;
}

// The options of a run for one group: one weight and one start time per job.
jobs::PeriodicOptions options_for(const SharingRun& run, const SharingGroup& group,
                                  Duration apart) {
  jobs::PeriodicOptions options = run.options;
  const std::size_t jobs = group.profiles.jobs.size();
  if (!options.weights.empty() && options.weights.size() < jobs) {
    throw InputError({}, fmt::format("run '{}' has {} weights; group '{}' needs {}", run.name,
                                     options.weights.size(), group.name, jobs));
  }
  if (!options.weights.empty()) options.weights.resize(jobs);
  for (std::size_t i = 0; i < jobs; ++i) {
    options.starts.push_back(times(static_cast<std::int64_t>(i), apart));
  }
  return options;
}

std::vector<JobTimes> times_of(const jobs::PeriodicRun& run, std::int64_t settle) {
  std::vector<JobTimes> all;
  for (const jobs::PeriodicJobRun& job : run.jobs) {
    JobTimes times;
    times.all = job.iteration_times();
    const auto skipped = std::min<std::size_t>(static_cast<std::size_t>(settle),
                                               times.all.empty() ? 0 : times.all.size() - 1);
    const jobs::TimeSpread spread = jobs::spread_of(std::vector<Duration>(
        times.all.begin() + static_cast<std::ptrdiff_t>(skipped), times.all.end()));
    times.mean = seconds(spread.mean);
    times.p99 = seconds(spread.p99);
    all.push_back(std::move(times));
  }
  return all;
}

double worst_slowdown(const std::vector<JobTimes>& times, const jobs::SharedProfiles& profiles) {
  double worst = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    worst = std::max(worst, times[i].mean / seconds(profiles.jobs[i].period()));
  }
  return worst;
}

// Options under which compatible jobs interleave: fair sharing with the best time shifts, and
// transports under which the jobs drift apart by themselves.
std::vector<jobs::PeriodicOptions> interleaving_options(const jobs::SharedProfiles& profiles,
                                                        std::int64_t iterations) {
  std::vector<jobs::PeriodicOptions> options(3);
  options[0].starts = best_shifts(profiles).shifts;
  options[1].transport.kind = &jobs::kSrpt;
  options[2].transport.kind = &jobs::kMltcp;
  for (jobs::PeriodicOptions& it : options) it.iterations = iterations;
  for (std::size_t i = 0; i < profiles.jobs.size(); ++i) {
    const Duration start = times(static_cast<std::int64_t>(i), 1_ms);
    options[1].starts.push_back(start);
    options[2].starts.push_back(start);
  }
  return options;
}

// The slowdown of the most affected job in the second half of the run, at the best interleaving
// found. A value close to 1 proves that the jobs are compatible; otherwise the study treats them as
// incompatible.
double interleaved_slowdown(const SharingGroup& group, std::int64_t iterations) {
  double min = 1e300;
  for (const jobs::PeriodicOptions& it : interleaving_options(group.profiles, iterations)) {
    const jobs::PeriodicRun run = run_periodic(group.profiles, it);
    if (!run.complete) continue;
    min = std::min(min, worst_slowdown(times_of(run, iterations / 2), group.profiles));
  }
  return min;
}

}  // namespace

SharingStudy run_sharing(const Tree& sharing, const run::RunOptions& options) {
  const Settings settings(sharing, kSharing, "sharing", kSections);
  const Bandwidth link = settings.bandwidth("link");
  SharingStudy study;
  study.settle = settings.integer("settle");
  const std::vector<TreeEntry>& jobs = section_of(sharing, "jobs").entries;
  study.jobs.resize(jobs.size());
  for_each_index(jobs.size(), options.threads,
                 [&](std::size_t i) { study.jobs[i] = profile_of(jobs[i], sharing, link); });
  for (const TreeEntry& it : section_of(sharing, "groups").entries) {
    study.groups.push_back(group_of(it, study.jobs, link));
  }
  for (const TreeEntry& it : section_of(sharing, "runs").entries) {
    study.runs.push_back(run_of(it, settings));
  }
  study.times.resize(study.groups.size());
  study.interleaved_slowdown.resize(study.groups.size());
  for_each_index(study.groups.size(), options.threads, [&](std::size_t i) {
    const SharingGroup& group = study.groups[i];
    for (const SharingRun& run : study.runs) {
      const auto chosen = options_for(run, group, settings.duration("apart"));
      study.times[i].push_back(times_of(run_periodic(group.profiles, chosen), study.settle));
    }
    study.interleaved_slowdown[i] = interleaved_slowdown(group, settings.integer("iterations"));
  });
  return study;
}

}  // namespace loom::reproduce
