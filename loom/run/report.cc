#include "loom/run/report.h"

#include <algorithm>
#include <map>

#include "loom/cost/bill.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/run/consistency.h"
#include "loom/scenario/fabric_costs.h"

namespace loom::run {
namespace {

// The mean bandwidth of each link until `end`, in bit/s.
std::vector<double> mean_bandwidths(const fabric::Network& network,
                                    std::vector<simulate::LinkChange> changes, Duration end) {
  std::stable_sort(
      changes.begin(), changes.end(),
      [](const simulate::LinkChange& a, const simulate::LinkChange& b) { return a.at < b.at; });
  std::vector<double> now;
  for (const fabric::Link& it : network.links) {
    now.push_back(static_cast<double>(it.bandwidth.bits_per_second));
  }
  std::vector<double> mean = now;
  for (const simulate::LinkChange& it : changes) {
    if (elapsed(it.at) >= end) break;
    const auto link = static_cast<std::size_t>(it.link);
    const auto next = static_cast<double>(it.bandwidth.bits_per_second);
    const auto left = static_cast<double>((end - elapsed(it.at)).count());
    mean[link] += (next - now[link]) * (left / static_cast<double>(end.count()));
    now[link] = next;
  }
  return mean;
}

std::vector<LinkUse> busiest_links(const Plan& plan, const simulate::Outcome& outcome) {
  constexpr std::size_t kShown = 40;
  const fabric::Network& network = plan.network;
  const std::vector<double> capacity =
      mean_bandwidths(network, plan.changes, outcome.completion_time);
  std::vector<LinkUse> uses;
  const double elapsed = seconds(outcome.completion_time);
  for (std::size_t l = 0; l < outcome.link_bytes.size(); ++l) {
    const double bits = static_cast<double>(outcome.link_bytes[l].count) * 8;
    if (bits > 0 && elapsed > 0) {
      uses.push_back({network.link_name(LinkId(l)), network.links[l].bandwidth,
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

// Computes the completion time of a message on an idle network. If circuits change, the message
// gets the circuits provisioned for it alone.
class UncontendedTimes {
 public:
  explicit UncontendedTimes(const Plan& plan) : plan_(plan) {}

  Duration of(const workload::Operation& message, OperationId operation) {
    if (!plan_.circuits_change()) {
      return simulate::uncontended_message_time(plan_.network, message,
                                                simulate::flow_key(operation));
    }
    fabric::Network& network = networks_[{message.source, message.destination}];
    if (network.devices == 0) {
      const workload::Demand uncontended = {{message.source, message.destination, message.size}};
      network = provision_network(plan_.circuits->fabric, uncontended).network;
    }
    return simulate::uncontended_message_time(network, message, simulate::flow_key(operation));
  }

 private:
  const Plan& plan_;
  std::map<std::pair<int, int>, fabric::Network> networks_;
};

std::vector<FlowResult> flow_results(const Plan& plan, const simulate::Outcome& outcome) {
  std::vector<FlowResult> flows;
  UncontendedTimes uncontended(plan);
  for (std::size_t o = 0; o < plan.workload.operations.size(); ++o) {
    const workload::Operation& it = plan.workload.operations[o];
    flows.push_back({it.source, it.destination, it.size, it.start,
                     elapsed(outcome.operation_end[o]), uncontended.of(it, OperationId(o))});
  }
  return flows;
}

struct ReportInputs {
  const scenario::Scenario& scenario;
  const Plan& plan;
  const Simulated& simulated;
  const ReportOptions& options;

  bool ended() const { return !simulated.outcome.deadlock; }
};

WorkReport report_work(const CollectivePlan& work, const ReportInputs&) {
  return CollectiveReport{work.collective, work.ranks, work.considered};
}

WorkReport report_work(const FlowsPlan&, const ReportInputs& in) {
  if (!in.ended()) return FlowsReport{};
  return FlowsReport{flow_results(in.plan, in.simulated.outcome)};
}

WorkReport report_work(const WorkloadPlan&, const ReportInputs&) { return WorkloadReport{}; }

WorkReport report_work(const ReplayPlan&, const ReportInputs&) { return ReplayReport{}; }

WorkReport report_work(const TrainingPlan& work, const ReportInputs& in) {
  TrainingReport training = training_report(work, !in.plan.changes.empty());
  if (!in.ended()) return training;
  add_measurements(work, in.plan.workload, in.simulated, training);
  check_utilization(in.scenario, training);
  if (in.options.details) {
    training.lanes = iteration_lanes(work.lowered, in.plan.workload, in.simulated.tasks.tasks(),
                                     training.explanation);
  }
  return training;
}

WorkReport report_work(const ColocatedPlan& work, const ReportInputs& in) {
  if (!in.ended()) return ColocatedReport{};
  return colocated_report(work, in.simulated.outcome, engine_options(in.scenario),
                          in.options.threads);
}

// Makes the report of work whose planning failed.
struct UnplannedWork {
  bool links_change;

  WorkReport operator()(const CollectivePlan& work) const {
    return CollectiveReport{work.collective, work.ranks, work.considered};
  }
  WorkReport operator()(const FlowsPlan&) const { return FlowsReport{}; }
  WorkReport operator()(const WorkloadPlan&) const { return WorkloadReport{}; }
  WorkReport operator()(const ReplayPlan&) const { return ReplayReport{}; }
  WorkReport operator()(const TrainingPlan& work) const {
    return training_report(work, links_change);
  }
  WorkReport operator()(const ColocatedPlan&) const { return ColocatedReport{}; }
};

// The traffic of a training job's last iteration; for other work, all traffic.
TrafficMatrix iteration_traffic(const Plan& plan) {
  constexpr int kMaxCells = 64;
  return traffic_matrix(plan.workload, kMaxCells, [&](std::size_t o) {
    return plan.iteration_of(o) == plan.iterations() - 1;
  });
}

// The cost of the scenario's fabric, or of the links in `network` if they replace it.
cost::Cost cost_of(const scenario::Scenario& scenario, const fabric::Network* network,
                   int devices) {
  const cost::PriceTable prices = scenario::prices_of(scenario.settings);
  const fabric::FabricContext context{devices, scenario.seed(), {}, prices.floor};
  return cost::cost_of(network != nullptr ? cost::components_of(*network, prices.floor)
                                          : cost::bill_of(scenario.fabric, context),
                       prices, scenario.fabric.settings.location());
}

// The circuits for charts, with the last iteration of a training job as the interval to show.
CircuitDetails shown_circuits(const Plan& plan, const Report& report,
                              const CircuitHistory& history) {
  CircuitDetails details = circuit_details(plan, report.outcome, history);
  if (const TrainingReport* job = report.trained()) {
    details.from = job->explanation.from;
    details.to = job->explanation.to;
  }
  return details;
}

// The use of the network if devices forward over circuits that do not change.
std::optional<NetworkUse> forwarding_use(const Plan& plan, const CircuitReport& circuits,
                                         const simulate::Outcome& outcome) {
  const fabric::CircuitFabric& fabric = plan.circuits->fabric;
  const bool forwards = !fabric.packets && (circuits.forwarded > 0 || fabric.finds_rings());
  if (!forwards || plan.circuits_change() || outcome.deadlock) return std::nullopt;
  return network_use(plan, outcome);
}

Report begun(const scenario::Scenario& scenario, int devices, const Replacements& replacements) {
  Report report;
  report.scenario = scenario;
  if (replacements.links) report.scenario.fabric.name = *replacements.links;
  report.devices = devices;
  return report;
}

}  // namespace

double FlowResult::slowdown() const {
  return uncontended.count() == 0 ? 1.0
                                  : static_cast<double>((end - start).count()) /
                                        static_cast<double>(uncontended.count());
}

const TrainingReport* Report::trained() const { return ended() ? as<TrainingReport>() : nullptr; }

bool Report::ended() const { return !infeasible && !outcome.deadlock; }

std::string Report::fabric() const {
  return scenario.fabric.name.empty() ? std::string(scenario.fabric.kind->name)
                                      : scenario.fabric.name;
}

Duration Report::time() const {
  if (const auto* colocated = as<ColocatedReport>()) return colocated->spread.mean;
  if (const auto* training = as<TrainingReport>()) return training->iteration_time;
  return outcome.completion_time;
}

Report report(const scenario::Scenario& scenario, const Plan& plan, Simulated simulated,
              const Replacements& replacements, const ReportOptions& options) {
  const bool simulated_here = plan.engine == scenario::Engine::fluid && !replacements.trace;
  std::optional<PlanBound> bound;
  if (!simulated.outcome.deadlock) bound = plan_bound(scenario, plan);
  if (simulated_here) check_consistency(scenario, plan, simulated.outcome, bound);
  Report report = begun(scenario, plan.network.devices, replacements);
  report.engine = plan.engine;
  report.routings = plan.routings;
  const ReportInputs in{scenario, plan, simulated, options};
  report.work = std::visit([&](const auto& work) { return report_work(work, in); }, plan.work);
  report.outcome = std::move(simulated.outcome);
  report.bound = bound;
  if (auto* training = std::get_if<TrainingReport>(&report.work); training && report.bound) {
    training->bound = report.bound->any_strategy.value_or(Duration(0));
  }
  if (plan.circuits) {
    report.circuits = circuit_report(*plan.circuits);
    report.use = forwarding_use(plan, *report.circuits, report.outcome);
    if (options.details && report.ended()) {
      report.circuit_details = shown_circuits(plan, report, simulated.history);
      if (const TrainingReport* job = report.trained(); job != nullptr) {
        report.circuit_explanation =
            explain_circuits(plan, *report.circuit_details, job->explanation, simulated.tasks);
      }
    }
  }
  // If circuits change, a link has no single bandwidth for its utilization to refer to.
  if (!plan.circuits_change()) report.busiest = busiest_links(plan, report.outcome);
  if (options.details) report.traffic = iteration_traffic(plan);
  if (options.cost) {
    report.cost =
        cost_of(scenario, replacements.links ? &plan.network : nullptr, plan.network.devices);
  }
  return report;
}

Report report(const scenario::Scenario& scenario, const Fabric& fabric, Unplanned unplanned,
              const Replacements& replacements, const ReportOptions& options) {
  Report report = begun(scenario, fabric.devices(), replacements);
  report.infeasible = std::move(unplanned.reason);
  report.work = std::visit(UnplannedWork{!scenario.changes.empty()}, unplanned.work);
  if (options.cost) {
    report.cost =
        cost_of(scenario, replacements.links ? fabric.network() : nullptr, fabric.devices());
  }
  return report;
}

}  // namespace loom::run
