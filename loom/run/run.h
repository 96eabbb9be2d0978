// Runs the whole pipeline for one scenario, or for many in parallel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loom/run/report.h"

namespace loom::run {

struct RunOptions {
  Replacements replacements;
  std::string timeline;                  // path of the timeline file to write; "": none
  bool details = false;                  // values needed only by charts: traffic and lanes
  bool cost = false;                     // fill Report::cost
  std::function<void(double)> progress;  // fraction done, called from one thread at a time
  int threads = 0;                       // 0: as many as the machine has
};

// Runs one scenario. `trace`, if given, receives all messages as CSV.
Report run(const scenario::Scenario& scenario, const RunOptions& options = {},
           std::string* trace = nullptr);

// Runs all scenarios in parallel. Returns reports in the order of the scenarios.
std::vector<Report> run_all(const std::vector<scenario::Scenario>& scenarios,
                            const RunOptions& options);

// Runs all points of a scenario file, after applying overrides such as "gpus=128".
std::vector<Report> run_file(const std::string& path, std::span<const std::string> overrides,
                             const RunOptions& options = {});

}  // namespace loom::run
