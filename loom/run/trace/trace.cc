#include "loom/run/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "loom/base/csv.h"

namespace loom::run {

TraceWriter::TraceWriter() : text_("operation,source,destination,size [B],start [ps],end [ps]\n") {}

void TraceWriter::message(const simulate::MessageRecord& record) {
  text_ +=
      fmt::format("{},{},{},{},{},{}\n", record.operation, record.source, record.destination,
                  record.size.count, elapsed(record.start).count(), elapsed(record.end).count());
}

void TraceWriter::compute(const simulate::ComputeRecord& record) {
  message({.operation = record.operation,
           .source = record.device,
           .destination = record.device,
           .size = Bytes{0},
           .start = record.start,
           .end = record.end});
}

simulate::Outcome read_trace(const std::string& text, const std::string& source,
                             const workload::Workload& workload) {
  constexpr std::array kColumns = {
      CsvColumn{"operation", ValueType::integer},   CsvColumn{"source", ValueType::integer},
      CsvColumn{"destination", ValueType::integer}, CsvColumn{"size", ValueType::size},
      CsvColumn{"start", ValueType::duration},      CsvColumn{"end", ValueType::duration}};
  const CsvTable table = parse_csv(text, source, kColumns);
  const auto operations = static_cast<std::int64_t>(workload.operations.size());
  constexpr Bytes kMaxBytes{std::numeric_limits<std::int64_t>::max() - kLargestSize.count};
  simulate::Outcome outcome;
  outcome.operation_end.assign(workload.operations.size(), TimePoint());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto operation =
        static_cast<std::size_t>(table.integer(row, "operation", 0, operations - 1));
    const TimePoint end(table.duration(row, "end"));
    if (elapsed(end) < table.duration(row, "start")) {
      table.refuse(row, "end",
                   fmt::format("an end after the start at {} is needed",
                               exact(table.duration(row, "start"))));
    }
    const auto from = table.integer(row, "source", 0, workload.devices - 1);
    const auto to = table.integer(row, "destination", 0, workload.devices - 1);
    outcome.operation_end[operation] = std::max(outcome.operation_end[operation], end);
    outcome.completion_time = std::max(outcome.completion_time, elapsed(end));
    if (outcome.bytes > kMaxBytes)
      table.refuse(row, "size", "a total of at most 9223 PB is needed");
    outcome.bytes += table.size(row, "size");
    outcome.messages += from == to ? 0 : 1;
  }
  return outcome;
}

}  // namespace loom::run
