// The pipeline of docs/architecture.md: read, build, plan, simulate, report.
#include "loom/run/run.h"

#include <mutex>

#include "loom/base/parallel.h"
#include "loom/run/steady_run.h"

namespace loom::run {

Report run(const scenario::Scenario& scenario, const RunOptions& options, std::string* trace) {
  const Replacements& files = options.replacements;
  const ReportOptions shown{options.details, options.cost, options.threads};
  const Inputs inputs = read_inputs(scenario, files);
  const Fabric fabric = build(scenario, inputs.devices, files);
  PlanOrNot planned = plan(scenario, inputs, fabric, files, {options.threads, options.progress});
  if (auto* unplanned = std::get_if<Unplanned>(&planned)) {
    return report(scenario, fabric, std::move(*unplanned), files, shown);
  }
  SteadyRun run =
      simulate_until_steady(scenario, std::move(std::get<Plan>(planned)), files,
                            {options.timeline, trace, options.progress, options.details});
  return report(scenario, run.plan, std::move(run.simulated), files, shown);
}

std::vector<Report> run_all(const std::vector<scenario::Scenario>& scenarios,
                            const RunOptions& options) {
  std::vector<Report> reports(scenarios.size());
  std::mutex mutex;
  std::size_t done = 0;
  RunOptions one = options;
  one.progress = nullptr;
  for_each_index(scenarios.size(), options.threads, [&](std::size_t i) {
    reports[i] = run(scenarios[i], one);
    const std::lock_guard lock(mutex);
    ++done;
    if (options.progress) {
      options.progress(static_cast<double>(done) / static_cast<double>(scenarios.size()));
    }
  });
  return reports;
}

std::vector<Report> run_file(const std::string& path, std::span<const std::string> overrides,
                             const RunOptions& options) {
  return run_all(scenario::read_scenarios(scenario::read_scenario_tree(path), overrides), options);
}

}  // namespace loom::run
