// No topology carries a workload in less: a lower bound for n servers with d links each, whatever
// graph they form and however traffic is routed over it.
//
// It is the largest of
//   - the computations of a server, and the longest chain of them that wait for each other while
//     whatever is sent takes no time;
//   - what a server sends, or gets, over its d links together;
//   - the bytes that all links together carry: a server has d neighbours, at most d² servers at
//     distance two and so on (Moore's bound), so of what it sends at least the largest d parts go
//     one hop, the next d² two, … and the same of what it gets.
//
// Collectives may take any algorithm among their members, so they count with the least that any of
// them moves, over one hop each: an all-reduce of S among k moves 2(k-1)S in all (Patarasuk and
// Yuan, JPDC 2009), of which a member need send and get no more than S: the leaf of a tree does. An
// all-to-all and messages go from whom to whom they say. Latencies are left out.
#pragma once

#include "loom/workload/workload.h"

namespace loom {

struct TopologyBound {
  Duration compute{0};
  Duration servers{0};  // the busiest one's links
  Duration network{0};  // all links together

  Duration time() const;
};

// Of the whole workload, from its begin to its end; of its devices the first `servers` are on the
// network. Needs servers >= 1, degree >= 1 and link > 0.
TopologyBound topology_bound(const Workload& workload, int servers, int degree, Bandwidth link);

// The least sum of hops × bytes to different servers, for parts in any order.
double min_byte_hops(std::vector<std::int64_t> sizes, int degree);

}  // namespace loom
