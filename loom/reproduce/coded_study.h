// Published studies that no scenario can say: code runs them and leaves numbers with names.
//
//   measured: lightning_serving
//   claims: [{claim, measure, published, rule, reason}]
//
// A measure is one of those numbers; `reason` is printed where the claim does not hold.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "loom/base/tree.h"
#include "loom/reproduce/reproduce.h"
#include "loom/run/run.h"

namespace loom {

struct Measured {
  std::map<std::string, double, std::less<>> numbers;
  // Of those that runs leave unsure: where 95 % of such intervals hold the true mean.
  std::map<std::string, std::pair<double, double>, std::less<>> intervals;
  std::vector<std::pair<std::string, std::string>> files;  // names and contents, for --output
};

// What the studies are, by name.
Measured measure_lightning_serving(bool quick, const RunOptions& options);

// Runs the part of a paper that has `measured`, and judges its claims. InputError where a name is
// not known.
void run_measured(const Tree& section, bool quick, const RunOptions& options, Study& study);

}  // namespace loom
