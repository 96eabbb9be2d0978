// Runs a plan through its engine.
#pragma once

#include <functional>
#include <string>

#include "loom/run/plan.h"
#include "loom/run/trace/circuit_history.h"
#include "loom/run/trace/explain.h"

namespace loom::run {

struct SimulateOptions {
  std::string timeline;                  // path of the timeline file to write; "": none
  std::string* trace = nullptr;          // receives the messages as CSV
  std::function<void(double)> progress;  // fraction done
  bool circuit_history = false;          // record when circuits change
};

struct Simulated {
  simulate::Outcome outcome;
  RankTaskLog tasks;       // rank tasks of a training job
  CircuitHistory history;  // if it is requested and circuits change
};

simulate::EngineOptions engine_options(const scenario::Scenario& scenario);

Simulated simulate(const scenario::Scenario& scenario, const Plan& plan,
                   const Replacements& replacements, const SimulateOptions& options);

}  // namespace loom::run
