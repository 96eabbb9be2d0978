// Writes ring collectives as MSCCL algorithms, which list the chunks that each rank sends and
// receives in each step.
//
// MSCCL (Cowan et al., ASPLOS 2023) replaces NCCL's algorithms by an XML file. The file lists the
// thread blocks of each GPU and their steps; a thread block sends to one peer and receives from one
// peer on one channel. Here, each ring is a channel, and the buffer is divided into rings × ranks
// chunks.
#pragma once

#include <optional>
#include <string>

#include "loom/workload/collective.h"

namespace loom::foreign {

// The reason why the collective cannot be written; nullopt if it can. Supported: all_reduce,
// reduce_scatter or all_gather by ring, bidirectional_ring or rings over at least two ranks.
std::optional<Infeasible> msccl_objection(const workload::Collective& collective, int ranks);

std::string msccl_xml(const workload::Collective& collective, int ranks);

}  // namespace loom::foreign
