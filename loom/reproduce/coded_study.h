// Published studies that no scenario can express: a function runs each and returns named numbers.
//
//   measured: lightning_serving
//   claims: [{id, claim, measure, published, rule, reason}]
//
// `measure` names one of these numbers; `reason` is printed if the claim does not hold.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "loom/base/tree.h"
#include "loom/reproduce/reproduce.h"
#include "loom/run/run.h"

namespace loom::reproduce {

struct Measured {
  std::map<std::string, double, std::less<>> numbers;
  // 95 % confidence intervals of the numbers that are estimated over several runs.
  std::map<std::string, ConfidenceInterval, std::less<>> intervals;
  std::vector<std::pair<std::string, std::string>> files;  // name and content, for --output
};

// The studies that `measured` can name.
Measured measure_lightning_serving(bool quick, const run::RunOptions& options);

// Runs a section of a paper that has `measured`, and judges its claims. Throws InputError if the
// section names an unknown study or number.
void run_measured(const Tree& section, bool quick, const run::RunOptions& options, Study& study);

}  // namespace loom::reproduce
