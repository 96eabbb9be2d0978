#include "loom/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "loom/base/files.h"
#include "loom/base/parallel.h"
#include "loom/cost/bill.h"
#include "loom/fabric/circuits/control/periodic.h"
#include "loom/fabric/circuits/control/phased.h"
#include "loom/run/plan_training.h"
#include "loom/run/timeline.h"
#include "loom/run/trace.h"
#include "loom/scenario/fabric_costs.h"

namespace loom {
namespace {

// Tells several observers.
class Observers : public Observer {
 public:
  void add(Observer* observer) {
    if (observer != nullptr) observers_.push_back(observer);
  }
  Observer* one() { return observers_.empty() ? nullptr : this; }
  void message(const MessageRecord& record) override {
    for (Observer* it : observers_) it->message(record);
  }
  void compute(const ComputeRecord& record) override {
    for (Observer* it : observers_) it->compute(record);
  }
  void link_load(int link, Duration at, Bandwidth load) override {
    for (Observer* it : observers_) it->link_load(link, at, load);
  }
  bool wants_each() const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [](const Observer* it) { return it->wants_each(); });
  }
  bool wants_tasks() const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [](const Observer* it) { return it->wants_tasks(); });
  }
  void task(const RankTaskRecord& record) override {
    for (Observer* it : observers_) it->task(record);
  }
  void equivalent(std::span<const int> representatives) override {
    for (Observer* it : observers_) it->equivalent(representatives);
  }

 private:
  std::vector<Observer*> observers_;
};

// What moves the circuits while the engine runs; nothing where they stay.
std::unique_ptr<Control> control_of(const Prepared& prepared) {
  if (!prepared.circuits) return nullptr;
  const PreparedCircuits& it = *prepared.circuits;
  if (it.phases) {
    return std::make_unique<PhasedControl>(it.fabric, prepared.network, it.phases->sets,
                                           it.phases->set_of);
  }
  if (it.fabric.reconfigure != Reconfigure::periodic) return nullptr;
  return std::make_unique<PeriodicControl>(it.fabric, prepared.network, it.provisioned.circuits);
}

EngineOptions engine_options(const Scenario& scenario) {
  EngineOptions engine;
  engine.sharing = scenario.sharing();
  engine.jitter = scenario.settings.real("jitter");
  engine.seed = scenario.seed();
  engine.folding = scenario.settings.boolean("folding");
  return engine;
}

Outcome simulate(const Scenario& scenario, const Prepared& prepared, const RunOptions& options,
                 std::string* trace_text, RankTaskLog& log) {
  const bool tells_each = trace_text != nullptr || !options.timeline.empty();
  if (options.replacements.trace) {
    const std::string& path = *options.replacements.trace;
    const SourceLocation location = location_of("--from trace=" + path);
    if (tells_each) {
      throw InputError(location,
                       "a trace or timeline is asked for; a run in place of this file is needed");
    }
    return read_trace(read_file(path, location), path, prepared.workload);
  }
  if (tells_each && prepared.engine == Engine::analytic) {
    scenario.settings.refuse("engine", "a trace or timeline is asked for, which only fluid has");
  }
  if (tells_each && scenario.engine() == Engine::automatic && prepared.job &&
      message_count(prepared.workload) > kMaxFluidMessages) {
    scenario.settings.refuse(
        "engine", fmt::format("a trace or timeline would have {} messages; fluid is needed",
                              message_count(prepared.workload)));
  }
  std::optional<Timeline> timeline;
  std::optional<TraceWriter> trace;
  Observers observers;
  if (!options.timeline.empty()) {
    observers.add(&timeline.emplace(options.timeline, prepared.workload, prepared.network));
  }
  if (trace_text != nullptr) observers.add(&trace.emplace());
  if (prepared.job) observers.add(&log);
  EngineOptions engine = engine_options(scenario);
  engine.observer = observers.one();
  engine.progress = options.progress;
  const std::unique_ptr<Control> control = control_of(prepared);
  engine.control = control.get();
  Outcome outcome =
      prepared.engine == Engine::fluid
          ? simulate_fluid(prepared.workload, prepared.network, prepared.changes, engine)
          : simulate_analytic(prepared.workload, prepared.network, engine);
  if (timeline) timeline->finish();
  if (trace) *trace_text = trace->text();
  return outcome;
}

