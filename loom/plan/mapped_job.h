// A job on a network, and the iteration time that the coarse engine predicts for it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/network/network.h"
#include "loom/place/lower.h"
#include "loom/simulate/isolated_times.h"
#include "loom/transport/sharing.h"

namespace loom::plan {

// A job lowered to operations, and the network that carries it.
struct MappedJob {
  place::LoweredJob lowered;
  std::shared_ptr<const fabric::Network> network;
  std::optional<fabric::Provisioned> provisioned;  // if the network consists of circuits
  std::optional<Infeasible> infeasible;            // why no network can carry the job
  simulate::IsolatedTimes* times = nullptr;        // of collectives on the network, if shared
  transport::Sharing sharing = transport::Sharing::fair;  // of its links
  std::optional<Duration> predicted = {};                 // iteration time, if it is known
};

// Iteration time predicted by the coarse engine; the job must have a network.
Duration predicted_time(const MappedJob& job);

// Time from the end of the second-to-last iteration to the end of the last.
Duration iteration_time(const place::LoweredJob& job, const std::vector<TimePoint>& operation_end);

}  // namespace loom::plan
