// Compatibility study (CASSINI): reads job profiles, computes the compatibility score, time shifts
// and their gain, and reports tables and plots.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loom/jobs/cassini/period_padding.h"
#include "loom/jobs/cassini/shift_grid.h"
#include "loom/jobs/profile/profile_file.h"
#include "loom/report/chart/circles.h"
#include "loom/report/chart/circles_page.h"
#include "loom/report/table.h"
#include "loom/scenario/scenario.h"

namespace loom::compatibility {

struct CompatibleOptions {
  jobs::ShiftSearchOptions search;
  int angles = 0;         // number of angles of a grid search for comparison; 0: none
  double jitter = 0.05;   // largest offset in the score under jitter, as a fraction of the period
  double max_idle = 0.1;  // largest padding suggested, as a fraction of the period
  int iterations = 100;   // iterations simulated for the prediction
  int threads = 0;
};

// A padding that shortens iterations more than no padding and more than any padding with less idle
// time.
struct WorthyPadding {
  jobs::PaddedPeriods padded;
  double slowdown = 1;  // mean of predicted over isolated iteration times, idle time included
};

struct CompatibleResult {
  jobs::SharedProfiles profiles;
  std::vector<jobs::LearnedJob> learned;
  jobs::Compatibility before;  // score if all jobs start together
  jobs::Compatibility best;
  // Scores with the original periods, with shifts and without; set if `best` rounds periods.
  std::optional<double> drifting;
  std::optional<double> drifting_before;
  double jittered = 1;  // score under jitter, with shifts and without
  double jittered_before = 1;
  std::vector<Duration> isolated;      // period, per job
  std::vector<Duration> times_before;  // predicted mean iteration time unshifted, per job
  std::vector<Duration> times_after;   // predicted mean iteration time shifted, per job
  std::optional<jobs::GridShifts> grid;
  std::vector<WorthyPadding> padding;
};

// The profiles of a scenario's jobs on its links, each delayed by the job's start time. Throws
// InputError if the scenario has no jobs or a job cannot run.
jobs::SharedProfiles profiles_of(const scenario::Scenario& scenario, int threads);

CompatibleResult compatible(jobs::ProfileFile file, const CompatibleOptions& options);

report::Table jobs_table(const CompatibleResult& result);
report::Table links_table(const CompatibleResult& result);
report::Table padding_table(const CompatibleResult& result);

// Remarks on the result: the score with phase error, rounded periods, jobs that the shifts slow
// down, a remaining optimality gap, the grid search, and the fit of learned profiles.
std::vector<std::string> notes_of(const CompatibleResult& result);

std::string compatible_text(const CompatibleResult& result);
nlohmann::ordered_json compatible_json(const CompatibleResult& result);

report::CirclePicture picture_of(const CompatibleResult& result, const std::string& title);
report::CirclesPage page_of(const CompatibleResult& result, const std::string& title,
                            const std::string& command);

}  // namespace loom::compatibility
