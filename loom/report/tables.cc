#include "loom/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/report/circuit_tables.h"
#include "loom/report/collective_cells.h"
#include "loom/report/colocated_tables.h"
#include "loom/report/job_tables.h"
#include "loom/scenario/job_settings.h"

namespace loom {
namespace {

// As nccl-tests prints it.
std::string gigabytes_per_second(Bandwidth rate) {
  return fmt::format("{:.2f} GB/s", static_cast<double>(rate.bits_per_second) / 8e9);
}

void add_collective_facts(const Result& result, Facts& facts) {
  if (!result.collective) return;
  const Duration time = result.outcome.completion_time;
  facts.emplace_back("collective", std::string(name_of(result.collective->kind)));
  facts.emplace_back("algorithm", algorithm_text(*result.collective));
  facts.emplace_back("ranks", static_cast<std::int64_t>(result.ranks));
  if (!result.collective->sizes.empty()) return;
  facts.emplace_back("size", result.collective->size);
  if (time.count() == 0) return;
  facts.emplace_back("algorithm_bandwidth", algorithm_bandwidth(*result.collective, time));
  facts.emplace_back("bus_bandwidth", bus_bandwidth(*result.collective, result.ranks, time));
}

// What messages that ask before they are sent cost in control.
void add_grant_facts(const GrantTally& tally, Facts& facts) {
  const auto devices = static_cast<double>(tally.sent.size());
  facts.emplace_back("control_messages", tally.messages());
  facts.emplace_back("control_messages_per_device",
                     static_cast<double>(tally.messages()) / devices);
  facts.emplace_back("most_control_messages_of_a_device",
                     *std::max_element(tally.sent.begin(), tally.sent.end()));
  facts.emplace_back("grants_declined", tally.declines);
  facts.emplace_back("forwarded_messages", tally.forwarded);
  facts.emplace_back("longest_wait_for_a_grant", tally.longest_wait);
}

Facts facts_of(const Result& result) {
  Facts facts;
  if (result.job) add_job_facts(result, facts);
  if (result.scenario.replays()) facts.emplace_back("iteration_time", result.time());
  if (result.jobs) add_jobs_facts(result, facts);
  facts.emplace_back("completion_time", result.outcome.completion_time);
  facts.emplace_back("fabric", result.fabric());
  facts.emplace_back("engine", std::string(result.engine == Engine::fluid ? "fluid" : "analytic"));
  facts.emplace_back("devices", static_cast<std::int64_t>(result.devices));
  add_collective_facts(result, facts);
  if (result.cost) {
    facts.emplace_back("cost", result.cost->price);
    facts.emplace_back("power", result.cost->power);
  }
  if (result.circuits) {
    for (auto& fact : circuit_facts(*result.circuits)) facts.push_back(std::move(fact));
  }
  if (result.outcome.grants) add_grant_facts(*result.outcome.grants, facts);
  if (result.use) {
    for (auto& fact : network_use_facts(*result.use, result.jobs.has_value()))
      facts.push_back(std::move(fact));
  }
  facts.emplace_back("messages", result.outcome.messages);
  facts.emplace_back("bytes", result.outcome.bytes);
  return facts;
}

Table considered_table(const Result& result) {
  Table table{{"algorithm", "predicted", "versus_best"}, {}};
  for (const AlgorithmEstimate& it : result.considered) {
    table.rows.push_back({algorithm_text(it.collective), it.predicted,
                          versus(it.predicted, result.considered.front().predicted)});
  }
  return table;
}

// The smallest value that at least p of all do not exceed (nearest rank).
double percentile(const std::vector<double>& sorted, double p) {
  const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

Facts slowdown_facts(const Result& result) {
  std::vector<double> slowdowns;
  for (const FlowResult& flow : result.flows) slowdowns.push_back(flow.slowdown());
  std::sort(slowdowns.begin(), slowdowns.end());
  if (slowdowns.empty()) return {};
  return {{"p50", percentile(slowdowns, 0.5)},
          {"p90", percentile(slowdowns, 0.9)},
          {"p99", percentile(slowdowns, 0.99)},
          {"max", slowdowns.back()}};
}

}  // namespace

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  for (const Parameter& it : parameters) {
    if (it.name == name) return &it;
  }
  return nullptr;
}

Cell typed_cell(const Parameter* parameter, const std::string& text) {
  std::string why;
  if (parameter == nullptr || (parameter->automatic && text == "auto")) return text;
  switch (parameter->type) {
    case ValueType::size:
      return parse_bytes(text, why).value();
    case ValueType::bandwidth:
      return parse_bandwidth(text, why).value();
    case ValueType::duration:
      return parse_duration(text, why).value();
    case ValueType::integer:
      return std::int64_t{std::stoll(text)};
    default:
      return text;
  }
}

std::string heading(const std::string& path, const std::vector<std::string>& all) {
  const std::string last = path.substr(path.rfind('.') + 1);
  const auto same = std::count_if(all.begin(), all.end(), [&](const std::string& other) {
    return other.substr(other.rfind('.') + 1) == last;
  });
  return same > 1 ? path : last;
}

Table busiest_table(const Result& result) {
  Table table{{"link", "bytes", "utilization"}, {}};
  constexpr std::size_t kShown = 5;
  for (const LinkUse& use : result.busiest) {
    if (table.rows.size() == kShown) break;
    table.rows.push_back({use.link, use.bytes, use.utilization});
  }
  return table;
}

Facts job_facts(const Result& result) { return facts_of(result); }

std::string result_text(const Result& result) {
  std::string text = to_text(facts_of(result));
  if (result.job) text += job_text(*result.job);
  if (result.jobs) text += jobs_text(*result.jobs);
  if (result.circuits && result.circuits->loss_budget && result.circuits->longest > 0) {
    const int longest = result.circuits->longest;
    text += fmt::format("\nlight on the longest circuit, {} segment{}, without amplifiers:\n",
                        longest, longest == 1 ? "" : "s") +
            to_text(loss_table(*result.circuits));
  }
  if (!result.considered.empty()) {
    text +=
        "\nchosen as the cheapest by the analytic engine:\n" + to_text(considered_table(result));
  }
  if (!result.busiest.empty()) text += "\nbusiest links:\n" + to_text(busiest_table(result));
  return text;
}

nlohmann::ordered_json result_json(const Result& result) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : facts_of(result)) json[name] = to_json(value);
  if (!result.considered.empty()) json["considered"] = to_json(considered_table(result));
  if (result.job) add_job_json(*result.job, json);
  if (result.use) add_network_use_json(*result.use, json);
  if (result.jobs) json["each_job"] = jobs_json(*result.jobs);
  json["busiest_links"] = to_json(busiest_table(result));
  return json;
}

