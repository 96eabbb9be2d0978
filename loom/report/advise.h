// What would help a job most: the same job with one thing better, simulated again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/run/run.h"

namespace loom {

struct Advice {
  std::string what;
  Duration iteration_time{0};
  double gain = 0;  // part of the iteration saved; below zero where it takes longer, an anomaly
};

// Best first, by the analytic engine. Empty where the scenario is no job or cannot be done.
std::vector<Advice> advise(const Scenario& scenario, const RunOptions& options);

std::string advice_text(const std::vector<Advice>& advice);
nlohmann::ordered_json advice_json(const std::vector<Advice>& advice);

}  // namespace loom
