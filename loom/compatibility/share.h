// Simulates the jobs of a profile file on shared links under one transport, and reports their
// iteration times.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/base/tree.h"
#include "loom/jobs/contention/periodic_run.h"
#include "loom/report/table.h"

namespace loom::compatibility {

// Options as given on the command line; "" and 0 if not given.
struct ShareRequest {
  std::string transport = "fair";
  std::string share = "linear";
  double slope = 1.75;
  double intercept = 0.25;
  double contention_loss = 0;
  std::vector<double> weights;
  std::vector<std::string> starts;  // durations, per job
  bool shift = false;               // start with the time shifts that minimize contention
  std::int64_t iterations = 50;
  double jitter = 0;
  std::uint64_t seed = 1;
  bool realign = false;
};

struct ShareResult {
  jobs::SharedProfiles profiles;
  jobs::PeriodicOptions options;
  jobs::PeriodicRun run;
};

// Throws InputError at the first error in the file or the request.
ShareResult share_links(const Tree& file, const ShareRequest& request);

// One row per job: its iteration times, shared and isolated.
report::Table share_jobs_table(const ShareResult& result);
report::Table share_links_table(const ShareResult& result);
std::string share_text(const ShareResult& result);
nlohmann::ordered_json share_json(const ShareResult& result);
// Chart of the iteration time over iterations, one line per job.
std::string share_plot(const ShareResult& result);

}  // namespace loom::compatibility
