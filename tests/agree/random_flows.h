// Flows over a random graph, drawn by chance, for comparing engines.
//
// Every flow has its own ways: walks over the graph, in which a step between two nodes may divide
// over the parallel links there are. A router that knows each flow by its key hands them out.
#pragma once

#include <vector>

#include "loom/base/random.h"
#include "loom/simulate/engine.h"
#include "tests/agree/water_filling.h"

namespace loom {

// What a case may contain.
struct FlowKinds {
  int max_flows = 40;
  Bytes min_size{1};
  int paths = 1;            // of each flow; the others are taken when links are down
  bool fixed_paths = true;  // the router does not ask which links are down
  bool split = false;
  bool weighted = false;
  bool latency = false;
  bool changes = false;
};

struct FlowCase {
  Network network;
  Workload workload;
  std::vector<LinkChange> changes;
  Sharing sharing = Sharing::fair;
  std::vector<std::vector<Route>> paths;  // by flow
};

FlowCase random_flows(const FlowKinds& kinds, Random& random);

// Gives the network a router that hands out `ways` as they are now.
void set_router(FlowCase& it, bool fixed_paths = true);

// From least to most, both included.
std::int64_t sample(Random& random, std::int64_t min, std::int64_t max);

// The same case for the oracle.
std::vector<oracle::Real> capacities_of(const FlowCase& it);
std::vector<oracle::Flow> flows_of(const FlowCase& it);
std::vector<oracle::Change> changes_of(const FlowCase& it);

}  // namespace loom
