#include "loom/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "loom/base/statistics.h"
#include "loom/report/bound_tables.h"
#include "loom/report/circuit_tables.h"
#include "loom/report/collective_cells.h"
#include "loom/report/colocated_tables.h"
#include "loom/report/job_tables.h"
#include "loom/scenario/job_settings.h"

namespace loom::report {
namespace {

// A rate in GB/s, formatted as by nccl-tests.
std::string gigabytes_per_second(Bandwidth rate) {
  return fmt::format("{:.2f} GB/s", static_cast<double>(rate.bits_per_second) / 8e9);
}

void add_collective_facts(const run::CollectiveReport& work, Duration time, Facts& facts) {
  facts.emplace_back("collective", std::string(name_of(work.collective.kind)));
  facts.emplace_back("algorithm", algorithm_text(work.collective));
  facts.emplace_back("ranks", static_cast<std::int64_t>(work.ranks));
  if (!work.collective.sizes.empty()) return;
  facts.emplace_back("size", work.collective.size);
  if (time.count() == 0) return;
  facts.emplace_back("algorithm_bandwidth", algorithm_bandwidth(work.collective, time));
  facts.emplace_back("bus_bandwidth", bus_bandwidth(work.collective, work.ranks, time));
}

// Adds the control overhead of fabrics on which messages need a grant before they are sent.
void add_grant_facts(const fabric::GrantTally& tally, Facts& facts) {
  const auto devices = static_cast<double>(tally.sent.size());
  facts.emplace_back("control_messages", tally.messages());
  facts.emplace_back("control_messages_per_device",
                     static_cast<double>(tally.messages()) / devices);
  facts.emplace_back("max_control_messages_per_device",
                     *std::max_element(tally.sent.begin(), tally.sent.end()));
  facts.emplace_back("grants_declined", tally.declines);
  facts.emplace_back("forwarded_messages", tally.forwarded);
  facts.emplace_back("longest_wait_for_a_grant", tally.longest_wait);
}

// The facts of one kind of work.
struct WorkFacts {
  Facts first = {};      // at the head of the list
  Facts after_run = {};  // after fabric, engine and devices
};

struct WorkFactsOf {
  const run::Report& report;

