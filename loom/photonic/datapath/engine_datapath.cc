#include "loom/photonic/datapath/engine_datapath.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loom/base/error.h"
#include "loom/photonic/datapath/lightning_modules.h"

namespace loom::photonic {
namespace {

// Cycles that a run may take beyond the number that follows from the network's shapes.
constexpr std::int64_t kSlack = 10'000;

std::vector<std::string> hardware_signals() {
  const Hardware hardware = lightning_hardware();
  return {hardware.signals.begin(), hardware.signals.end()};
}

// The fault of a run, if any. Modules from a file may stop before there is a result.
std::optional<std::string> fault_of(const MachineOutcome& end, const PhotonicResult& result) {
  switch (end.end) {
    case MachineEnd::stopped:
      if (!result.log_probabilities.empty()) return {};
      return "the modules stop before there is a result";
    case MachineEnd::failed:
      return end.why;
    case MachineEnd::deadlock:
      return "deadlock: " + end.why;
    case MachineEnd::limit:
      break;
  }
  return "limit: " + end.why;
}

// Pops the next element of a queue; the operations ensure that there is one.
template <typename Entry>
Entry taken(std::deque<Entry>& queue) {
  Entry entry = std::move(queue.front());
  queue.pop_front();
  return entry;
}

}  // namespace

EngineDatapath::EngineDatapath(const PhotonicDatapath& datapath, const PhotonicLink& link,
                               const CountActionProgram& modules)
    : datapath_(datapath),
      path_(datapath, link),
      realigner_(datapath.lanes),
      machine_(modules, lightning_targets(datapath), operations(), hardware_signals()),
      parsed_(machine_.signal("packet.parsed")),
      match_(machine_.signal("window.match")),
      searched_(machine_.signal("window.searched")),
      product_(machine_.signal("product.word")) {}

PhotonicNetwork EngineDatapath::load(PhotonicNetwork network) {
  std::swap(network_, network);
  machine_.set_target("num_layers",
                      std::max<std::int64_t>(1, static_cast<std::int64_t>(network_.layers.size())));
  return network;
}

EngineOutcome EngineDatapath::run(std::span<const std::uint8_t> input,
                                  const PhotonicRunOptions& options) {
  LOOM_CHECK(!network_.layers.empty(), "a network is loaded before it runs");
  LOOM_CHECK(static_cast<std::int64_t>(input.size()) == input_size(network_),
             "an input has as many values as the network takes");
  machine_.reset();
  options_ = options;
  result_ = {};
  current_ = {{input.begin(), input.end()}, 0};
  layer_ = -1;
  written_ = unswapped_ = false;
  machine_.raise(parsed_, 0, 0);
  const MachineOutcome end = machine_.run(network_cycles(network_, datapath_) + kSlack);
  result_.cycles = end.cycles;
  auto fault = fault_of(end, result_);
  return {std::move(result_), std::move(fault), 0, end.end == MachineEnd::deadlock};
}

CountActionMachine::Operations EngineDatapath::operations() {
  using Datapath = EngineDatapath;
  return {
      {"load layer.targets", [this] { load_layer(); }},
      {"read input.word", of_layer(&Datapath::read_inputs)},
      {"read weight.word", of_layer(&Datapath::read_weights)},
      {"stream DAC.data", of_layer(&Datapath::stream)},
      {"sample ADC.data", of_layer(&Datapath::sample)},
      {"emit window.word", of_layer(&Datapath::emit_word)},
      {"match window.pattern", of_layer(&Datapath::match)},
      {"align window.offset", of_layer(&Datapath::align)},
      {"add product.word", of_layer(&Datapath::add_word)},
      {"emit partial.sum", of_layer(&Datapath::emit_sum)},
      {"rectify sum.value", of_layer(&Datapath::rectify)},
      {"normalize buffer.values", of_layer(&Datapath::normalize)},
      {"swap buffer.halves", of_layer(&Datapath::swap)},
      {"run softmax.logarithm", of_layer(&Datapath::softmax)},
  };
}

// Wraps an operation so that the run fails if no layer is loaded.
std::function<void()> EngineDatapath::of_layer(void (EngineDatapath::*operation)()) {
  return [this, operation] {
    if (possible(layer_ >= 0, "act before a layer is loaded")) (this->*operation)();
  };
}

const PhotonicLayer& EngineDatapath::layer() const {
  return network_.layers[static_cast<std::size_t>(layer_)];
}
std::int64_t EngineDatapath::preamble() const { return machine_.target("preamble"); }

// Fails the run unless `condition` holds: modules from a file may act in an order that the
// operations do not support.
bool EngineDatapath::possible(bool condition, std::string_view otherwise) {
  if (!condition) machine_.fail(fmt::format("the modules {}", otherwise));
  return condition;
}

void EngineDatapath::load_layer() {
  const auto layers = static_cast<int>(network_.layers.size());
  if (!possible(layer_ + 1 < layers, "request more layers than there are")) return;
  if (!possible(layer_ < 0 || written_, "continue before a layer is written")) return;
  if (!possible(!unswapped_, "continue before the buffer is swapped")) return;
  ++layer_;
  written_ = false;
  const std::int64_t words = streaming_cycles(vector_length(layer()), datapath_);
  machine_.set_target("dot_words", words);
  machine_.set_target("layer_words", words * dot_products(layer()));
  machine_.set_target("layer_width", dot_products(layer()));
  noise_.emplace(options_.noise, options_.input_index, layer_);
  path_.begin(*noise_, options_.noise.sample_sigma, preamble());
  realigner_.begin();
  inputs_.clear();
  weights_.clear();
  sampled_.clear();
  signs_.clear();
  words_.clear();
  partial_.clear();
  emitted_.clear();
  sums_.clear();
  aligned_.reset();
  candidate_.reset();
  inputs_read_ = weights_read_ = streamed_ = 0;
  last_sampled_ = -1;
}

// Fails the run if the modules read beyond the last word of the layer.
bool EngineDatapath::word_there(std::int64_t read) {
  const std::int64_t words =
      dot_products(layer()) * streaming_cycles(vector_length(layer()), datapath_);
  return possible(read < preamble() + words, "read beyond the end of a layer");
}

bool EngineDatapath::values_there() {
  const auto given = static_cast<std::int64_t>(current_.values.size());
  return possible(given == elements(layer().input), "read values of another layer");
}

void EngineDatapath::read_inputs() {
  const std::int64_t read = inputs_read_++;
  if (read < preamble()) {
    inputs_.push_back(preamble_word(datapath_));
  } else if (word_there(read) && values_there()) {
    inputs_.push_back(input_word(layer(), datapath_, current_.values, read - preamble()));
  }
}

void EngineDatapath::read_weights() {
  const std::int64_t read = weights_read_++;
  if (read < preamble()) {
    weights_.push_back({preamble_word(datapath_), {}});
  } else if (word_there(read)) {
    weights_.push_back(weight_word(layer(), datapath_, read - preamble()));
  }
}

void EngineDatapath::stream() {
  if (!possible(!inputs_.empty() && !weights_.empty(), "stream words that were not read")) return;
  const LightWord inputs = taken(inputs_);
  const WeightWord weights = taken(weights_);
  path_.send(inputs, weights.light);
  if (streamed_++ >= preamble()) signs_.push_back(masked_signs(inputs, weights, datapath_));
}

// An ADC yields one word per cycle; a second word would contain light that is still in flight.
void EngineDatapath::sample() {
  const std::int64_t before = std::exchange(last_sampled_, machine_.cycle());
  if (!possible(before != last_sampled_, "sample twice in a cycle")) return;
  sampled_.push_back(path_.receive());
}

void EngineDatapath::emit_word() {
  if (!possible(!sampled_.empty(), "emit words that were not sampled")) return;
  realigner_.push(taken(sampled_));
  if (!aligned_) return;
  words_.push_back(realigner_.window(*aligned_));
  machine_.raise(product_, 0, machine_.target("compensator") + machine_.target("signs"));
}

void EngineDatapath::match() {
  if (aligned_) return;
  machine_.raise(searched_, 0, 1);
  candidate_ = realigner_.matched();
  if (candidate_) machine_.raise(match_, *candidate_, 1);
}

void EngineDatapath::align() { aligned_ = candidate_; }

// Applies signs and mask, then the adder tree.
void EngineDatapath::add_word() {
  if (!possible(!words_.empty() && !signs_.empty(), "add words that did not arrive")) return;
  const std::vector<Sample> word = taken(words_);
  const std::vector<std::int8_t> signs = taken(signs_);
  std::int64_t sum = 0;
  for (std::size_t lane = 0; lane < word.size(); ++lane) {
    sum += std::int64_t{signs[lane]} * word[lane].value;
    if (signs[lane] != 0 && word[lane].clipped) ++result_.clipped;
  }
  partial_.push_back(sum);
}

void EngineDatapath::emit_sum() {
  const auto words = static_cast<std::size_t>(machine_.target("dot_words"));
  const auto dot = static_cast<std::int64_t>(sums_.size() + emitted_.size());
  if (!possible(partial_.size() >= words && dot < dot_products(layer()),
                "emit sums of words that did not arrive")) {
    return;
  }
  std::int64_t sum = first_sum(layer(), dot_product(layer(), dot).output, current_.exponent);
  for (std::size_t i = 0; i < words; ++i) sum += taken(partial_);
  emitted_.push_back(sum);
}

// Stores signed sums, which PhotonicLayerResult reports; activate() applies ReLU when it reads
// them.
void EngineDatapath::rectify() {
  if (possible(!emitted_.empty(), "rectify sums that were not emitted"))
    sums_.push_back(taken(emitted_));
}

void EngineDatapath::normalize() {
  const bool whole = static_cast<std::int64_t>(sums_.size()) == dot_products(layer());
  if (!possible(whole, "normalize part of a layer")) return;
  if (!possible(!written_, "normalize a layer twice")) return;
  written_ = true;
  std::vector<std::int32_t> sums = wrapped(sums_, result_.overflows);
  add_output_noise(sums, options_.noise.output_sigma, *noise_);
  const bool last = layer_ + 1 == static_cast<int>(network_.layers.size());
  if (last) {
    result_.logits = sums;
    exponent_ = current_.exponent;
  } else {
    next_ = activate(layer(), sums, current_.exponent);
    unswapped_ = true;
  }
  if (!options_.keep_layers) return;
  result_.layers.push_back({std::move(sums), last ? std::vector<std::uint8_t>{} : next_.values});
}

// After the last layer there is nothing to swap, but a swap is harmless.
void EngineDatapath::swap() {
  if (!possible(written_, "swap the buffer before a layer is written")) return;
  current_ = std::exchange(next_, {});
  unswapped_ = false;
}

void EngineDatapath::softmax() {
  if (!possible(!result_.logits.empty(), "end before the last layer")) return;
  if (layer().relu) {
    for (std::int32_t& logit : result_.logits) logit = std::max(logit, 0);
  }
  result_.log_probabilities = log_softmax(result_.logits, logit_scale(network_, exponent_));
  result_.label = largest_index(result_.logits);
}

}  // namespace loom::photonic
