// Lower bounds on the time that a collective takes.
//
// Most are bounds on the time that a rank spends in a collective, whatever the other ranks do.
//
// A rank sends only after it has joined, and leaves a phase only after its own messages have
// arrived. So a phase takes a rank at least as long as its own messages need on an idle network:
// the latency, and the time of the link that carries most of them. In a ring, a block moreover
// returns to its rank only after a whole round.
//
// The bounds are means over all ranks: a stage is as slow as its slowest device, which takes at
// least the mean. Unlike the time of an isolated collective, they hold if ranks come and go at
// different times.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"
#include "loom/workload/demand.h"
#include "loom/workload/workload.h"

namespace loom::plan {

// On a network, with the algorithm of the collective.
Duration mean_rank_bound(const workload::Collective& collective, const workload::Groups& groups,
                         const fabric::Network& network);

// On any circuits, with any algorithm: the bytes that ranks must send, at full egress bandwidth.
Duration mean_rank_bound(const workload::Collective& collective, int ranks,
                         const fabric::CircuitFabric& circuits);

// Lower bound on the time in which the network carries the demand: that of its busiest link. Zero
// if routes depend on a hash.
Duration busiest_link_bound(const fabric::Network& network, const workload::Demand& demand);

}  // namespace loom::plan
