// Random flows over random graphs, for comparing engines.
//
// Every flow has its own paths: walks over the graph, in which a step between two nodes may split
// over parallel links. A router that identifies flows by key returns them.
#pragma once

#include <vector>

#include "loom/base/random.h"
#include "loom/simulate/engine.h"
#include "tests/agree/water_filling.h"

namespace loom {

// Features that a case may contain.
struct FlowKinds {
  int max_flows = 40;
  Bytes min_size{1};
  int paths = 1;            // per flow; the others are used when links are down
  bool fixed_paths = true;  // the router ignores which links are down
  bool split = false;
  bool weighted = false;
  bool latency = false;
  bool changes = false;
};

struct FlowCase {
  fabric::Network network;
  workload::Workload workload;
  std::vector<simulate::LinkChange> changes;
  transport::Sharing sharing = transport::Sharing::fair;
  std::vector<std::vector<fabric::Route>> paths;  // per flow
};

FlowCase random_flows(const FlowKinds& kinds, Random& random);

// Gives the network a router that returns the current `paths`.
void set_router(FlowCase& it, bool fixed_paths = true);

// A sample from min to max, inclusive.
std::int64_t sample(Random& random, std::int64_t min, std::int64_t max);

// The same case for the oracle.
std::vector<oracle::Real> capacities_of(const FlowCase& it);
std::vector<oracle::Flow> flows_of(const FlowCase& it);
std::vector<oracle::Change> changes_of(const FlowCase& it);

}  // namespace loom
