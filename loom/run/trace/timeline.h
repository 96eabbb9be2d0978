// Writes the timeline of a run in the trace-event format of chrome://tracing and ui.perfetto.dev: a
// track per device (several if its messages overlap), and a counter per link with its load.
#pragma once

#include <memory>
#include <string>

#include "loom/fabric/network/network.h"
#include "loom/simulate/engine.h"

namespace loom::run {

class Timeline : public simulate::Observer {
 public:
  // Compresses the file with gzip if the path ends in .gz.
  Timeline(const std::string& path, const workload::Workload& workload,
           const fabric::Network& network);
  ~Timeline() override;

  void message(const simulate::MessageRecord& record) override;
  void compute(const simulate::ComputeRecord& record) override;
  void link_load(LinkId link, TimePoint at, Bandwidth load) override;

  // Completes the file and renames it to its path. Without this call, no file remains.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace loom::run
