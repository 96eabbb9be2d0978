// Reproduces a published study. papers/NAME.yaml gives the scenario, the cases that vary it, and
// the claims, each with the rule that decides whether it holds.
//
//   scenario: a scenario        cases: [{name: …, workload.layers: 24, …}]
//   claims: [{id, claim, measure, of: case, over: case, published, rule}]
//
// The value of a claim is the measure (metric.h) of one case, or its ratio between two cases.
// mean_error is the mean of |ours / published - 1| in percent over the previous claims. claim.h
// defines ids and rules.
//
// Instead of cases, a study may have a grid (paper_grid.h) with claims (grid_claims.h) and plots,
// jobs that share a link (sharing_study.h), a scheduling simulation (scheduling_claims.h), or
// `measured`, the name of a study in code (coded_study.h). A paper with several studies lists them
// as `sections`.
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

// Line charts over one axis, with one line per value of a second axis and one chart per value of a
// third.
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
  StudyFiles files = {};  // files of sections without a grid
};

std::vector<std::string_view> paper_names();

// The text of a paper's file. Throws InputError if there is no paper of that name.
std::string_view paper_text(const std::string& name);

// Runs the study in a paper's file. `quick` selects the reduced run, if there is one. Throws
// InputError if the file is malformed.
Study reproduce(const Tree& paper, bool quick, const run::RunOptions& options);

std::string study_text(const Study& study);
nlohmann::ordered_json study_json(const Study& study);

}  // namespace loom::reproduce
