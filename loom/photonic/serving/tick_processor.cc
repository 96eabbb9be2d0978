#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {

std::optional<std::int64_t> TickProcessor::datapath_latency(const ServedModel& model) const {
  for (const DatapathTime& it : datapath) {
    if (it.model == model.name) return it.nanoseconds;
  }
  if (measured_only) return std::nullopt;
  return pass_nanoseconds * model.passes;
}

double TickProcessor::multiplications_per_second() const {
  return static_cast<double>(cores) * gigahertz * 1e9;
}

std::vector<TickProcessor> published_processors() {
  // Measured by the authors on a server with an A100; DLRM is their estimate, twice that of GPT-2.
  const std::vector<DatapathTime> measured = {
      {"AlexNet", 581'000}, {"ResNet-18", 615'000}, {"VGG-16", 607'000},  {"VGG-19", 596'000},
      {"BERT", 1'176'000},  {"GPT-2", 6'605'000},   {"DLRM", 13'210'000},
  };
  return {
      {.name = "Lightning",
       .cores = 576,
       .gigahertz = 97,
       .power = {91'875'000},
       .pass_nanoseconds = 115},
      {.name = "A100",
       .cores = 6912,
       .gigahertz = 1.41,
       .power = {250'000'000},
       .datapath = measured,
       .measured_only = true},
      {.name = "A100X", .cores = 6912, .gigahertz = 1.41, .power = {300'000'000}},
      {.name = "Brainwave", .cores = 96000, .gigahertz = 0.25, .power = {125'000'000}},
  };
}

double work_seconds(const TickProcessor& processor, const ServedModel& model) {
  double multiplications = 0;
  for (const ServedLayer& layer : model.layers) {
    const ServedLayer dealt = merged(layer, processor.min_vector);
    multiplications += static_cast<double>(dealt.vector) * static_cast<double>(dealt.products);
  }
  return multiplications / processor.multiplications_per_second();
}

}  // namespace loom::photonic
