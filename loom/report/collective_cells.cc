#include "loom/report/collective_cells.h"

#include <fmt/format.h>

namespace loom::report {

Cell versus(Duration time, Duration best) {
  if (best.count() == 0) return {};
  return static_cast<double>(time.count()) / static_cast<double>(best.count());
}

std::string algorithm_text(const workload::Collective& collective) {
  std::string text(name_of(collective.algorithm));
  for (std::size_t i = 0; i < collective.levels.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : "x", collective.levels[i]);
  }
  for (const int step : collective.steps) text += fmt::format(" +{}", step);
  if (collective.chunks > 1) text += fmt::format(", {} chunks", collective.chunks);
  return text;
}

Cell algorithm_bandwidth_cell(const run::CollectiveReport& work, Duration time) {
  if (!work.collective.sizes.empty() || time.count() == 0) return {};
  return algorithm_bandwidth(work.collective, time);
}

Cell bus_bandwidth_cell(const run::CollectiveReport& work, Duration time) {
  if (!work.collective.sizes.empty() || time.count() == 0) return {};
  return bus_bandwidth(work.collective, work.ranks, time);
}

}  // namespace loom::report
