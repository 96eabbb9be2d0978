// Computes the numbers for the claims of Lightning's serving study (SIGCOMM 2023, section 9).
#include <algorithm>
#include <cctype>
#include <utility>

#include "loom/lightning/serving_options.h"
#include "loom/lightning/serving_tables.h"
#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/datapath/datapath.h"
#include "loom/photonic/datapath/modulator.h"
#include "loom/reproduce/coded_study.h"

namespace loom::reproduce {
namespace {

using photonic::ServingPoint;
using photonic::TickProcessor;

std::string key_of(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::tolower(letter));
  });
  return name;
}

lightning::ServingResult run_at(std::vector<std::string> loads, std::vector<int> requests, int runs,
                                const run::RunOptions& options) {
  lightning::ServingOptions serving;
  serving.loads = std::move(loads);
  serving.requests = std::move(requests);
  serving.runs = runs;
  serving.threads = options.threads;
  return lightning::run_serving(serving_spec(serving));
}

// The energy as estimated by the script that Lightning's authors released: board power ×
// multiplications / speed. The script merges short products except on Lightning, and gives
// Lightning 1024 cores instead of 576.
double script_joules(photonic::TickProcessor processor, const photonic::ServedModel& model) {
  if (processor.name == "Lightning") {
    processor.cores = 1024;
    processor.min_vector = 1;
  }
  const double watts = static_cast<double>(processor.power.microwatts) / 1e6;
  return watts * photonic::work_seconds(processor, model);
}

void add_script_energy(const lightning::ServingResult& result, Measured& measured) {
  const std::vector<photonic::TickProcessor> processors = photonic::published_processors();
  for (const photonic::TickProcessor& processor : processors) {
    double sum = 0;
    for (const int model : result.spec.mix) {
      const photonic::ServedModel& it = result.spec.models[static_cast<std::size_t>(model)];
      sum += script_joules(processor, it) / script_joules(processors.front(), it);
    }
    measured.numbers["script_energy_" + key_of(processor.name)] =
        sum / static_cast<double>(result.spec.mix.size());
  }
}

void add(const std::string& name, const photonic::Estimate& it, Measured& measured) {
  measured.numbers[name] = it.mean;
  measured.intervals[name] = {it.mean - it.half, it.mean + it.half};
}

void add_ratios(const std::vector<photonic::ServingPoint>& points, const std::string& prefix,
                Measured& measured) {
  for (const photonic::ServingPoint& it : points)
    add(prefix + key_of(it.processor), it.ratio, measured);
}

// Adds the accuracy of one product on a calibrated core, in percent, and the cycles of
// LeNet-300-100, which follow from the sizes of its layers.
void add_prototype(Measured& measured) {
  measured.numbers["product_accuracy"] =
      100 * photonic::calibrate({}, {}, photonic::kPrototypeSigma, 1).product_accuracy;
  photonic::PhotonicNetwork lenet{"LeNet-300-100", {}};
  int inputs = 784;
  for (const int outputs : {300, 100, 10}) {
    photonic::PhotonicLayer layer;
    layer.input.channels = std::exchange(inputs, outputs);
    layer.outputs = outputs;
    lenet.layers.push_back(std::move(layer));
  }
  measured.numbers["lenet_cycles"] = static_cast<double>(network_cycles(lenet));
}

// The number of networks that Lightning serves faster in isolation than a GPU does.
double sooner_isolated(const lightning::ServingResult& result, const std::string& lightning,
                       const std::string& gpu) {
  const auto at = [&](const std::string& name) {
    const auto& all = result.spec.processors;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& it) { return photonic::name_of(it) == name; });
    return static_cast<std::size_t>(found - all.begin());
  };
  double count = 0;
  for (const int model : result.spec.mix) {
    const auto m = static_cast<std::size_t>(model);
    if (result.isolated[at(lightning)][m] < result.isolated[at(gpu)][m]) ++count;
  }
  return count;
}

}  // namespace

Measured measure_lightning_serving(bool quick, const run::RunOptions& options) {
  Measured measured;
  add_prototype(measured);
  constexpr int kRuns = 10;
  const lightning::ServingResult published = run_at({"60 Mbps"}, {100}, kRuns, options);
  add_ratios(published.points, "serve_", measured);
  for (const photonic::ServingPoint& it : published.points) {
    add("energy_" + key_of(it.processor), it.energy_ratio, measured);
  }
  add_script_energy(published, measured);
  for (const photonic::ServingPoint& it : published.points) {
    measured.numbers["offered_" + key_of(it.processor)] = it.offered;
  }
  const lightning::ServingResult stable = run_at({"5 Mbps"}, {100}, kRuns, options);
  add_ratios(stable.points, "stable_", measured);
  const int late = quick ? 200 : 400;
  const lightning::ServingResult horizons = run_at({"60 Mbps"}, {50, late}, kRuns, options);
  for (const photonic::ServingPoint& it : horizons.points) {
    if (it.processor != "A100") continue;
    measured.numbers[it.horizon == 50 ? "early_a100" : "late_a100"] = it.ratio.mean;
  }
  measured.numbers["growth_a100"] = measured.numbers["late_a100"] / measured.numbers["early_a100"];
  measured.numbers["sooner_than_fair"] = sooner_isolated(published, "Lightning", "A100-fair");
  measured.numbers["fed_sooner_than_fair_x"] =
      sooner_isolated(published, "Lightning-fed", "A100X-fair");
  if (!quick) {
    const lightning::ServingResult sweep = run_at({}, {100}, kRuns, options);
    measured.files.emplace_back("serving.csv", to_csv(serving_table(sweep)));
    measured.files.emplace_back("serving.svg", serving_svg(sweep));
  }
  return measured;
}

}  // namespace loom::reproduce
