// Jobs of a file of profiles on their links for a while, under one transport, as tables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/base/tree.h"
#include "loom/jobs/contention/periodic_run.h"
#include "loom/report/table.h"

namespace loom {

// As the command line has them; "" and 0 where nothing is given.
struct ShareRequest {
  std::string transport = "fair";
  std::string share = "linear";
  double slope = 1.75;
  double intercept = 0.25;
  double contention_loss = 0;
  std::vector<double> weights;
  std::vector<std::string> starts;  // durations, by job
  bool shift = false;               // start where the jobs meet least
  std::int64_t iterations = 50;
  double jitter = 0;
  std::uint64_t seed = 1;
  bool realign = false;
};

struct ShareResult {
  SharedProfiles profiles;
  PeriodicOptions options;
  PeriodicRun run;
};

// InputError at the first thing wrong, of the file or of the request.
ShareResult share_links(const Tree& file, const ShareRequest& request);

// A row for each job: what its iterations took, and what they take alone.
Table share_jobs_table(const ShareResult& result);
Table share_links_table(const ShareResult& result);
std::string share_text(const ShareResult& result);
nlohmann::ordered_json share_json(const ShareResult& result);
// Iteration times over iterations, a line for each job.
std::string share_plot(const ShareResult& result);

}  // namespace loom
