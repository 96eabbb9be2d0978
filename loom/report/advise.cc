#include "loom/report/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "loom/report/table.h"
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

class Adviser {
 public:
  Adviser(const run::Plan& plan, const place::LoweredJob& job, simulate::EngineOptions engine)
      : plan_(plan), job_(job), engine_(std::move(engine)) {}

  std::vector<Advice> run() {
    const simulate::Outcome outcome = simulated(plan_.workload, plan_.network);
    base_ = run::iteration_time(job_, outcome.operation_end).time;
    constexpr std::size_t kKinds = 4;
    const std::vector<std::string> kinds = busiest_kinds(plan_.network, outcome);
    for (std::size_t k = 0; k < std::min(kKinds, kinds.size()); ++k) faster_links(kinds[k]);
    if (kinds.size() > 1) faster_links("");
    faster_computing();
    std::stable_sort(advice_.begin(), advice_.end(),
                     [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
    return std::move(advice_);
  }

 private:
  void faster_links(const std::string& kind) {
    fabric::Network network = plan_.network;
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      const bool chosen = kind.empty() || kind_of(network.link_name(LinkId(l))) == kind;
      if (chosen) network.links[l].bandwidth = doubled(network.links[l].bandwidth);
    }
    add(kind.empty() ? "twice the bandwidth of every link"
                     : fmt::format("twice the bandwidth of links {}", kind),
        plan_.workload, network);
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
    advice_.push_back({std::move(what), time, gain});
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

}  // namespace

std::vector<Advice> advise(const scenario::Scenario& scenario, const run::RunOptions& options) {
  run::Plan first =
      plan_or_refuse(scenario, options.replacements, {options.threads, options.progress});
  if (first.as<run::TrainingPlan>() == nullptr || first.circuits_change()) return {};
  // As many iterations as the report has.
  const run::Plan plan =
      simulate_until_steady(scenario, std::move(first), options.replacements, {}).plan;
  const auto* training = plan.as<run::TrainingPlan>();
  return Adviser(plan, training->lowered, run::engine_options(scenario)).run();
}

std::string advice_text(const std::vector<Advice>& advice) {
  Table table{{"with", "iteration_time", "saves"}, {}};
  std::string anomalies;
  for (const Advice& it : advice) {
    table.rows.push_back({it.what, it.iteration_time, fmt::format("{:.1f} %", 100 * it.gain)});
    if (it.gain < 0) {
      anomalies += fmt::format("scheduling anomaly: with {} the iteration takes longer\n", it.what);
    }
  }
  return "\nwhat would help most (same strategy):\n" + to_text(table) + anomalies;
}

nlohmann::ordered_json advice_json(const std::vector<Advice>& advice) {
  auto list = nlohmann::ordered_json::array();
  for (const Advice& it : advice) {
    list.push_back(
        {{"what", it.what}, {"iteration_time", it.iteration_time.count()}, {"gain", it.gain}});
  }
  return list;
}

}  // namespace loom::report
