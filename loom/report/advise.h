// Sensitivity analysis of a training job: simulates the job again with one resource improved at a
// time. A circuit fabric is also upgraded by a port, a wavelength or a microsecond at a time; the
// job is then planned again from its strategy on.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/run/run.h"

namespace loom::report {

struct Advice {
  std::string what;
  Duration iteration_time{0};
  double gain = 0;  // fraction of the iteration time saved; negative for a scheduling anomaly
  bool planned_again = false;  // with a strategy, circuits and algorithms of its own
};

// Returns the improvements, those of the same plan first, largest gain first, simulated by the
// engine of the report. Empty if the scenario is no training job. Throws InputError if there is no
// plan.
std::vector<Advice> advise(const scenario::Scenario& scenario, const run::RunOptions& options);

std::string advice_text(const std::vector<Advice>& advice);
nlohmann::ordered_json advice_json(const std::vector<Advice>& advice);

}  // namespace loom::report
