// Reports of a serving study: tables, a plot, JSON, and conclusions in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/photonic/serving/serving_study.h"
#include "loom/report/chart/plot.h"
#include "loom/report/table.h"

namespace loom::lightning {

struct ServingResult {
  photonic::ServingSpec spec;
  // Uncontended serving time in seconds, by processor and model.
  std::vector<std::vector<double>> isolated;
  std::vector<photonic::ServingPoint> points;
};

ServingResult run_serving(const photonic::ServingSpec& spec);

// Serving time of an uncontended request, one column per processor.
report::Table isolated_table(const ServingResult& result);

// One row per processor, load and horizon.
report::Table serving_table(const ServingResult& result);

// Power, capacity, and the load at which each processor saturates.
report::Table capacity_table(const ServingResult& result);

std::string serving_text(const ServingResult& result);
nlohmann::ordered_json serving_json(const ServingResult& result);

// Plots of serving time and ratio over load at the first horizon and, if there are several
// horizons, of the ratio over horizon at the first load. Overloaded points appear only in the plots
// of ratios.
std::string serving_svg(const ServingResult& result);

// Mean serving times on one processor, as the released simulation prints them.
struct TraceMeans {
  std::string processor;
  // Mean serving time by network, in the order of the networks' first answers.
  std::vector<std::pair<std::string, double>> nanoseconds;
  std::int64_t answers = 0;
};

std::vector<TraceMeans> run_trace(const photonic::ServingSpec& spec,
                                  const std::vector<photonic::Arrival>& arrivals);
report::Table trace_table(const std::vector<TraceMeans>& means);
nlohmann::ordered_json trace_json(const std::vector<TraceMeans>& means,
                                  const std::vector<photonic::LeftOut>& left_out);

}  // namespace loom::lightning
