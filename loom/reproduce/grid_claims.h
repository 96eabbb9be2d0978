// A claim about the points of a grid: the ratio of a measure between two sets of points.
//
//   - id: gain-over-cluster
//     claim: in words
//     measure: training_seconds
//     where: {gpus: [1024]}                # considers only points with these values
//     of: {fabric: [cluster]}              # the minimum of these points,
//     over: {fabric: [ring, ocs]}          # over the minimum of these, all other axes equal
//     before: bandwidth                    # …but `over` has the previous value on this axis
//     each: model                          # for each value of this axis
//     take: max                            # of all the ratios (or min)
//     then: min                            # of those, over the values of `each`
//     published: 1.3
//     rule: at least 1.3
#pragma once

#include "loom/reproduce/claim.h"
#include "loom/reproduce/paper_grid.h"
#include "loom/run/run.h"

namespace loom::reproduce {

std::vector<ClaimEntry> read_grid_claims(const Tree& section);

// Computes the value for the claim. `reports` has one entry per point of the grid, in order. Throws
// InputError if the claim names an axis that the grid lacks.
Found measure_grid(const ClaimEntry& claim, const PaperGrid& grid,
                   const std::vector<run::Report>& reports);

}  // namespace loom::reproduce
