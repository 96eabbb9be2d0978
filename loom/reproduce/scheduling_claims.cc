#include "loom/reproduce/scheduling_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "loom/base/settings.h"
#include "loom/scheduling/scheduling_study.h"

namespace loom::reproduce {
namespace {

constexpr std::array<std::string_view, 5> kMeasures = {"mean_completion", "p99_completion",
                                                       "mean_iteration", "p99_iteration", "marks"};

constexpr auto kSchedulingClaim =
    claim_parameters(claim_measure("measure, without CASSINI over with it", kMeasures),
                     {{.name = "policy",
                       .type = ValueType::choice,
                       .summary = "scheduling policy",
                       .required = true,
                       .choices = jobs::kSharePolicyNames}});

double measured(const jobs::SchedulingResult& run, const std::string& name) {
  if (name == "mean_completion") return seconds(scheduling::mean_completion(run));
  if (name == "p99_completion") return seconds(scheduling::completion_percentile(run, 0.99));
  if (name == "mean_iteration") return seconds(run.times.mean());
  if (name == "p99_iteration") return seconds(run.times.percentile(0.99));
  return run.excess_per_iteration();
}

// The ratio of the measure without CASSINI to the measure with CASSINI, for each seed.
std::vector<double> gains(const std::vector<scheduling::SchedulingPoint>& runs,
                          const ClaimEntry& wanted) {
  std::map<std::uint64_t, std::array<std::optional<double>, 2>> by_seed;
  for (const scheduling::SchedulingPoint& it : runs) {
    const jobs::SchedulingOptions& options = it.scenario.options;
    if (jobs::kSharePolicyNames[static_cast<std::size_t>(options.policy)] !=
        wanted.settings.text("policy")) {
      continue;
    }
    by_seed[options.seed].at(options.cassini ? 1 : 0) = measured(it.result, wanted.claim.measure);
  }
  std::vector<double> all;
  for (const auto& it : by_seed) {
    const auto& [without, with] = it.second;
    if (!without || !with) continue;
    const double none = *without > 0 ? std::numeric_limits<double>::infinity() : 1;
    all.push_back(*with > 0 ? *without / *with : none);
  }
  if (all.empty())
    wanted.settings.refuse(
        "policy", "a policy that the cluster trace runs with and without cassini is needed");
  return all;
}

Found mean_gain(const std::vector<double>& all) {
  Found found;
  found.value = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  if (all.size() > 1) {
    const auto [lowest, highest] = std::minmax_element(all.begin(), all.end());
    found.at = fmt::format("{} runs: {:.2f} to {:.2f}", all.size(), *lowest, *highest);
  }
  return found;
}

}  // namespace

void run_scheduling_section(const Tree& section, bool quick, const run::RunOptions& options,
                            Study& study) {
  const Tree* reduced = section.find("quick");
  const bool less = quick && reduced != nullptr;
  std::vector<std::string> overrides;
  for (std::size_t i = 0; less && i < reduced->entries.size(); ++i) {
    overrides.push_back(reduced->entries[i].key + "=" + reduced->entries[i].value.text);
  }
  const scheduling::SchedulingFile file =
      scheduling::read_scheduling_file(*section.find("scheduling"), overrides);
  const std::vector<ClaimEntry> claims = read_claims(section, kSchedulingClaim);
  const std::vector<scheduling::SchedulingPoint> runs =
      run_scheduling_points(file, {.threads = options.threads, .progress = options.progress});
  for (const scheduling::SchedulingPoint& it : runs) {
    if (it.result.infeasible) throw InputError(section.location, it.result.infeasible->why);
  }
  for (const ClaimEntry& it : claims) {
    Found found = mean_gain(gains(runs, it));
    found.reduced = less;
    study.verdicts.push_back(judge(it.claim, std::move(found)));
  }
  study.files.emplace_back("scheduling.csv", to_csv(scheduling_table(runs)));
  study.files.emplace_back("jobs.csv", to_csv(scheduled_jobs_table(runs)));
  study.files.emplace_back("completion.svg",
                           scheduling_svg(runs, scheduling::SchedulingPlot::completion));
  study.files.emplace_back("iterations.svg",
                           scheduling_svg(runs, scheduling::SchedulingPlot::iterations));
}

}  // namespace loom::reproduce
