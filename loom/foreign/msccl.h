// Collectives over rings as MSCCL reads them: which rank sends what to whom, in which order.
//
// MSCCL (Cowan et al., ASPLOS 2023) runs in place of NCCL's own algorithms what an XML file says:
// for every GPU thread blocks, each with one peer to send to and one to receive from on a channel,
// and their steps. A ring is a channel; the buffer is cut into rings × ranks chunks.
#pragma once

#include <string>

#include "loom/workload/collective.h"

namespace loom {

// Needs an all_reduce, reduce_scatter or all_gather by ring, two_way_ring or rings over at least
// two ranks, or says why not.
std::string msccl_objection(const Collective& collective, int ranks);

std::string msccl_xml(const Collective& collective, int ranks);

}  // namespace loom
