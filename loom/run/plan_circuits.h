// Plans circuits for a workload that is given as operations.
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

// Plans the workload on the fabric's network, or on circuits provisioned for its total demand.
PlannedOrNot plan_given(workload::Workload workload, const Fabric& fabric, WorkPlan work);

// Circuits that are provisioned again every period. The initial circuits serve the messages that
// can start immediately; for a training job, all messages.
struct PeriodicCircuits {
  PlannedCircuits circuits;
  fabric::Network network;  // one link per pair that may ever have a circuit
};

std::variant<PeriodicCircuits, Infeasible> plan_periodic(fabric::CircuitFabric fabric,
                                                         const workload::Workload& workload,
                                                         bool trains);

}  // namespace loom::run
