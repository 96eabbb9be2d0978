#include "bpf/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "bpf/algorithm.h"
#include "bpf/bed.h"
#include "bpf/job.h"
#include "bpf/pins.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

using Ours = std::map<std::string, Algorithm>;

constexpr std::uint16_t kFirstPort = 5001;
// Time for the threads of the jobs to connect before a run starts.
constexpr std::chrono::milliseconds kBeforeStart{100};
// Time limit of a run, relative to its duration if all jobs always send at the same time.
constexpr int kSlack = 10;
constexpr Duration kMinPatience = std::chrono::seconds(10);

void need_bench() {
  const std::vector<std::string> missing = missing_for_bench();
  if (missing.empty()) return;
  throw InputError({}, fmt::format("the bench cannot run here: {}", fmt::join(missing, "; ")));
}

// Loads our algorithms in the list. Throws InputError if the kernel lacks one of the others.
Ours loaded(const BenchSpec& spec) {
  Ours ours;
  for (const std::string& name : spec.algorithms) {
    const std::string algorithm = kernel_algorithm(name);
    bool known = ours.contains(algorithm);
    for (const std::string_view base : bases()) {
      if (known || algorithm != algorithm_name(base)) continue;
      if (!kernel_has_links() && pin_names().empty()) remove_registration(algorithm);
      ours.emplace(algorithm, Algorithm(base, spec.settings, kernel_has_links()));
      known = true;
    }
    if (!known && !is_registered(algorithm)) {
      throw InputError({}, fmt::format("--algorithms: the kernel has no '{}'; 'sysctl "
                                       "net.ipv4.tcp_available_congestion_control' lists them",
                                       algorithm));
    }
  }
  return ours;
}

JobSpec job_of(const BenchSpec& spec, const std::string& algorithm, int job, int seed) {
  const Duration together = sending_time(spec) * spec.jobs;
  const Duration patience = std::max(kMinPatience, together * 20);
  const Duration iteration = together + spec.compute + spec.jitter;
  return {
      .algorithm = algorithm,
      .port = static_cast<std::uint16_t>(kFirstPort + job),
      .size = spec.size,
      .compute = spec.compute,
      .jitter = spec.jitter,
      .iterations = spec.iterations,
      .start = apart(spec, seed) * job,
      .stall = patience,
      .limit = patience + iteration * spec.iterations * kSlack,
      .random = random_stream(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(job))};
}

std::vector<ShiftAgent<BenchClock>> agents_of(const BenchSpec& spec, BenchClock::time_point epoch) {
  using std::chrono::duration_cast;
  const auto period = duration_cast<BenchClock::duration>(shift_period(spec));
  std::vector<ShiftAgent<BenchClock>> agents;
  for (int job = 0; job < spec.jobs; ++job) {
    agents.emplace_back(ShiftAgent<BenchClock>::Plan{
        .epoch = epoch, .shift = period * job / spec.jobs, .period = period});
  }
  return agents;
}

// The flows of the run that just ended: the most recent flows of the algorithm, one per job.
std::vector<Flow> last_flows(const Algorithm& algorithm, int jobs) {
  std::vector<Flow> flows = algorithm.flows();
  const auto surplus = static_cast<std::ptrdiff_t>(flows.size()) - jobs;
  if (surplus > 0) flows.erase(flows.begin(), flows.begin() + surplus);
  return flows;
}

BenchRun run_one(const BenchSpec& spec, Ours& ours, const std::string& name, int seed) {
  BenchRun run{.algorithm = name, .seed = seed, .apart = apart(spec, seed)};
  const std::string algorithm = kernel_algorithm(name);
  const auto found = ours.find(algorithm);
  if (found != ours.end()) {
    MltcpSettings settings = spec.settings;
    if (has_suffix(name, "_f1")) settings.slope = 0, settings.intercept = 1;
    found->second.set(settings);
  }
  const Totals before = found == ours.end() ? Totals{} : found->second.totals();
  const Bed bed(spec);
  const auto epoch = BenchClock::now() + kBeforeStart;
  auto agents = agents_of(spec, epoch);
  std::vector<JobSpec> jobs;
  for (int job = 0; job < spec.jobs; ++job) {
    jobs.push_back(job_of(spec, algorithm, job, seed));
    jobs.back().epoch = epoch;
    if (has_suffix(name, "_shifted")) jobs.back().agent = &agents[static_cast<std::size_t>(job)];
  }
  run.bursts = run_jobs(bed, jobs);
  const Bed::Counts counts = bed.counts();
  run.packets = counts.packets;
  run.marked = counts.marked;
  for (const auto& agent : agents) run.realigned += agent.realigned();
  if (found != ours.end()) {
    run.flows = last_flows(found->second, spec.jobs);
    run.totals = found->second.totals() - before;
  }
  return run;
}

// Mean iteration time of one isolated job, without the first iteration, which starts on a new
// connection.
Duration isolated_time(const BenchSpec& spec, Ours& ours) {
  BenchSpec one = spec;
  one.jobs = 1;
  one.iterations = std::min(spec.iterations, 6);
  const std::vector<Burst> bursts = run_one(one, ours, "reno", 0).bursts.front();
  if (bursts.size() < 3) return bursts.back().end - bursts.back().begin + spec.compute;
  return (bursts.back().begin - bursts[1].begin) / static_cast<std::int64_t>(bursts.size() - 2);
}

}  // namespace

BenchResult run_bench(const BenchSpec& spec, const Told& told) {
  need_bench();
  const MachineLock lock(false);
  Ours ours = loaded(spec);
  const auto count = spec.algorithms.size();
  const int all = 1 + spec.seeds * static_cast<int>(count);
  int done = 0;
  told("one isolated job", done++, all);
  BenchResult result{.isolated = isolated_time(spec, ours)};
  for (int seed = 0; seed < spec.seeds; ++seed) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& name = spec.algorithms[(i + static_cast<std::size_t>(seed)) % count];
      told(fmt::format("{}, seed {}", name, seed + 1), done++, all);
      result.runs.push_back(run_one(spec, ours, name, seed));
    }
  }
  return result;
}

}  // namespace loom::bpf
