#include "loom/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "loom/report/bound_tables.h"
#include "loom/report/collective_cells.h"
#include "loom/report/html_circuits.h"
#include "loom/report/job_tables.h"
#include "loom/report/page.h"

namespace loom::report {
namespace {

using Json = nlohmann::ordered_json;

Json shares(const std::vector<run::TimeShare>& all) {
  Json list = Json::array();
  for (const run::TimeShare& it : all) {
    list.push_back({{"name", it.name}, {"time_ps", it.time.count()}});
  }
  return list;
}

std::string_view category(place::Purpose purpose) {
  return purpose == place::Purpose::optimizer
             ? "other"
             : place::kPurposeNames[static_cast<std::size_t>(purpose)];
}

Json metric(std::string_view name, std::string text, double value) {
  return {{"name", name}, {"text", std::move(text)}, {"value", value}};
}

Json metrics(const run::TrainingReport& job) {
  Json list = Json::array();
  list.push_back(metric(job.sample + "s per second", fmt::format("{:.2f}", job.samples_per_second),
                        job.samples_per_second));
  if (job.tokens_per_second > 0) {
    list.push_back(metric("tokens per second", fmt::format("{:.0f}", job.tokens_per_second),
                          job.tokens_per_second));
  }
  if (job.profiled) return list;
  list.push_back(metric("achieved per device",
                        readable(FlopRate{static_cast<std::int64_t>(job.flops_per_device)}),
                        job.flops_per_device));
  list.push_back(metric("model-flops utilization",
                        fmt::format("{:.1f} %", 100 * job.model_flops_share),
                        job.model_flops_share));
  return list;
}

Json memory(const run::TrainingReport& job) {
  Json components = Json::array();
  const auto add_component = [&](std::string_view name, Bytes size) {
    components.push_back({{"name", name}, {"bytes", size.count}});
  };
  add_component("weights", job.memory.weights);
  add_component("gradients", job.memory.gradients);
  add_component("optimizer", job.memory.optimizer);
  add_component("activations", job.memory.activations);
  return {{"limit", job.memory_limit.count}, {"components", components}};
}

Json ranking(const run::TrainingReport& job) {
  constexpr std::size_t kMax = 50;
  const char* not_estimated =
      job.links_change ? "lower bound" : "lower bound; exceeds the best estimate";
  Json list = Json::array();
  for (const plan::RankedStrategy& it : job.search.ranking) {
    if (list.size() == kMax) break;
    const bool estimated = it.predicted.count() > 0;
    const Duration time = it.simulated.count() > 0 ? it.simulated
                          : estimated              ? it.predicted
                                                   : it.bound;
    list.push_back({{"strategy", to_text(it.strategy)},
                    {"iteration_time_ps", time.count()},
                    {"memory_bytes", it.memory.count},
                    {"fits", true},
                    {"note", it.simulated.count() > 0 ? ""
                             : estimated              ? "estimated"
                                                      : not_estimated}});
  }
  return list;
}

Json collectives(const run::TrainingReport& job) {
  Json list = Json::array();
  for (const run::JobAlgorithm& it : job.algorithms) {
    list.push_back({{"collective", name_of(it.collective.kind)},
                    {"category", category(it.purpose)},
                    {"ranks", it.ranks},
                    {"algorithm", algorithm_text(it.collective)},
                    {"count", it.count},
                    {"largest_bytes", it.collective.size.count}});
  }
  return list;
}

Json path(const run::Explanation& explanation) {
  constexpr std::size_t kMax = 2000;
  Json list = Json::array();
  for (const run::PathSegment& it : explanation.path) {
    if (list.size() == kMax) break;
    list.push_back({{"from_ps", elapsed(it.from).count()},
                    {"to_ps", elapsed(it.to).count()},
                    {"name", fmt::format("{} on device {}", it.name, it.device)},
                    {"category", category(it.purpose)}});
  }
  return list;
}

Json timeline(const run::Explanation& explanation, const std::vector<run::Lane>& lanes) {
  Json list = Json::array();
  for (const run::Lane& lane : lanes) {
    Json spans = Json::array();
    for (const run::LaneSpan& it : lane.spans) {
      spans.push_back(Json::array(
          {elapsed(it.from).count(), elapsed(it.to).count(), it.name, category(it.purpose)}));
    }
    list.push_back({{"name", lane.name}, {"spans", std::move(spans)}});
  }
  return {{"from_ps", elapsed(explanation.from).count()},
          {"to_ps", elapsed(explanation.to).count()},
          {"lanes", std::move(list)}};
}

Json traffic(const run::TrafficMatrix& matrix) {
  Json labels = Json::array();
  const int each = matrix.devices_per_cell;
  for (std::size_t c = 0; c < matrix.bytes.size(); ++c) {
    const int first = static_cast<int>(c) * each;
    const int last = std::min(first + each, matrix.devices) - 1;
    labels.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
  }
  return {{"unit", each == 1 ? "device" : fmt::format("group of {} devices", each)},
          {"labels", labels},
          {"bytes", matrix.bytes}};
}

Json links(const run::Report& report) {
  Json list = Json::array();
  for (const run::LinkUse& it : report.busiest) {
    list.push_back({{"name", it.link},
                    {"bytes", it.bytes.count},
                    {"utilization", it.utilization},
                    {"capacity_bps", it.bandwidth.bits_per_second}});
  }
  return list;
}

void add_job(const run::TrainingReport& job, Json& json) {
  const run::Explanation& explanation = job.explanation;
  json["iteration_time_ps"] = job.iteration_time.count();
  json["strategy"] = strategy_text(job);
  json["metrics"] = metrics(job);
  if (!job.profiled) json["memory"] = memory(job);
  if (!explanation.stages.empty()) {
    json["breakdown"] = shares(explanation.stages[explanation.busiest].shares);
  }
  Json stages = Json::array();
  for (const run::StageTime& it : explanation.stages) {
    stages.push_back(
        {{"name", fmt::format("stage {}", it.stage)}, {"breakdown", shares(it.shares)}});
  }
  json["stages"] = std::move(stages);
  json["collectives"] = collectives(job);
  json["critical_path"] = path(explanation);
  json["ranking"] = ranking(job);
}

Json result_object(const run::Report& report) {
  Json json = {{"name", report.fabric()}};
  Json axes = Json::object();
  for (const auto& axis : report.scenario.axes) axes[axis.first] = axis.second;
  json["axes"] = std::move(axes);
  json["engine"] = report.engine_name();
  json["estimated"] = report.engine != scenario::Engine::fluid;
  json["completion_time_ps"] = report.outcome.completion_time.count();
  const run::TrainingReport* job = report.trained();
  if (job != nullptr) add_job(*job, json);
  if (report.traffic) json["traffic"] = traffic(*report.traffic);
  if (job != nullptr && !job->lanes.empty()) {
    json["timeline"] = timeline(job->explanation, job->lanes);
  }
  json["links"] = links(report);
  if (const auto bound = bound_of_plan(report)) {
    json["lower_bound_ps"] = bound->bound.count();
    json["over_lower_bound"] = bound->gap;
    json["lower_bound_of_strategy_ps"] = report.bound->time().count();
    json["lower_bound_set_by"] = report.bound->set_by();
  }
  if (report.circuit_details) json["circuits"] = circuits_json(*report.circuit_details);
  return json;
}

// The time of the slowest run that gets a timeline and circuits. These make up most of the size of
// a page, so only the fastest few runs have them.
Duration slowest_with_details(const std::vector<run::Report>& reports) {
  constexpr std::size_t kMax = 6;
  std::vector<Duration> times;
  for (const run::Report& it : reports) {
    if (it.ended()) times.push_back(it.time());
  }
  std::sort(times.begin(), times.end());
  return times.empty() ? Duration(0) : times[std::min(kMax, times.size()) - 1];
}

}  // namespace

nlohmann::ordered_json page_heading(const ReportText& text) {
  return {{"title", text.title},
          {"version", text.version},
          {"command", text.command},
          {"scenario", text.scenario}};
}

namespace {

struct TitleOf {
  std::string operator()(const run::TrainingReport& work) const { return work.model; }
  std::string operator()(const run::ColocatedReport& work) const {
    return fmt::format("{} jobs", work.jobs.size());
  }
  std::string operator()(const run::CollectiveReport& work) const {
    return std::string(name_of(work.collective.kind));
  }
  std::string operator()(const run::FlowsReport& work) const {
    return fmt::format("{} flows", work.flows.size());
  }
  std::string operator()(const run::WorkloadReport&) const { return "workload"; }
  std::string operator()(const run::ReplayReport&) const { return "workload"; }
};

}  // namespace

std::string report_title(const run::Report& report) {
  return fmt::format("{} on {} devices", std::visit(TitleOf{}, report.work), report.devices);
}

std::string report_html(const std::vector<run::Report>& reports, const ReportText& text) {
  Json report = page_heading(text);
  Json list = Json::array();
  const Duration slowest_drawn = slowest_with_details(reports);
  for (const run::Report& it : reports) {
    if (!it.ended()) continue;
    list.push_back(result_object(it));
    if (it.time() <= slowest_drawn) continue;
    list.back().erase("timeline");
    list.back().erase("circuits");
  }
  report["results"] = std::move(list);
  return report_page(report);
}

}  // namespace loom::report
