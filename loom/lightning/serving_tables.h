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
  std::vector<std::vector<double>>
      isolated;  // uncontended serving time in seconds, by processor and model
  std::vector<photonic::ServingPoint> points;
};

ServingResult run_serving(const photonic::ServingSpec& spec);

// Serving time of an uncontended request, one column per processor.
report::Table isolated_table(const ServingResult& result);

// One row per processor, load and horizon.
report::Table serving_table(const ServingResult& result);

// Power, capacity and saturation load of each processor.
report::Table capacity_table(const ServingResult& result);

std::string serving_text(const ServingResult& result);
nlohmann::ordered_json serving_json(const ServingResult& result);

// Serving time and ratio over load at the first horizon; ratio over horizon if there are several.
// Overloaded points appear only in the ratios.
std::string serving_svg(const ServingResult& result);

// Mean serving time of each network by processor, as the released simulation prints it.
struct TraceMeans {
  std::string processor;
  std::vector<std::pair<std::string, double>>
      nanoseconds;  // by network, in the order of first answer
  std::int64_t answers = 0;
};

std::vector<TraceMeans> run_trace(const photonic::ServingSpec& spec,
                                  const std::vector<photonic::Arrival>& arrivals);
report::Table trace_table(const std::vector<TraceMeans>& means);
nlohmann::ordered_json trace_json(const std::vector<TraceMeans>& means,
                                  const std::vector<photonic::LeftOut>& left_out);

}  // namespace loom::lightning
