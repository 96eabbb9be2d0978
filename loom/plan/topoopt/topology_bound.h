// Lower bound on the time of a workload on any topology of n servers with d links each, under any
// routing. It is the maximum of
//   - the computation of one server, and the longest dependency chain with free communication;
//   - the bytes one server sends or receives, over its d links;
//   - the bytes of all links: a server has d neighbors, at most d² servers at distance two and so
//     on (Moore's bound), so at best its d largest messages take one hop, the next d² two, …
//
// Collectives may use any algorithm, so they count the minimum over one hop each: an all-reduce of
// S among k ranks moves 2(k-1)S in total (Patarasuk and Yuan, JPDC 2009), of which one rank, as the
// leaf of a tree, sends and receives only S. All-to-alls and messages have fixed pairs. Ignores
// latencies.
#pragma once

#include "loom/workload/workload.h"

namespace loom::plan {

struct TopologyBound {
  Duration compute{0};
  Duration servers{0};  // links of the busiest server
  Duration network{0};  // all links together

  Duration time() const;
};

// For the complete workload, from start to end; only the first `servers` devices are on the
// network. Needs servers >= 1, degree >= 1 and link > 0.
TopologyBound topology_bound(const workload::Workload& workload, int servers, int degree,
                             Bandwidth link);

// The minimum sum of hops × bytes for messages of these sizes to distinct servers.
double min_byte_hops(std::vector<std::int64_t> sizes, int degree);

}  // namespace loom::plan
