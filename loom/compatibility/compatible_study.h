// Whether jobs may share their links, how to shift them, and what they gain: from a file to tables
// and pictures.
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

namespace loom {

struct CompatibleOptions {
  ShiftSearchOptions search;
  int angles = 0;         // of a grid to compare with; 0: none
  double jitter = 0.05;   // of periods: how far off jobs are in the score under jitter
  double max_idle = 0.1;  // of periods: the padding that may be suggested
  int iterations = 100;   // that are predicted
  int threads = 0;
};

// A padding with which iterations are shorter than without, and than with any of less idle time.
struct WorthyPadding {
  PaddedPeriods padded;
  double slowdown = 1;  // mean of predicted iterations over lone ones, the idle time included
};

struct CompatibleResult {
  SharedProfiles profiles;
  std::vector<LearnedJob> learned;
  Compatibility before;  // all jobs begin together
  Compatibility best;
  // With the periods that jobs have, where `best` is of rounded ones.
  std::optional<double> drifting;
  std::optional<double> drifting_before;
  double jittered = 1;  // score, and that of all jobs beginning together
  double jittered_before = 1;
  std::vector<Duration> isolated;      // periods, and mean iteration times that the engine
  std::vector<Duration> times_before;  // predicts: by job
  std::vector<Duration> times_after;
  std::optional<GridShifts> grid;
  std::vector<WorthyPadding> padding;
};

// What the jobs of a scenario ask of its links, each turned by its start. InputError where it has
// no jobs or one cannot run.
SharedProfiles profiles_of(const Scenario& scenario, int threads);

CompatibleResult compatible(ProfileFile file, const CompatibleOptions& options);

Table jobs_table(const CompatibleResult& result);
Table links_table(const CompatibleResult& result);
Table padding_table(const CompatibleResult& result);

// What has to be said besides: rounded periods, a gap that is left, how learned profiles fit.
std::vector<std::string> notes_of(const CompatibleResult& result);

std::string compatible_text(const CompatibleResult& result);
nlohmann::ordered_json compatible_json(const CompatibleResult& result);

CirclePicture picture_of(const CompatibleResult& result, const std::string& title);
CirclesPage page_of(const CompatibleResult& result, const std::string& title,
                    const std::string& command);

}  // namespace loom
