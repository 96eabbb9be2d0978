#include "loom/report/bound_tables.h"

#include <nlohmann/json.hpp>

namespace loom::report {
namespace {

// The time that the bound is about. Of jobs that share the cluster, that is the time of the run.
Duration bounded_time(const run::Report& report) {
  return report.as<run::ColocatedReport>() != nullptr ? report.outcome.completion_time
                                                      : report.time();
}

BoundAndGap with_gap(const run::Report& report, Duration bound) {
  return {bound, run::gap(bounded_time(report), bound)};
}

}  // namespace

std::optional<BoundAndGap> bound_of_plan(const run::Report& report) {
  if (!report.bound) return std::nullopt;
  const Duration bound = report.bound->any_strategy.value_or(report.bound->time());
  if (bound.count() == 0) return std::nullopt;
  return with_gap(report, bound);
}

std::vector<std::pair<std::string, Cell>> bound_facts(const run::Report& report) {
  std::vector<std::pair<std::string, Cell>> facts;
  const auto of_plan = bound_of_plan(report);
  if (!of_plan) return facts;
  const std::string run = report.as<run::ColocatedReport>() != nullptr ? "_of_run" : "";
  facts.emplace_back("lower_bound" + run, of_plan->bound);
  facts.emplace_back("gap" + run, of_plan->gap);
  if (report.bound->any_strategy) {
    const BoundAndGap of_strategy = with_gap(report, report.bound->time());
    facts.emplace_back("lower_bound_of_strategy", of_strategy.bound);
    facts.emplace_back("gap_of_strategy", of_strategy.gap);
  }
  facts.emplace_back("lower_bound_set_by", std::string(report.bound->set_by()));
  return facts;
}

void add_bound_json(const run::Report& report, nlohmann::ordered_json& json) {
  if (!bound_of_plan(report)) return;
  json["lower_bound_terms"] = {{"computation", report.bound->computation.count()},
                               {"chain", report.bound->chain.count()},
                               {"device", report.bound->devices.count()},
                               {"hops", report.bound->hops.count()}};
}

}  // namespace loom::report