// Of each link over the time until `end`, in bit/s.
std::vector<double> mean_bandwidths(const Network& network, std::vector<LinkChange> changes,
                                    Duration end) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const LinkChange& a, const LinkChange& b) { return a.at < b.at; });
  std::vector<double> now;
  for (const Link& it : network.links) {
    now.push_back(static_cast<double>(it.bandwidth.bits_per_second));
  }
  std::vector<double> mean = now;
  for (const LinkChange& it : changes) {
    if (it.at >= end) break;
    const auto link = static_cast<std::size_t>(it.link);
    const auto next = static_cast<double>(it.bandwidth.bits_per_second);
    const auto left = static_cast<double>((end - it.at).count());
    mean[link] += (next - now[link]) * (left / static_cast<double>(end.count()));
    now[link] = next;
  }
  return mean;
}

std::vector<LinkUse> busiest_links(const Prepared& prepared, const Outcome& outcome) {
  constexpr std::size_t kShown = 40;
  const Network& network = prepared.network;
  const std::vector<double> capacity =
      mean_bandwidths(network, prepared.changes, outcome.completion_time);
  std::vector<LinkUse> uses;
  const double elapsed = seconds(outcome.completion_time);
  for (std::size_t l = 0; l < outcome.link_bytes.size(); ++l) {
    const double bits = static_cast<double>(outcome.link_bytes[l].count) * 8;
    if (bits > 0 && elapsed > 0) {
      uses.push_back({network.link_name(static_cast<int>(l)), network.links[l].bandwidth,
                      outcome.link_bytes[l], bits / capacity[l] / elapsed});
    }
  }
  const auto shown = std::min(kShown, uses.size());
  std::stable_sort(uses.begin(), uses.end(), [](const LinkUse& a, const LinkUse& b) {
    return a.utilization > b.utilization;
  });
  uses.resize(shown);
  return uses;
}

// What a message would take alone: circuits that move would all be its own.
class UncontendedTimes {
 public:
  explicit UncontendedTimes(const Prepared& prepared) : prepared_(prepared) {}

  Duration of(const Operation& message, std::size_t operation) {
    if (!prepared_.moving()) {
      return uncontended_message_time(prepared_.network, message, flow_key(operation));
    }
    Network& network = networks_[{message.source, message.destination}];
    if (network.devices == 0) {
      const Demand uncontended = {{message.source, message.destination, message.size}};
      network = provision_network(prepared_.circuits->fabric, uncontended).network;
    }
    return uncontended_message_time(network, message, flow_key(operation));
  }

 private:
  const Prepared& prepared_;
  std::map<std::pair<int, int>, Network> networks_;
};

std::vector<FlowResult> flow_results(const Prepared& prepared, const Outcome& outcome) {
  std::vector<FlowResult> flows;
  UncontendedTimes uncontended(prepared);
  for (std::size_t o = 0; o < prepared.workload.operations.size(); ++o) {
    const Operation& it = prepared.workload.operations[o];
    flows.push_back({it.source, it.destination, it.size, it.start, outcome.operation_end[o],
                     uncontended.of(it, o)});
  }
  return flows;
}

ResultDetails details_of(const Prepared& prepared, const Result& result, const RankTaskLog& log) {
  constexpr int kMaxCells = 64;
  ResultDetails details;
  const auto* job = prepared.job ? &prepared.job->lowered : nullptr;
  details.traffic = traffic_matrix(prepared.workload, kMaxCells, [&](std::size_t o) {
    return job == nullptr || job->tags[o].iteration == job->iterations - 1;
  });
  if (job != nullptr && !result.outcome.deadlock) {
    details.lanes = iteration_lanes(*job, prepared.workload, log.tasks(), result.job->explanation);
  }
  return details;
}

