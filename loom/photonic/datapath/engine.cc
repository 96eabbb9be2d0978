#include "loom/photonic/datapath/engine.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "loom/base/error.h"
#include "loom/photonic/datapath/engine_datapath.h"
#include "loom/photonic/datapath/lightning_modules.h"

namespace loom::photonic {
namespace {

CountActionProgram lightning_modules() {
  return parse_modules(lightning_modules_text(), "lightning modules");
}

// Allowed deviation of the known sums: eight standard deviations of the noise of all samples of a
// sum, including the rounding to ADC levels and the gain of loss compensation.
double tolerance(const PhotonicNetwork& network, const PhotonicDatapath& datapath,
                 const PhotonicNoise& noise) {
  if (noise.sample_sigma == 0) return 0;
  const auto samples = static_cast<double>(
      streaming_cycles(vector_length(network.layers.front()), datapath) * datapath.lanes);
  const double gain = datapath.compensate_loss ? std::pow(10.0, datapath.loss_decibel / 10) : 1;
  const double half_level = std::ldexp(0.5, 8 - datapath.adc_bits);
  return 8 * gain * std::ldexp(std::hypot(noise.sample_sigma, half_level), range_of(datapath)) *
         std::sqrt(samples);
}

std::optional<std::string> difference(const std::vector<std::int32_t>& given,
                                      const std::vector<std::int32_t>& known, double allowed) {
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (std::abs(given[i] - known[i]) <= allowed) continue;
    return fmt::format(
        "known answer: sum {} is {} instead of {}; modulators are skewed, or samples are lost", i,
        given[i], known[i]);
  }
  return {};
}

}  // namespace

PhotonicEngine::PhotonicEngine(const PhotonicDatapath& datapath, const PhotonicLink& link)
    : PhotonicEngine(datapath, link, lightning_modules()) {}

PhotonicEngine::PhotonicEngine(const PhotonicDatapath& datapath, const PhotonicLink& link,
                               const CountActionProgram& modules) {
  LOOM_CHECK(!objection(datapath), "the caller has checked objection()");
  LOOM_CHECK(link.offset >= 0 && link.offset < datapath.lanes, "an offset is within a cycle");
  datapath_ = std::make_unique<EngineDatapath>(datapath, link, modules);
}

PhotonicEngine::~PhotonicEngine() = default;
PhotonicEngine::PhotonicEngine(PhotonicEngine&&) noexcept = default;
PhotonicEngine& PhotonicEngine::operator=(PhotonicEngine&&) noexcept = default;

void PhotonicEngine::load(PhotonicNetwork network) {
  LOOM_CHECK(!objection(network), "the caller has checked objection()");
  datapath_->load(std::move(network));
}

EngineOutcome PhotonicEngine::run(std::span<const std::uint8_t> input,
                                  const PhotonicRunOptions& options, bool check) {
  std::int64_t check_cycles = 0;
  if (check) {
    auto fault = known_answer_fault(options.noise, &check_cycles);
    if (fault) return {{}, std::move(fault), check_cycles};
  }
  EngineOutcome outcome = datapath_->run(input, options);
  outcome.check_cycles = check_cycles;
  return outcome;
}

std::optional<std::string> PhotonicEngine::known_answer_fault(const PhotonicNoise& noise,
                                                              std::int64_t* cycles) {
  const PhotonicNetwork known = known_answer_network();
  const std::vector<std::uint8_t> input = known_answer_input();
  PhotonicNetwork loaded = datapath_->load(known);
  const PhotonicNoise of_samples{noise.sample_sigma, 0, noise.seed};
  const EngineOutcome outcome = datapath_->run(input, {of_samples, 0, false});
  datapath_->load(std::move(loaded));
  if (cycles != nullptr) *cycles = outcome.result.cycles;
  if (outcome.deadlock) {
    return *outcome.fault + "; modulators are skewed by whole cycles, or a module stalls";
  }
  if (outcome.fault) return outcome.fault;
  const PhotonicDatapath& datapath = datapath_->datapath();
  auto skewed = difference(outcome.result.logits, photonic::run(known, input, {}, datapath).logits,
                           tolerance(known, datapath, noise));
  return skewed ? skewed : light_fault(datapath);
}

std::optional<int> find_compensation(const PhotonicDatapath& datapath, PhotonicLink link,
                                     int cycles) {
  const int max_size = cycles * datapath.lanes;
  for (int size = 0; size < max_size; ++size) {
    for (const int compensation : {size, -size}) {
      link.compensation = compensation;
      if (!PhotonicEngine(datapath, link).known_answer_fault()) return compensation;
    }
  }
  return {};
}

}  // namespace loom::photonic
