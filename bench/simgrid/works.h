// The workloads that both simulators run: one collective over all devices of a network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/simulate/engine.h"

namespace loom::bench {

struct Goal {
  std::optional<int> ratio;  // minimum of SimGrid's CPU time over ours
  std::optional<Duration> cpu;
  std::optional<Bytes> memory;
};

struct Work {
  std::string name;
  int devices;
  workload::Collective collective;
  std::string fabric;
  Goal goal;
  bool by_simgrid;      // else only our engine runs it
  bool slow;            // SimGrid needs more than ten seconds
  bool folded = false;  // equivalent ranks are simulated once
};

std::vector<Work> all_works();
std::string describe(const Goal& goal);

fabric::Network network_of(const Work& work);
workload::Workload workload_of(const Work& work);

// Arrival time of the last message.
Duration ours(const Work& work);
Duration simgrid(const Work& work);  // the fabric is a switch

}  // namespace loom::bench
