#include "loom/photonic/serving/serving_processor.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/photonic/serving/tick_simulation.h"

namespace loom::photonic {

std::vector<ServingProcessor> serving_processors(const std::vector<ServedModel>& models,
                                                 int max_batch) {
  std::vector<ServingProcessor> all;
  for (TickProcessor& it : published_processors()) all.emplace_back(std::move(it));
  all.emplace_back(fair_a100(max_batch, models));
  all.emplace_back(fair_a100x(max_batch, models));
  all.emplace_back(fed_lightning(kFeedingMemory, models));
  return all;
}

const std::string& name_of(const ServingProcessor& processor) {
  return std::visit([](const auto& it) -> const std::string& { return it.name; }, processor);
}

Power power_of(const ServingProcessor& processor) {
  return std::visit([](const auto& it) { return it.power; }, processor);
}

bool serves(const ServingProcessor& processor, const std::vector<ServedModel>& models, int model) {
  const auto at = static_cast<std::size_t>(model);
  if (const auto* tick = std::get_if<TickProcessor>(&processor)) {
    return tick->datapath_latency(models[at]).has_value();
  }
  return !std::get<FifoProcessor>(processor).service[at].empty();
}

std::string unserved_reason(const ServingProcessor& processor, const ServedModel& model) {
  if (std::holds_alternative<TickProcessor>(processor)) {
    return fmt::format("no published time for {} on this processor", model.name);
  }
  return fmt::format("the kernels of {} are unknown, because its layers come from a file",
                     model.name);
}

Completions simulate(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                     const std::vector<Arrival>& arrivals, std::size_t first) {
  if (const auto* tick = std::get_if<TickProcessor>(&processor)) {
    return simulate_ticks(*tick, models, arrivals, first);
  }
  return simulate_fifo(std::get<FifoProcessor>(processor), models, arrivals, first);
}

double capacity_seconds(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                        int model) {
  const auto at = static_cast<std::size_t>(model);
  if (const auto* tick = std::get_if<TickProcessor>(&processor)) {
    return work_seconds(*tick, models[at]);
  }
  double best = 0;
  const std::vector<Duration>& times = std::get<FifoProcessor>(processor).service[at];
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double each = seconds(times[i]) / static_cast<double>(i + 1);
    best = i == 0 ? each : std::min(best, each);
  }
  return best;
}

double offered_load(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                    const std::vector<int>& mix, Bandwidth speed) {
  double work = 0;
  for (const int model : mix) work += capacity_seconds(processor, models, model);
  const double between = mean_time_between(models, mix, speed);
  const double load = work / static_cast<double>(mix.size()) / between;
  const auto* fifo = std::get_if<FifoProcessor>(&processor);
  if (fifo == nullptr || fifo->link.bits_per_second == 0) return load;
  return std::max(load, static_cast<double>(speed.bits_per_second) /
                            static_cast<double>(fifo->link.bits_per_second));
}

}  // namespace loom::photonic
