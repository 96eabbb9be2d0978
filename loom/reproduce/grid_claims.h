// A claim about the points of a grid: a measure of some points over that of others.
//
//   - claim: in words
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

#include "loom/reproduce/paper_grid.h"
#include "loom/reproduce/reproduce.h"
#include "loom/run/run.h"

namespace loom {

// `reports` has one entry per point of the grid, in order.
Claim judge_grid(const Tree& claim, const PaperGrid& grid, const std::vector<Report>& reports);

}  // namespace loom
