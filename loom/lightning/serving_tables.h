// A serving study for people and machines: tables, a picture, and what follows from them in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/photonic/serving/serving_study.h"
#include "loom/report/chart/plot.h"
#include "loom/report/table.h"

namespace loom {

struct ServingResult {
  photonic::ServingSpec spec;
  std::vector<std::vector<double>> isolated;  // seconds by processor and model
  std::vector<photonic::ServingPoint> points;
};

ServingResult run_serving(const photonic::ServingSpec& spec);

// One request with nobody before it, a column for each processor.
Table isolated_table(const ServingResult& result);

// A row for each processor at each load and horizon.
Table serving_table(const ServingResult& result);

// What each processor is offered over what it can do, and at which load it is full.
Table capacity_table(const ServingResult& result);

std::string serving_text(const ServingResult& result);
nlohmann::ordered_json serving_json(const ServingResult& result);

// Time to serve and ratio over load at the first horizon; ratio over horizon where there are
// several. Points that are offered too much are in the ratios only.
std::string serving_svg(const ServingResult& result);

// The mean time to serve each network, by processor: what the released simulation prints.
struct TraceMeans {
  std::string processor;
  std::vector<std::pair<std::string, double>> nanoseconds;  // network, in the order of first answer
  std::int64_t answers = 0;
};

std::vector<TraceMeans> run_trace(const photonic::ServingSpec& spec,
                                  const std::vector<photonic::Arrival>& arrivals);
Table trace_table(const std::vector<TraceMeans>& means);
nlohmann::ordered_json trace_json(const std::vector<TraceMeans>& means,
                                  const std::vector<photonic::LeftOut>& left_out);

}  // namespace loom
