// Runs the whole pipeline for one scenario, or for many in parallel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loom/run/report.h"

namespace loom::run {

struct RunOptions {
  Replacements replacements;
  std::string timeline;                  // path of a timeline to write; "" for none
  bool details = false;                  // fill Report::details
  bool cost = false;                     // fill Report::cost
  std::function<void(double)> progress;  // fraction done, called from one thread at a time
  int threads = 0;                       // 0: as many as the machine has
};

// `trace`, if given, receives the messages as CSV.
Report run(const scenario::Scenario& scenario, const RunOptions& options = {},
           std::string* trace = nullptr);

// Reports in the order of the scenarios, for any number of threads.
std::vector<Report> run_all(const std::vector<scenario::Scenario>& scenarios,
                            const RunOptions& options);

// Runs all points of a scenario file, after `--set` overrides.
std::vector<Report> run_file(const std::string& path, std::span<const std::string> overrides,
                             const RunOptions& options = {});

}  // namespace loom::run
