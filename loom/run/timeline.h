// A run as a timeline for chrome://tracing and ui.perfetto.dev: a track per device (more where its
// messages overlap), and a counter per link with the rate it carries.
#pragma once

#include <memory>
#include <string>

#include "loom/fabric/network/network.h"
#include "loom/simulate/engine.h"

namespace loom {

class Timeline : public Observer {
 public:
  // Gzip where the path ends in .gz.
  Timeline(const std::string& path, const Workload& workload, const Network& network);
  ~Timeline() override;

  void message(const MessageRecord& record) override;
  void compute(const ComputeRecord& record) override;
  void link_load(int link, Duration at, Bandwidth load) override;

  // Ends the file and gives it its name. Without it nothing is left behind.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace loom
