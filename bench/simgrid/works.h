// What is simulated by both: a collective over all devices of a network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/simulate/engine.h"

namespace loom::bench {

struct Goal {
  std::optional<int> ratio;  // SimGrid's CPU time over ours, at least
  std::optional<Duration> cpu;
  std::optional<Bytes> memory;
};

struct Work {
  std::string name;
  int devices;
  Collective collective;
  std::string fabric;
  Goal goal;
  bool by_simgrid;      // else by ours alone
  bool slow;            // SimGrid needs more than ten seconds
  bool folded = false;  // what is alike is followed once, else every message
};

std::vector<Work> all_works();
std::string describe(const Goal& goal);

Network network_of(const Work& work);
Workload workload_of(const Work& work);

// When the last message arrives.
Duration ours(const Work& work);
Duration simgrid(const Work& work);  // the fabric is a switch

}  // namespace loom::bench
