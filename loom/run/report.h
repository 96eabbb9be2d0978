// The report of a run: the values that tables, JSON, CSV and pages show.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "loom/cost/cost.h"
#include "loom/run/circuit_details.h"
#include "loom/run/circuit_explanation.h"
#include "loom/run/circuit_report.h"
#include "loom/run/colocated_report.h"
#include "loom/run/network_use.h"
#include "loom/run/plan_bound.h"
#include "loom/run/simulate_plan.h"
#include "loom/run/trace/traffic.h"
#include "loom/run/training_report.h"

namespace loom::run {

struct CollectiveReport {
  workload::Collective collective;
  int ranks = 0;
  std::vector<plan::AlgorithmEstimate> considered;  // for algorithm: auto, fastest first
};

// One flow of a list.
struct FlowResult {
  int source = 0;
  int destination = 0;
  Bytes size;
  Duration start{0};
  Duration end{0};
  Duration uncontended{0};  // completion time on an idle network

  double slowdown() const;
};

struct FlowsReport {
  std::vector<FlowResult> flows;  // empty if the run did not end
};

struct WorkloadReport {};

struct ReplayReport {};

using WorkReport = std::variant<WorkloadReport, CollectiveReport, FlowsReport, ReplayReport,
                                TrainingReport, ColocatedReport>;

struct LinkUse {
  std::string link;
  Bandwidth bandwidth;  // initial bandwidth if it changes
  Bytes bytes;
  double utilization = 0;  // bytes carried over the bytes that the link could have carried
};

struct Report {
  scenario::Scenario scenario;
  int devices = 0;
  scenario::Engine engine = scenario::Engine::fluid;  // the engine that ran
  std::optional<Infeasible> infeasible;               // why there is no outcome
  simulate::Outcome outcome;
  WorkReport work;
  std::vector<RoutingTime> routings;              // with `routing: auto`, fastest first
  std::optional<CircuitReport> circuits;          // on a fabric of circuits
  std::optional<PlanBound> bound;                 // lower bounds; for a completed run
  std::optional<NetworkUse> use;                  // if devices forward and circuits do not change
  std::vector<LinkUse> busiest;                   // highest utilization first, at most forty
  std::optional<TrafficMatrix> traffic;           // of one iteration, if details are requested
  std::optional<CircuitDetails> circuit_details;  // on a fabric of circuits, if requested
  std::optional<CircuitExplanation> circuit_explanation;  // of a training job, if requested
  std::optional<cost::Cost> cost;                         // cost of the fabric, if requested

  // The work if it is of type Kind, else nullptr.
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&work);
  }
  // The training job if there is one and it was simulated, else nullptr.
  const TrainingReport* trained() const;
  bool ended() const;          // whether the run completed
  std::string fabric() const;  // name of the fabric, or its kind if it has none
  std::string_view engine_name() const {
    return engine == scenario::Engine::fluid ? "fluid" : "coarse";
  }
  // The iteration time of a training job, the mean over several jobs, or the completion time of
  // other work.
  Duration time() const;
};

struct ReportOptions {
  bool details = false;  // values needed only by charts: traffic and lanes
  bool cost = false;     // fill Report::cost
  int threads = 0;       // 0: as many as the machine has
};

Report report(const scenario::Scenario& scenario, const Plan& plan, Simulated simulated,
              const Replacements& replacements, const ReportOptions& options);

// Makes the report of work whose planning failed.
Report report(const scenario::Scenario& scenario, const Fabric& fabric, Unplanned unplanned,
              const Replacements& replacements, const ReportOptions& options);

}  // namespace loom::run
