#include "loom/report/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "loom/report/fabric_upgrades.h"
#include "loom/report/table.h"
#include "loom/run/circuit_traffic.h"
#include "loom/run/steady_run.h"

namespace loom::report {
namespace {

std::string without_numbers(const std::string& name) {
  std::string kind;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      kind += c;
    } else if (kind.empty() || kind.back() != '*') {
      kind += '*';
    }
  }
  return kind;
}

// The kind of a link: its name without numbers and direction. "17->server2" and "server0->3" have
// the same kind.
std::string kind_of(const std::string& name) {
  const std::size_t arrow = name.find("->");
  const std::string from = without_numbers(name.substr(0, arrow));
  const std::string to = without_numbers(name.substr(arrow + 2));
  return from < to ? from + " - " + to : to + " - " + from;
}

Bandwidth doubled(Bandwidth rate) { return {rate.bits_per_second * 2}; }

// The kinds of links that carry traffic, busiest first. A kind is as busy as its busiest link; idle
// kinds are left out.
std::vector<std::string> busiest_kinds(const fabric::Network& network,
                                       const simulate::Outcome& outcome) {
  std::map<std::string, double> busy;
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    const double load = static_cast<double>(outcome.link_bytes[l].count) /
                        static_cast<double>(network.links[l].bandwidth.bits_per_second);
    double& max_load = busy[kind_of(network.link_name(LinkId(l)))];
    max_load = std::max(max_load, load);
  }
  std::vector<std::string> kinds;
  for (const auto& it : busy) {
    if (it.second > 0) kinds.push_back(it.first);
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [&](const std::string& a, const std::string& b) { return busy[a] > busy[b]; });
  return kinds;
}

// The circuits of each kind of traffic, by the numbers of their links. Kinds that all links carry
// are left out.
std::map<std::string, std::vector<bool>> links_of_kinds(const run::Plan& plan,
                                                        const simulate::Outcome& outcome) {
  const run::CircuitTraffic traffic = circuit_traffic(plan, outcome.link_bytes);
  std::map<std::pair<int, int>, const run::PairLoad*> loads;
  for (const run::PairLoad& it : traffic.loads.front()) loads[{it.from, it.to}] = &it;
  std::map<std::string, std::vector<bool>> links;
  for (std::size_t l = 0; l < plan.network.links.size(); ++l) {
    const fabric::Link& link = plan.network.links[l];
    const auto load = loads.find({link.from, link.to});
    if (load == loads.end()) continue;
    for (std::size_t k = 0; k < traffic.kinds.size(); ++k) {
      constexpr double kCarries = 0.01;
      if (load->second->bytes[k] < kCarries * load->second->total()) continue;
      std::vector<bool>& of_kind = links[std::string(traffic.kinds[k].category)];
      of_kind.resize(plan.network.links.size(), false);
      of_kind[l] = true;
    }
  }
  std::erase_if(links, [&](const auto& it) {
    return static_cast<std::size_t>(std::count(it.second.begin(), it.second.end(), true)) ==
           loads.size();
  });
  return links;
}

class Adviser {
 public:
  Adviser(const run::Plan& plan, const place::LoweredJob& job, simulate::EngineOptions engine)
      : plan_(plan), job_(job), engine_(std::move(engine)) {}

