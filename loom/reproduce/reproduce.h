// Reproduces a published study: papers/NAME.yaml gives the scenario, the cases that vary it, and
// the claims, each with the rule, fixed beforehand, by which it holds.
//
//   scenario: a scenario        cases: [{name: …, workload.layers: 24, …}]
//   claims: [{id, claim, measure, of: case, over: case, published, rule}]
//
// A measure (metric.h) is that of one case, or of one case over another; mean_error is the mean of
// |ours / published - 1| in percent over the previous claims. Ids and rules are those of claim.h.
//
// Instead of cases a study may have a grid (paper_grid.h) with claims about it (grid_claims.h) and
// plots, jobs that share a link (sharing_study.h), a scheduling simulation (scheduling_claims.h),
// or `measured`, a study run by code (coded_study.h). A paper with several studies lists them as
// `sections`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/tree.h"
#include "loom/reproduce/claim.h"
#include "loom/reproduce/paper_grid.h"
#include "loom/run/run.h"

namespace loom::reproduce {

// Line charts over one axis: a series per value of a second, a chart per value of a third.
struct GridPlot {
  std::string file;
  std::string measure;
  std::string x;
  std::string series;
  std::string each;                                             // "": one chart
  std::vector<std::pair<std::string, std::string>> where = {};  // axis and value
};

struct GridStudy {
  PaperGrid grid;
  std::vector<run::Report> results;
  std::vector<GridPlot> plots;
};

// Tables and charts of a section without a grid: names and contents.
using StudyFiles = std::vector<std::pair<std::string, std::string>>;

struct Study {
  std::string title;
  std::string source;
  std::vector<Verdict> verdicts;  // one per claim, in order
  std::vector<GridStudy> grids;
  StudyFiles files = {};  // of other sections
};

std::vector<std::string_view> paper_names();

// The paper's file as text. InputError if there is none of that name.
std::string_view paper_text(const std::string& name);

// Runs the study in a paper's file. InputError if the file is malformed. `quick` selects the
// reduced run, if there is one.
Study reproduce(const Tree& paper, bool quick, const run::RunOptions& options);

std::string study_text(const Study& study);
nlohmann::ordered_json study_json(const Study& study);

}  // namespace loom::reproduce
