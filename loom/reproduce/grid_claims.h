// A claim about the points of a grid: a number of some points over that of others.
//
//   - claim: in words
//     measure: training_seconds
//     where: {gpus: [1024]}                # only points with these values count
//     of: {fabric: [cluster]}              # the least measure of these points,
//     over: {fabric: [ring, ocs]}          # over the least of these, where all other axes agree
//     before: bandwidth                    # …but `over` has the value before on this axis
//     each: model                          # for each value of this axis
//     take: max                        # of all the ratios (or least)
//     then: min                          # of those taken for each
//     published: 1.3
//     rule: at least 1.3
#pragma once

#include "loom/reproduce/paper_grid.h"
#include "loom/reproduce/reproduce.h"
#include "loom/run/run.h"

namespace loom {

// `results` of the grid's points.
Claim judge_grid(const Tree& claim, const PaperGrid& grid, const std::vector<Report>& results);

}  // namespace loom
