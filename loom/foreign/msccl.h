// Writes ring collectives as MSCCL algorithms: which rank sends which chunk to whom, in which
// order.
//
// MSCCL (Cowan et al., ASPLOS 2023) replaces NCCL's algorithms by an XML file: thread blocks per
// GPU, each with one peer to send to and one to receive from on a channel, and their steps. Each
// ring is a channel; the buffer is divided into rings × ranks chunks.
#pragma once

#include <optional>
#include <string>

#include "loom/workload/collective.h"

namespace loom::foreign {

// Why the collective cannot be written. Supported: all_reduce, reduce_scatter or all_gather by
// ring, bidirectional_ring or rings over at least two ranks.
std::optional<Infeasible> msccl_objection(const workload::Collective& collective, int ranks);

std::string msccl_xml(const workload::Collective& collective, int ranks);

}  // namespace loom::foreign