  WorkFacts operator()(const run::TrainingReport& work) const {
    WorkFacts facts;
    add_job_facts(work, facts.first);
    return facts;
  }
  WorkFacts operator()(const run::ColocatedReport& work) const {
    WorkFacts facts;
    if (!work.jobs.empty()) add_jobs_facts(work, facts.first);
    return facts;
  }
  WorkFacts operator()(const run::CollectiveReport& work) const {
    WorkFacts facts;
    add_collective_facts(work, report.outcome.completion_time, facts.after_run);
    return facts;
  }
  WorkFacts operator()(const run::ReplayReport&) const {
    return {.first = {{"iteration_time", report.time()}}};
  }
  WorkFacts operator()(const run::FlowsReport&) const { return {}; }
  WorkFacts operator()(const run::WorkloadReport&) const { return {}; }
};

void append(Facts more, Facts& facts) {
  std::move(more.begin(), more.end(), std::back_inserter(facts));
}

// The error is that of tests/long/matrix_test.cc.
constexpr std::string_view kEstimated =
    "yes, 95 % of such estimates are within 5 %; engine: fluid simulates every message";

Facts run_facts(const run::Report& report) {
  Facts facts = {{"completion_time", report.outcome.completion_time},
                 {"fabric", report.fabric()},
                 {"engine", std::string(report.engine_name())},
                 {"devices", static_cast<std::int64_t>(report.devices)}};
  if (!report.routings.empty()) {
    facts.emplace_back("routing", std::string(report.routings.front().routing));
  }
  if (report.engine == scenario::Engine::coarse) {
    facts.emplace_back("estimated", std::string(kEstimated));
  }
  return facts;
}

Facts facts_of(const run::Report& report) {
  WorkFacts work = std::visit(WorkFactsOf{report}, report.work);
  Facts facts = std::move(work.first);
  append(run_facts(report), facts);
  append(std::move(work.after_run), facts);
  if (report.cost) {
    facts.emplace_back("cost", report.cost->price);
    facts.emplace_back("power", report.cost->power);
  }
  if (report.circuits) append(circuit_facts(*report.circuits), facts);
  if (report.outcome.grants) add_grant_facts(*report.outcome.grants, facts);
  append(bound_facts(report), facts);
  if (report.use) append(network_use_facts(*report.use), facts);
  facts.emplace_back("messages", report.outcome.messages);
  facts.emplace_back("bytes", report.outcome.bytes);
  return facts;
}

Table considered_table(const std::vector<plan::AlgorithmEstimate>& considered) {
  Table table{{"algorithm", "predicted", "versus_best"}, {}};
  for (const plan::AlgorithmEstimate& it : considered) {
    table.rows.push_back({algorithm_text(it.collective), it.predicted,
                          versus(it.predicted, considered.front().predicted)});
  }
  return table;
}

Table routings_table(const run::Report& report) {
  const std::vector<run::RoutingTime>& all = report.routings;
  Table table{{"routing", "time", "versus_best"}, {}};
  for (const run::RoutingTime& it : all) {
    table.rows.push_back({std::string(it.routing), it.time, versus(it.time, all.front().time)});
  }
  return table;
}

std::string routings_text(const run::Report& report) {
  if (report.routings.size() < 2) return "";
  return fmt::format("\nrouting chosen as the fastest by the {} engine:\n", report.engine_name()) +
         to_text(routings_table(report));
}

std::string loss_text(const run::Report& report) {
  if (!report.circuits || !report.circuits->loss_budget || report.circuits->longest <= 0) return "";
  const int longest = report.circuits->longest;
  return fmt::format("\noptical power on the longest circuit, {} segment{}, without amplifiers:\n",
                     longest, longest == 1 ? "" : "s") +
         to_text(loss_table(*report.circuits));
}

std::string considered_text(const run::CollectiveReport& work) {
  if (work.considered.empty()) return "";
  return "\nchosen as the fastest by the coarse engine:\n" +
         to_text(considered_table(work.considered));
}

// Returns the tables between the facts and the busiest links: those of the work and the optical
// loss.
struct TablesText {
  std::string loss;

  std::string operator()(const run::TrainingReport& work) const { return job_text(work) + loss; }
  std::string operator()(const run::ColocatedReport& work) const {
    return (work.jobs.empty() ? "" : jobs_text(work)) + loss;
  }
  std::string operator()(const run::CollectiveReport& work) const {
    return loss + considered_text(work);
  }
  std::string operator()(const run::FlowsReport&) const { return loss; }
  std::string operator()(const run::WorkloadReport&) const { return loss; }
  std::string operator()(const run::ReplayReport&) const { return loss; }
};

// Adds to `json` the tables of this kind of work, if any, and the use of the network.
struct AddTablesJson {
  const run::Report& report;
  nlohmann::ordered_json& json;

  void operator()(const run::TrainingReport& work) const {
    add_job_json(work, json);
    add_use();
  }
  void operator()(const run::ColocatedReport& work) const {
    add_use();
    if (!work.jobs.empty()) json["each_job"] = jobs_json(work);
  }
  void operator()(const run::CollectiveReport& work) const {
    if (!work.considered.empty()) json["considered"] = to_json(considered_table(work.considered));
    add_use();
  }
  void operator()(const run::FlowsReport&) const { add_use(); }
  void operator()(const run::WorkloadReport&) const { add_use(); }
  void operator()(const run::ReplayReport&) const { add_use(); }

