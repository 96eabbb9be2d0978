// Lower bound on the time of a workload on any topology of n servers with d links each, with any
// routes. It is the maximum of
//   - the computation of one server, and the longest dependency chain with free communication;
//   - the time of the bytes that one server sends or receives on its d links;
//   - the time of the bytes on all links: at most d servers are at distance one, d² at distance two
//     and so on (Moore's bound), so at best the d largest messages take one hop, the next d² two, …
//
// Collectives may use any algorithm, so they count the minimum bytes over one hop each: an
// all-reduce of S among k ranks sends at least 2(k-1)S in total (Patarasuk and Yuan, JPDC 2009), of
// which a rank may send and receive only S (a leaf of a tree). All-to-alls and messages have fixed
// pairs. Ignores latencies.
#pragma once

#include "loom/workload/workload.h"

namespace loom::plan {

struct TopologyBound {
  Duration compute{0};
  Duration servers{0};  // time of the bytes on the links of the busiest server
  Duration network{0};  // time of the bytes on all links together

  Duration time() const;
};

// Lower bound on the time of the complete workload; only the first `servers` devices are on the
// network. Needs servers >= 1, degree >= 1 and link > 0.
TopologyBound topology_bound(const workload::Workload& workload, int servers, int degree,
                             Bandwidth link);

// The minimum sum of hops × bytes for messages of these sizes to distinct servers.
double min_byte_hops(std::vector<std::int64_t> sizes, int degree);

}  // namespace loom::plan
