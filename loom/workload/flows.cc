#include "loom/workload/flows.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/csv.h"
#include "loom/workload/ranks.h"

namespace loom::workload {
namespace {

constexpr CsvColumn kColumns[] = {
    {"start", ValueType::duration},        {"source", ValueType::integer},
    {"destination", ValueType::integer},   {"size", ValueType::size},
    {"weight", ValueType::integer, false},
};

int device(const CsvTable& table, std::size_t row, std::string_view column, int devices) {
  const int max_device = (devices == 0 ? kMaxDevices : devices) - 1;
  return static_cast<int>(table.integer(row, column, 0, max_device));
}

Operation flow(const CsvTable& table, std::size_t row, int devices) {
  Operation flow{.kind = OperationKind::message,
                 .source = device(table, row, "source", devices),
                 .destination = device(table, row, "destination", devices),
                 .size = table.size(row, "size"),
                 .start = table.duration(row, "start")};
  if (flow.source == flow.destination) {
    table.refuse(row, "destination", "a device other than the source is needed");
  }
  if (table.has("weight")) {
    flow.weight = static_cast<std::int32_t>(table.integer(row, "weight", 1, kMaxWeight));
  }
  return flow;
}

}  // namespace

Workload parse_flows(const std::string& text, const std::string& source, int devices) {
  const CsvTable table = parse_csv(text, source, kColumns);
  Workload workload;
  workload.devices = devices;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Operation added = flow(table, row, devices);
    workload.devices = std::max({workload.devices, added.source + 1, added.destination + 1});
    workload.operations.push_back(added);
  }
  return workload;
}

}  // namespace loom::workload
