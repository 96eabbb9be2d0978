// Test support for scheduling simulations: measured jobs on a network given as a line of text.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "loom/fabric/testing.h"
#include "loom/jobs/scheduler/free_devices.h"
#include "loom/jobs/scheduler/scheduling_simulation.h"

namespace loom::jobs {

inline constexpr const char* kTwoTiers =
    "kind: leaf_spine, gpus_per_leaf: 2, spines: 1, bandwidth: 50 Gbps, oversubscription: 2, "
    "routing: shortest";

inline JobKind ring_kind(std::vector<RingStage> stages) {
  JobKind kind;
  kind.name = "ring";
  kind.stages = std::move(stages);
  kind.batch = [](int devices) { return std::int64_t{devices} * 32; };
  return kind;
}

inline TraceJob trace_job(int kind, int devices, Duration arrival, std::int64_t iterations) {
  TraceJob job;
  job.name = "job";
  job.kind = kind;
  job.devices = job.max_devices = devices;
  job.arrival = arrival;
  job.iterations = iterations;
  return job;
}

inline SchedulingResult scheduling_of(const std::string& fabric, int devices,
                                      const ClusterTrace& trace, SchedulingOptions options = {}) {
  fabric::Network network = fabric::fabric_of(fabric, devices);
  options.rack = rack_size(network);
  const SharedNetwork cluster(std::move(network));
  PlacedProfiles profiles(cluster, trace.kinds);
  return simulate_scheduling(trace, profiles, options);
}

}  // namespace loom::jobs
