// A published study run again: papers/NAME.yaml states the scenario, what varies in its cases, and
// the claims with the rule, fixed beforehand, by which each holds.
//
//   scenario: a scenario        cases: [{name: …, workload.layers: 24, …}]
//   claims: [{claim, measure, of: case, over: case, published, rule}]
//
// A measure is iteration_seconds, completion_seconds, tflops_per_device, samples_per_second,
// model_flops_utilization or memory_gigabytes of a case, or of one case over another's; or
// mean_error, the mean of |ours / published - 1| in percent over the claims before it. A rule is
// "within X %", "at least X", "at most X" or "from X to Y".
//
// In place of cases there may be a grid (paper_grid.h) with claims about it (grid_claims.h) and
// plots; or jobs that share a link (sharing_study.h), or a cluster's day (day_claims.h); or
// `measured`, a study run by code (measured.h). A paper of several such studies has them as
// `parts`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/tree.h"
#include "loom/reproduce/paper_grid.h"
#include "loom/run/run.h"

namespace loom {

struct Claim {
  std::string claim;
  std::string source;
  std::string rule;
  double published = 0;
  double ours = 0;
  bool holds = false;
  std::string at = {};      // of a grid: the point that decided
  bool reduced = false;     // of a reduced run
  std::string reason = {};  // why it does not hold: where the time goes
};

// Lines over one axis: a series for each value of another, a picture for each of a third.
struct GridPlot {
  std::string file;
  std::string measure;
  std::string x;
  std::string series;
  std::string each;                                             // "": one picture
  std::vector<std::pair<std::string, std::string>> where = {};  // axis and value
};

struct GridStudy {
  PaperGrid grid;
  std::vector<Report> results;
  std::vector<GridPlot> plots;
};

// Tables and pictures that a part without a grid leaves behind: names and contents.
using StudyFiles = std::vector<std::pair<std::string, std::string>>;

struct Study {
  std::string title;
  std::string source;
  std::vector<Claim> claims;
  std::vector<GridStudy> grids;
  StudyFiles files = {};  // of other parts
};

std::vector<std::string_view> paper_names();

// The paper's file as text; InputError where there is none of that name.
std::string_view paper_text(const std::string& name);

// Runs what a paper's file says. InputError where it says it wrongly.
// `quick`: its reduced run, where it has one.
Study reproduce(const Tree& paper, bool quick, const RunOptions& options);

bool holds(const std::string& rule, double published, double ours, const SourceLocation& location);

std::string study_text(const Study& study);
nlohmann::ordered_json study_json(const Study& study);

}  // namespace loom