Table collective_table(const std::vector<Result>& results) {
  Table table{{"size", "ranks", "fabric", "algorithm", "time", "algbw", "busbw"}, {}};
  for (const Result& result : results) {
    if (!result.collective) continue;  // another workload was given in its place
    const Duration time = result.outcome.completion_time;
    table.rows.push_back({result.collective->size, static_cast<std::int64_t>(result.ranks),
                          result.fabric(), algorithm_text(*result.collective), time});
    auto& row = table.rows.back();
    row.resize(table.columns.size());
    if (!result.collective->sizes.empty()) row[0] = Cell();
    if (time.count() == 0 || !result.collective->sizes.empty()) continue;
    row[5] = gigabytes_per_second(algorithm_bandwidth(*result.collective, time));
    row[6] = gigabytes_per_second(bus_bandwidth(*result.collective, result.ranks, time));
  }
  return table;
}

Table flows_table(const Result& result) {
  Table table{{"source", "destination", "size", "start", "end", "completion_time", "slowdown"}, {}};
  for (const FlowResult& flow : result.flows) {
    table.rows.push_back({std::int64_t{flow.source}, std::int64_t{flow.destination}, flow.size,
                          flow.start, flow.end, flow.end - flow.start, flow.slowdown()});
  }
  return table;
}

nlohmann::ordered_json flows_json(const Result& result) {
  nlohmann::ordered_json json = result_json(result);
  nlohmann::ordered_json slowdown = nlohmann::ordered_json::object();
  for (const auto& [name, value] : slowdown_facts(result)) slowdown[name] = to_json(value);
  json["slowdown"] = std::move(slowdown);
  json["flows"] = to_json(flows_table(result));
  return json;
}

std::string flows_text(const Result& result) {
  constexpr std::size_t kShown = 20;
  Table table = flows_table(result);
  const std::size_t all = table.rows.size();
  if (all > kShown) table.rows.resize(kShown);
  std::string text = to_text(table);
  if (all > kShown) {
    text += fmt::format("… and {} more; --csv or --json prints them all\n", all - kShown);
  }
  text += "\n" + to_text(Facts{{"completion_time", result.outcome.completion_time},
                               {"flows", static_cast<std::int64_t>(all)},
                               {"bytes", result.outcome.bytes}});
  text += "\nslowdown against a network of its own:\n" + to_text(slowdown_facts(result));
  if (!result.busiest.empty()) text += "\nbusiest links:\n" + to_text(busiest_table(result));
  return text;
}

std::string deadlock_text(const Deadlock& deadlock) {
  std::string text =
      fmt::format("deadlock at {}: {} operation{} cannot finish\n", readable(deadlock.at),
                  deadlock.unfinished, deadlock.unfinished == 1 ? "" : "s");
  for (const std::string& line : deadlock.waiting) text += "  " + line + "\n";
  if (deadlock.unfinished > deadlock.waiting.size()) text += "  …\n";
  return text;
}

}  // namespace loom
