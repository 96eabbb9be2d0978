#include "loom/report/circuit_explanation_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "loom/report/table.h"

namespace loom::report {
namespace {

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string ports_text(double count, double all) {
  return fmt::format("{:.1f} of {:.1f}", count, all);
}

double share_of(Duration time, Duration all) {
  return all.count() > 0 ? seconds(time) / seconds(all) : 0;
}

Bytes whole_bytes(double bytes) { return {static_cast<std::int64_t>(bytes)}; }

Table kinds_table(const run::CircuitExplanation& it, Duration iteration) {
  Table table{{"traffic", "ports", "bytes", "in_progress", "used_then", "critical_path"}, {}};
  for (const run::KindUse& use : it.kinds) {
    table.rows.push_back({use.kind, ports_text(use.ports, it.ports), whole_bytes(use.bytes),
                          use.active, whole_percent(use.used),
                          whole_percent(share_of(use.on_path, iteration))});
  }
  return table;
}

std::string state_name(const run::CircuitState& state) {
  return state.kinds.empty() ? "nothing" : fmt::format("{}", fmt::join(state.kinds, ", "));
}

Table states_table(const run::CircuitExplanation& it, Duration iteration) {
  Table table{{"in_progress", "time", "share", "idle_ports"}, {}};
  for (const run::CircuitState& state : it.states) {
    table.rows.push_back({state_name(state), state.time,
                          whole_percent(share_of(state.time, iteration)),
                          ports_text(state.idle_ports, it.ports)});
  }
  return table;
}

std::string bytes_text(const run::CircuitUse& use) {
  std::string text;
  for (const auto& [kind, bytes] : use.bytes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind, readable(whole_bytes(bytes)));
  }
  return text.empty() ? "nothing" : text;
}

// The circuits that leave this device.
Table circuits_table(const run::CircuitExplanation& it, int device, std::size_t max_rows) {
  const bool sets = std::any_of(it.circuits.begin(), it.circuits.end(),
                                [](const run::CircuitUse& use) { return use.set > 0; });
  Table table{{"to", "circuits", "used", "carries"}, {}};
  if (sets) table.columns.insert(table.columns.begin(), "set");
  for (const run::CircuitUse& use : it.circuits) {
    if (use.from != device || table.rows.size() == max_rows) continue;
    std::vector<Cell> row = {std::int64_t{use.to}, std::int64_t{use.circuits},
                             whole_percent(use.used), bytes_text(use)};
    if (sets) row.insert(row.begin(), static_cast<std::int64_t>(use.set));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The kind that the job waits for longest, unless hardly anything waits.
std::string shortage(const run::CircuitExplanation& it, Duration iteration) {
  constexpr double kShort = 0.05;
  if (it.kinds.empty() || share_of(it.kinds.front().on_path, iteration) < kShort) {
    return "No kind of traffic is short of ports: the job hardly waits for communication.\n";
  }
  const run::KindUse& first = it.kinds.front();
  return fmt::format(
      "Short of ports: {}. It makes up {} of the critical path and has {:.1f} of {:.1f} ports, "
      "which are\n{} used while it is in progress.\n",
      first.kind, whole_percent(share_of(first.on_path, iteration)), first.ports, it.ports,
      whole_percent(first.used));
}

}  // namespace

std::string circuit_explanation_text(const run::Report& report) {
  if (!report.circuit_explanation) return "";
  const run::CircuitExplanation& it = *report.circuit_explanation;
  const Duration iteration = report.time();
  constexpr std::size_t kShown = 16;
  std::string text =
      "\nports of a device by kind of traffic (a port may carry several), in one iteration:\n" +
      to_text(kinds_table(it, iteration));
  text += shortage(it, iteration);
  text += fmt::format("\nwhen ports are idle (circuits carry bytes for {} of the time):\n",
                      whole_percent(it.used)) +
          to_text(states_table(it, iteration));
  text += "\ncircuits of device 0, in one iteration:\n" + to_text(circuits_table(it, 0, kShown));
  return text;
}

void add_circuit_explanation_json(const run::Report& report, nlohmann::ordered_json& json) {
  if (!report.circuit_explanation) return;
  const run::CircuitExplanation& it = *report.circuit_explanation;
  auto kinds = nlohmann::ordered_json::array();
  for (const run::KindUse& use : it.kinds) {
    kinds.push_back({{"kind", use.kind},
                     {"ports", use.ports},
                     {"bytes", whole_bytes(use.bytes).count},
                     {"in_progress", use.active.count()},
                     {"used_in_progress", use.used},
                     {"critical_path", use.on_path.count()}});
  }
  auto states = nlohmann::ordered_json::array();
  for (const run::CircuitState& state : it.states) {
    states.push_back(
        {{"kinds", state.kinds}, {"time", state.time.count()}, {"idle_ports", state.idle_ports}});
  }
  auto circuits = nlohmann::ordered_json::array();
  for (const run::CircuitUse& use : it.circuits) {
    auto bytes = nlohmann::ordered_json::object();
    for (const auto& [kind, count] : use.bytes) bytes[kind] = whole_bytes(count).count;
    circuits.push_back({{"from", use.from},
                        {"to", use.to},
                        {"set", use.set},
                        {"circuits", use.circuits},
                        {"bytes", std::move(bytes)},
                        {"used", use.used}});
  }
  json["ports"] = {{"of_device", it.ports}, {"used", it.used}};
  json["traffic_kinds"] = std::move(kinds);
  json["port_states"] = std::move(states);
  json["circuit_use"] = std::move(circuits);
}

}  // namespace loom::report