Cost cost_of(const Scenario& scenario, const Prepared& prepared, const RunOptions& options) {
  const FabricContext context{prepared.network.devices, scenario.seed()};
  const Bill bill = options.replacements.links ? components_of(prepared.network)
                                               : bill_of(scenario.fabric, context);
  return loom::cost_of(bill, prices_of(scenario.settings), scenario.fabric.settings.location());
}

}  // namespace

double FlowResult::slowdown() const {
  return uncontended.count() == 0 ? 1.0
                                  : static_cast<double>((end - start).count()) /
                                        static_cast<double>(uncontended.count());
}

std::string Result::fabric() const {
  return scenario.fabric.name.empty() ? std::string(scenario.fabric.kind->name)
                                      : scenario.fabric.name;
}

Duration Result::time() const {
  if (jobs) return jobs->spread.mean;
  return job ? job->iteration_time : outcome.completion_time;
}

Result run(const Scenario& scenario, const RunOptions& options, std::string* trace) {
  const Prepared prepared =
      prepare(scenario, options.replacements, {options.threads, options.progress});
  Result result;
  result.scenario = scenario;
  if (options.replacements.links) result.scenario.fabric.name = *options.replacements.links;
  result.devices = prepared.network.devices;
  result.considered = prepared.considered;
  result.engine = prepared.engine;
  result.infeasible = prepared.infeasible;
  if (options.cost) result.cost = cost_of(scenario, prepared, options);
  RankTaskLog log;
  if (prepared.infeasible.empty()) {
    result.outcome = simulate(scenario, prepared, options, trace, log);
  }
  if (prepared.circuits && prepared.infeasible.empty()) {
    result.circuits = circuit_result(*prepared.circuits);
    const CircuitFabric& fabric = prepared.circuits->fabric;
    const bool forwards =
        !fabric.packets && (result.circuits->forwarded > 0 || fabric.topology.has_value());
    if (forwards && !prepared.moving() && !result.outcome.deadlock) {
      result.use = network_use(prepared, result.outcome);
    }
  }
  if (prepared.job) result.job = job_result(prepared, result.outcome, log);
  if (prepared.jobs && prepared.infeasible.empty() && !result.outcome.deadlock) {
    result.jobs =
        jobs_result(*prepared.jobs, result.outcome, engine_options(scenario), options.threads);
  }
  // Of circuits that move a link has no one bandwidth that it could use.
  if (!prepared.moving()) result.busiest = busiest_links(prepared, result.outcome);
  if (options.details && result.infeasible.empty()) {
    result.details = details_of(prepared, result, log);
  }
  if (scenario.trains() || !scenario.jobs.empty()) return result;
  if (scenario.workload.given("collective") && !options.replacements.workload) {
    result.collective = prepared.workload.collectives.front();
    result.ranks = prepared.workload.groups.front().size;
  }
  if (scenario.workload.given("flows") && !options.replacements.workload &&
      result.infeasible.empty() && !result.outcome.deadlock) {
    result.flows = flow_results(prepared, result.outcome);
  }
  return result;
}

std::vector<Result> run_all(const std::vector<Scenario>& scenarios, const RunOptions& options) {
  std::vector<Result> results(scenarios.size());
  std::mutex mutex;
  std::size_t done = 0;
  RunOptions one = options;
  one.progress = nullptr;
  for_each_index(scenarios.size(), options.threads, [&](std::size_t i) {
    results[i] = run(scenarios[i], one);
    const std::lock_guard lock(mutex);
    ++done;
    if (options.progress) {
      options.progress(static_cast<double>(done) / static_cast<double>(scenarios.size()));
    }
  });
  return results;
}

}  // namespace loom