  std::vector<Advice> run() {
    const simulate::Outcome outcome = simulated(plan_.workload, plan_.network);
    base_ = run::iteration_time(job_, outcome.operation_end).time;
    if (plan_.circuits) {
      faster_circuits(outcome);
    } else {
      faster_kinds(outcome);
    }
    faster_computing();
    std::stable_sort(advice_.begin(), advice_.end(),
                     [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
    return std::move(advice_);
  }

 private:
  void faster_kinds(const simulate::Outcome& outcome) {
    constexpr std::size_t kKinds = 4;
    const std::vector<std::string> kinds = busiest_kinds(plan_.network, outcome);
    for (std::size_t k = 0; k < std::min(kKinds, kinds.size()); ++k) {
      faster_links(fmt::format("links {}", kinds[k]),
                   [&](LinkId link) { return kind_of(plan_.network.link_name(link)) == kinds[k]; });
    }
    if (kinds.size() > 1) faster_links("every link", [](LinkId) { return true; });
  }

  void faster_circuits(const simulate::Outcome& outcome) {
    for (const auto& [kind, links] : links_of_kinds(plan_, outcome)) {
      faster_links(fmt::format("circuits with {} traffic", kind),
                   [&links = links](LinkId link) { return links[static_cast<std::size_t>(link)]; });
    }
    faster_links("every circuit", [](LinkId) { return true; });
  }

  void faster_links(const std::string& what, const std::function<bool(LinkId)>& chosen) {
    fabric::Network network = plan_.network;
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      if (chosen(LinkId(l))) network.links[l].bandwidth = doubled(network.links[l].bandwidth);
    }
    add(fmt::format("twice the bandwidth of {}", what), plan_.workload, network);
  }

  void faster_computing() {
    workload::Workload workload = plan_.workload;
    for (workload::Operation& it : workload.operations) it.time /= 2;
    add("twice the compute speed", workload, plan_.network);
  }

  void add(std::string what, const workload::Workload& workload, const fabric::Network& network) {
    const Duration time =
        run::iteration_time(job_, simulated(workload, network).operation_end).time;
    const double gain = 1 - static_cast<double>(time.count()) / static_cast<double>(base_.count());
    advice_.push_back({std::move(what), time, gain, false});
  }

  // By the engine of the plan, so that the advice and the report have the same baseline.
  simulate::Outcome simulated(const workload::Workload& workload,
                              const fabric::Network& network) const {
    return plan_.engine == scenario::Engine::fluid
               ? simulate_fluid(workload, network, plan_.changes, engine_)
               : simulate_coarse(workload, network, engine_);
  }

  const run::Plan& plan_;
  const place::LoweredJob& job_;
  const simulate::EngineOptions engine_;
  Duration base_{0};
  std::vector<Advice> advice_;
};

// What upgrades of the fabric save if the job is planned again on the upgraded fabric. Upgrades
// that the fabric refuses, or on which there is no plan, are left out.
void add_upgrades(const scenario::Scenario& scenario, const run::RunOptions& options, int devices,
                  Duration base, std::vector<Advice>& advice) {
  run::RunOptions quiet;
  quiet.threads = options.threads;
  std::vector<Advice> upgrades;
  for (const Upgrade& it : fabric_upgrades(scenario, devices)) {
    try {
      const auto upgraded = scenario::read_scenarios(scenario.tree, it.overrides);
      const run::Report report = run::run(upgraded.front(), quiet);
      if (!report.ended()) continue;
      const double gain = 1 - seconds(report.time()) / seconds(base);
      upgrades.push_back({it.what, report.time(), gain, true});
    } catch (const InputError&) {
      continue;
    }
  }
  std::stable_sort(upgrades.begin(), upgrades.end(),
                   [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
  advice.insert(advice.end(), upgrades.begin(), upgrades.end());
}

// A table of the advice for the same plan, or of that for which the job was planned again.
std::string table_text(const std::vector<Advice>& advice, bool planned_again) {
  Table table{{"with", "iteration_time", "saves"}, {}};
  for (const Advice& it : advice) {
    if (it.planned_again != planned_again) continue;
    table.rows.push_back({it.what, it.iteration_time, fmt::format("{:.1f} %", 100 * it.gain)});
  }
  return table.rows.empty() ? "" : to_text(table);
}

}  // namespace

std::vector<Advice> advise(const scenario::Scenario& scenario, const run::RunOptions& options) {
  run::Plan first =
      plan_or_refuse(scenario, options.replacements, {options.threads, options.progress});
  if (first.as<run::TrainingPlan>() == nullptr) return {};
  // As many iterations as the report has.
  run::SteadyRun run = simulate_until_steady(scenario, std::move(first), options.replacements, {});
  const auto* training = run.plan.as<run::TrainingPlan>();
  std::vector<Advice> advice;
  if (!run.plan.circuits_change()) {
    advice = Adviser(run.plan, training->lowered, run::engine_options(scenario)).run();
  }
  if (run.plan.circuits && !run.simulated.outcome.deadlock) {
    const Duration base =
        run::iteration_time(training->lowered, run.simulated.outcome.operation_end).time;
    add_upgrades(scenario, options, run.plan.network.devices, base, advice);
  }
  return advice;
}

std::string advice_text(const std::vector<Advice>& advice) {
  std::string anomalies;
  for (const Advice& it : advice) {
    if (it.gain < 0 && !it.planned_again) {
      anomalies += fmt::format("scheduling anomaly: with {} the iteration takes longer\n", it.what);
    }
  }
  const std::string same = table_text(advice, false);
  const std::string again = table_text(advice, true);
  std::string text;
  if (!same.empty() || advice.empty()) {
    text += "\nwhat would help most (same strategy):\n" + same + anomalies;
  }
  if (!again.empty()) text += "\nwhat the fabric would gain from (planned again):\n" + again;
  return text;
}

nlohmann::ordered_json advice_json(const std::vector<Advice>& advice) {
  auto list = nlohmann::ordered_json::array();
  for (const Advice& it : advice) {
    list.push_back(
        {{"what", it.what}, {"iteration_time", it.iteration_time.count()}, {"gain", it.gain}});
    if (it.planned_again) list.back()["planned_again"] = true;
  }
  return list;
}

}  // namespace loom::report