  void add_use() const {
    add_bound_json(report, json);
    if (report.use) add_network_use_json(*report.use, json);
  }
};

Facts slowdown_facts(const std::vector<run::FlowResult>& flows) {
  std::vector<double> slowdowns;
  for (const run::FlowResult& flow : flows) slowdowns.push_back(flow.slowdown());
  std::sort(slowdowns.begin(), slowdowns.end());
  if (slowdowns.empty()) return {};
  return {{"p50", percentile(slowdowns, 0.5)},
          {"p90", percentile(slowdowns, 0.9)},
          {"p99", percentile(slowdowns, 0.99)},
          {"max", slowdowns.back()}};
}

// The results of a list of flows; empty for other kinds of work.
std::vector<run::FlowResult> flows_of(const run::Report& report) {
  const auto* work = report.as<run::FlowsReport>();
  return work == nullptr ? std::vector<run::FlowResult>{} : work->flows;
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

Table busiest_table(const run::Report& report) {
  Table table{{"link", "bytes", "utilization"}, {}};
  constexpr std::size_t kShown = 5;
  for (const run::LinkUse& use : report.busiest) {
    if (table.rows.size() == kShown) break;
    table.rows.push_back({use.link, use.bytes, use.utilization});
  }
  return table;
}

Facts job_facts(const run::Report& report) { return facts_of(report); }

std::string report_text(const run::Report& report) {
  std::string text = to_text(facts_of(report));
  text += std::visit(TablesText{loss_text(report)}, report.work);
  text += routings_text(report);
  if (!report.busiest.empty()) text += "\nbusiest links:\n" + to_text(busiest_table(report));
  return text;
}

nlohmann::ordered_json report_json(const run::Report& report) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : facts_of(report)) json[name] = to_json(value);
  std::visit(AddTablesJson{report, json}, report.work);
  if (!report.routings.empty()) json["routings"] = to_json(routings_table(report));
  json["busiest_links"] = to_json(busiest_table(report));
  return json;
}

Table collective_table(const std::vector<run::Report>& reports) {
  Table table{{"size", "ranks", "fabric", "algorithm", "time", "algbw", "busbw"}, {}};
  for (const run::Report& report : reports) {
    const auto* work = report.as<run::CollectiveReport>();
    if (work == nullptr) continue;  // --from replaced it by another workload
    const Duration time = report.outcome.completion_time;
    table.rows.push_back({work->collective.size, static_cast<std::int64_t>(work->ranks),
                          report.fabric(), algorithm_text(work->collective), time});
    auto& row = table.rows.back();
    row.resize(table.columns.size());
    if (!work->collective.sizes.empty()) row[0] = Cell();
    if (time.count() == 0 || !work->collective.sizes.empty()) continue;
    row[5] = gigabytes_per_second(algorithm_bandwidth(work->collective, time));
    row[6] = gigabytes_per_second(bus_bandwidth(work->collective, work->ranks, time));
  }
  return table;
}

Table flows_table(const run::Report& report) {
  Table table{{"source", "destination", "size", "start", "end", "completion_time", "slowdown"}, {}};
  for (const run::FlowResult& flow : flows_of(report)) {
    table.rows.push_back({std::int64_t{flow.source}, std::int64_t{flow.destination}, flow.size,
                          flow.start, flow.end, flow.end - flow.start, flow.slowdown()});
  }
  return table;
}

nlohmann::ordered_json flows_json(const run::Report& report) {
  nlohmann::ordered_json json = report_json(report);
  nlohmann::ordered_json slowdown = nlohmann::ordered_json::object();
  for (const auto& [name, value] : slowdown_facts(flows_of(report)))
    slowdown[name] = to_json(value);
  json["slowdown"] = std::move(slowdown);
  json["flows"] = to_json(flows_table(report));
  return json;
}

std::string flows_text(const run::Report& report) {
  constexpr std::size_t kShown = 20;
  Table table = flows_table(report);
  const std::size_t all = table.rows.size();
  if (all > kShown) table.rows.resize(kShown);
  std::string text = to_text(table);
  if (all > kShown) {
    text += fmt::format("… and {} more; --csv or --json prints all\n", all - kShown);
  }
  text += "\n" + to_text(Facts{{"completion_time", report.outcome.completion_time},
                               {"flows", static_cast<std::int64_t>(all)},
                               {"bytes", report.outcome.bytes}});
  text += "\nslowdown over an idle network:\n" + to_text(slowdown_facts(flows_of(report)));
  if (!report.busiest.empty()) text += "\nbusiest links:\n" + to_text(busiest_table(report));
  return text;
}

std::string deadlock_text(const simulate::Deadlock& deadlock) {
  std::string text =
      fmt::format("deadlock at {}: {} operation{} cannot finish\n", readable(deadlock.at),
                  deadlock.unfinished, deadlock.unfinished == 1 ? "" : "s");
  for (const std::string& line : deadlock.waiting) text += "  " + line + "\n";
  if (deadlock.unfinished > deadlock.waiting.size()) text += "  …\n";
  return text;
}

}  // namespace loom::report
