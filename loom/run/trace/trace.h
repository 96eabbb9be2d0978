// The trace of a run as CSV: every message and computation with its start and end. For a
// computation, source and destination are the same device.
#pragma once

#include <string>

#include "loom/simulate/engine.h"

namespace loom::run {

class TraceWriter : public simulate::Observer {
 public:
  TraceWriter();
  void message(const simulate::MessageRecord& record) override;
  void compute(const simulate::ComputeRecord& record) override;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Restores the outcome of a run of this workload from its trace, except for bytes per link, which a
// trace lacks.
simulate::Outcome read_trace(const std::string& text, const std::string& source,
                             const workload::Workload& workload);

}  // namespace loom::run
