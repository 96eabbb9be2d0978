// The trace of a run as CSV: every message and computation with its start and end. For a
// computation, source and destination are the same device.
#pragma once

#include <string>

#include "loom/simulate/engine.h"

namespace loom {

class TraceWriter : public Observer {
 public:
  TraceWriter();
  void message(const MessageRecord& record) override;
  void compute(const ComputeRecord& record) override;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The outcome of a run of this workload, from its trace. A trace does not contain links.
Outcome read_trace(const std::string& text, const std::string& source, const Workload& workload);

}  // namespace loom
