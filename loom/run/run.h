// One experiment from scenario to result, and many of them side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loom/cost/cost.h"
#include "loom/run/circuit_result.h"
#include "loom/run/colocated_result.h"
#include "loom/run/job_result.h"
#include "loom/run/lanes.h"
#include "loom/run/network_use.h"
#include "loom/run/plan.h"
#include "loom/run/traffic.h"

namespace loom {

// What came out for one flow of a list.
struct FlowResult {
  int source = 0;
  int destination = 0;
  Bytes size;
  Duration start{0};
  Duration end{0};
  Duration uncontended{0};  // what it would take with the network to itself

  double slowdown() const;
};

struct LinkUse {
  std::string link;
  Bandwidth bandwidth;  // at first, where it changes
  Bytes bytes;
  double utilization = 0;  // of what it could have carried by the end
};

// What only a picture needs.
struct ResultDetails {
  TrafficMatrix traffic;
  std::vector<Lane> lanes;  // of a job's last iteration
};

struct Result {
  Scenario scenario;
  int devices = 0;
  int ranks = 0;
  std::optional<Collective> collective;  // where the workload is one
  std::vector<AlgorithmEstimate> considered;
  Engine engine = Engine::fluid;          // that was used
  std::optional<JobResult> job;           // where the workload is a training job
  std::optional<JobsResult> jobs;         // where several jobs share the cluster
  std::optional<CircuitResult> circuits;  // where the fabric has them
  std::optional<NetworkUse> use;          // of circuits that stay, where devices forward
  std::string infeasible;                 // why there is no outcome; "" if there is
  Outcome outcome;
  std::vector<LinkUse> busiest;   // those that carried most for their capacity, forty at most
  std::vector<FlowResult> flows;  // where the workload is a list of them
  std::optional<ResultDetails> details;
  std::optional<Cost> cost;  // of the fabric, where asked for

  std::string fabric() const;  // its name, or its kind
  // Of an iteration of a job, of several jobs the mean; else to completion.
  Duration time() const;
};

struct RunOptions {
  Replacements replacements;
  std::string timeline;                  // write one to this path, if not empty
  bool details = false;                  // fill Result::details
  bool cost = false;                     // fill Result::cost
  std::function<void(double)> progress;  // part done, 0 to 1; called from one thread at a time
  int threads = 0;                       // 0: as many as the machine has
};

// `trace`, if given, gets the messages as CSV.
Result run(const Scenario& scenario, const RunOptions& options = {}, std::string* trace = nullptr);

// In the order of the scenarios, whatever the number of threads.
std::vector<Result> run_all(const std::vector<Scenario>& scenarios, const RunOptions& options);

}  // namespace loom
