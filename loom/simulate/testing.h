// Test support for the engines: workloads and link changes from text, and an observer that records
// everything as text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "loom/fabric/testing.h"
#include "loom/simulate/engine.h"

namespace loom::simulate {

// A workload from text; each of `operations` is the inside of one map of the list.
inline workload::Workload workload_of(int devices, const std::vector<std::string>& operations,
                                      const std::string& groups = "") {
  std::string text = fmt::format("devices: {}\n{}operations:\n", devices, groups);
  for (const std::string& operation : operations) text += "  - {" + operation + "}\n";
  return workload::parse_workload(text, "test.yaml");
}

inline LinkChange change(Duration at, int link, Bandwidth bandwidth) {
  return {TimePoint(at), LinkId(link), bandwidth};
}

// Runs the fluid engine with its invariants checked at every event.
inline Outcome run_fluid(const workload::Workload& workload, const fabric::Network& network,
                         const std::vector<LinkChange>& changes = {},
                         transport::Sharing sharing = transport::Sharing::fair,
                         Observer* observer = nullptr) {
  EngineOptions options;
  options.sharing = sharing;
  options.verify = true;
  options.observer = observer;
  return simulate_fluid(workload, network, changes, options);
}

inline std::vector<Duration> ends_of(const Outcome& outcome) {
  std::vector<Duration> ends;
  for (const TimePoint end : outcome.operation_end) ends.push_back(elapsed(end));
  return ends;
}

// Runs the fluid engine; returns the end times of all operations.
inline std::vector<Duration> ends_of(const workload::Workload& workload,
                                     const fabric::Network& network,
                                     const std::vector<LinkChange>& changes = {},
                                     transport::Sharing sharing = transport::Sharing::fair) {
  const Outcome outcome = run_fluid(workload, network, changes, sharing);
  EXPECT_FALSE(outcome.deadlock.has_value());
  return ends_of(outcome);
}

using Durations = std::vector<Duration>;

// Records every report as text.
class Recorder final : public Observer {
 public:
  void message(const MessageRecord& it) override {
    text += fmt::format("#{} {}->{} {}: {} to {}\n", it.operation, it.source, it.destination,
                        exact(it.size), exact(elapsed(it.start)), exact(elapsed(it.end)));
  }
  void compute(const ComputeRecord& it) override {
    text += fmt::format("#{} on {}: {} to {}\n", it.operation, it.device, exact(elapsed(it.start)),
                        exact(elapsed(it.end)));
  }
  void link_load(LinkId link, TimePoint at, Bandwidth load) override {
    if (with_loads)
      text += fmt::format("link {} at {}: {}\n", link, exact(elapsed(at)), exact(load));
  }

  bool with_loads = false;
  std::string text;
};

}  // namespace loom::simulate
