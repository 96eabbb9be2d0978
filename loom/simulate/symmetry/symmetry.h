// Symmetry detection: partitions the devices, links and channels of a run into equivalence classes,
// so that the fluid engine simulates one of each class (quotient.h).
//
// Method: color refinement, which finds the coarsest equitable partition (the relational coarsest
// partition of Paige and Tarjan, 1987). Neighbors are summed as 64-bit hashes, in any order; two
// different sums collide with probability 2^-64. A round costs O(1) per hop of each channel, some
// tens of nanoseconds, and stores only the channels of the current group. If the collectives match
// the structure of the fabric, the first round splits nothing and is the only one. No automorphism
// has to be found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/simulate/engine.h"
#include "loom/simulate/symmetry/patterns.h"

namespace loom::simulate {

struct ChannelClass {
  int pattern = 0;
  int phase = 0;
  workload::Channel channel;  // one of the class; its ranks are those of its group
  int source = 0;             // class of devices
  int destination = 0;
  std::int64_t count = 0;
  Bandwidth first_link;  // of the link by which it leaves its source
  // The route over classes of links; a share is the load that one link gets from all channels of
  // the class.
  fabric::Route route;
  std::vector<workload::Wait> waits;  // for classes of channels
};

struct Symmetry {
  std::vector<int> device_class;  // numbered by the lowest device of each class
  std::vector<int> link_class;    // likewise, by the lowest link
  int device_classes = 0;
  int link_classes = 0;
  Patterns patterns;
  std::vector<ChannelClass> channels;
};

// A partition is equitable if
//   - devices of a class are in the same Groups, and equally many channels of each class leave and
//     reach them;
//   - links of a class have the same bandwidth at all times, and equally many channels of each
//     class cross them with the same shares;
//   - channels of a class belong to the same phase of the same collective over the same Groups,
//     carry messages of the same sizes, connect the same two classes of devices, have routes of
//     equal latency with equal shares of links of the same classes, and wait for channels of the
//     same classes with the same lags.
//
// Then all members of a class do the same at the same times, by induction over events. What may
// start next follows from waits, joins and ends, which are the same throughout a class. Max-min
// rates are unique, and rates that are equal throughout each class are max-min: every channel keeps
// its bottleneck. Rounding is the same, too, because the arithmetic of the engine for a link
// depends only on its capacity and the weights on it. So the next event happens to all members of a
// class at once.
//
// Refinement starts with one color for all objects that look the same in isolation. It splits a
// color whose members have differently colored neighbors, until nothing changes.
//
// Returns nothing if there would be more than half as many classes as channels, or if refinement
// does not end within a few rounds. Requires computations and collectives only, links that stay up
// (or circuits reconfigured by a plan), and routes that do not depend on a hash.
std::optional<Symmetry> find_symmetry(const workload::Workload& workload,
                                      const fabric::Network& network,
                                      std::span<const LinkChange> changes,
                                      const fabric::CircuitPlan* plan = nullptr);

}  // namespace loom::simulate
