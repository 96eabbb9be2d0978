// Which devices, links and channels of a run are alike, so that one of each stands for all.
//
// A partition of devices, links and channels into classes is equitable if
//   - devices of a class are in the same Groups, and as many channels of each class leave and reach
//     them;
//   - links of a class have the same bandwidth at all times, and each is crossed by as many
//   channels
//     of each class, with the same shares;
//   - channels of a class belong to the same phase of the same collective over the same Groups,
//   carry
//     messages of the same sizes, lead from one class of devices to one other, have ways of the
//     same latency with the same shares of links of the same classes, and wait for channels of the
//     same classes with the same lags.
// Then all of a class do the same at the same times. For suppose they did so far. What may start
// now is said by waits, joins and ends that are the same throughout a class. Max-min rates are
// unique, and giving all of a class the rate that max-min gives to one of it on links with as many
// of each class is max-min: every channel keeps its bottleneck. Even roundings are the same, since
// what the engine computes for a link depends on its capacity and the weights over it only. So the
// next thing happens to all of a class at the same moment. (Paige and Tarjan, 1987, call it
// relational coarsest partition; as colour refinement it is the first step of every test for
// isomorphic graphs. A symmetry of workload and fabric gives such a partition, but none is needed.)
//
// The coarsest one is found by colour refinement: at first all that looks alike on its own has one
// colour, then whoever has neighbours of other colours or in other numbers gets another one, until
// nothing changes. Neighbours are added up as 64-bit hashes, in any order; two sums that should
// differ are equal with a chance of 2^-64. A round costs O(1) for each hop of each channel, some
// tens of nanoseconds, and holds nothing by channel except of the group at hand. Where collectives
// and fabric suit each other the first round finds nothing to split and is the only one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/simulate/engine.h"
#include "loom/simulate/symmetry/patterns.h"

namespace loom {

struct ChannelClass {
  int pattern = 0;
  int phase = 0;
  Channel channel;  // one of them; its ranks are those of its group
  int source = 0;   // class of devices
  int destination = 0;
  std::int64_t count = 0;
  Route route;  // over classes of links; shares as one link of the class has of them all
  std::vector<Wait> waits;  // for classes
};

struct Symmetry {
  std::vector<int> device_class;  // in the order of the lowest device of each class
  std::vector<int> link_class;    // likewise
  int device_classes = 0;
  int link_classes = 0;
  Patterns patterns;
  std::vector<ChannelClass> channels;
};

// Nothing where classes would be more than half as many as channels, or are not found in few
// rounds. Needs computations and collectives only, links that stay up (or circuits that move by a
// plan), and ways that do not depend on a hash.
std::optional<Symmetry> find_symmetry(const Workload& workload, const Network& network,
                                      std::span<const LinkChange> changes,
                                      const CircuitPlan* plan = nullptr);

}  // namespace loom
