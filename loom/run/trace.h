// The trace stage as text: every message and computation with its start and end, in CSV. The source
// of a computation is its destination too.
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

// What the trace of a run of this workload says of its outcome. Links are not in it.
Outcome read_trace(const std::string& text, const std::string& source, const Workload& workload);

}  // namespace loom
