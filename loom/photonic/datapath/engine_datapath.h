// Registers and memories of the cycle-accurate engine, and the operations on them.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loom/photonic/datapath/digital.h"
#include "loom/photonic/datapath/engine.h"
#include "loom/photonic/datapath/machine.h"
#include "loom/photonic/datapath/words.h"

namespace loom::photonic {

class EngineDatapath {
 public:
  // Throws InputError if the modules cannot work.
  EngineDatapath(const PhotonicDatapath& datapath, const PhotonicLink& link,
                 const CountActionProgram& modules);

  // Replaces the network, and returns the previous one.
  PhotonicNetwork load(PhotonicNetwork network);
  EngineOutcome run(std::span<const std::uint8_t> input, const PhotonicRunOptions& options);

  // Sets a callback for the end of every cycle.
  void watch(std::function<void(const MachineCycle&)> watcher) {
    machine_.watch(std::move(watcher));
  }

  const PhotonicDatapath& datapath() const { return datapath_; }

 private:
  CountActionMachine::Operations operations();
  const PhotonicLayer& layer() const;
  std::int64_t preamble() const;
  std::function<void()> of_layer(void (EngineDatapath::*operation)());
  bool possible(bool condition, std::string_view otherwise);
  bool word_there(std::int64_t read);
  bool values_there();

  void load_layer();
  void read_inputs();
  void read_weights();
  void stream();
  void sample();
  void emit_word();
  void match();
  void align();
  void add_word();
  void emit_sum();
  void rectify();
  void normalize();
  void swap();
  void softmax();

  PhotonicDatapath datapath_;
  LightPath path_;
  Realigner realigner_;
  CountActionMachine machine_;
  int parsed_;
  int match_;
  int searched_;
  int product_;

  PhotonicNetwork network_;
  PhotonicRunOptions options_;
  PhotonicResult result_;
  Activations current_;     // input of the layer
  Activations next_;        // output of the layer
  bool written_ = false;    // the layer is done and its output is normalized
  bool unswapped_ = false;  // the output is not yet visible to the next layer
  int exponent_ = 0;        // log2 of the scale of the last layer's input
  int layer_ = -1;
  std::optional<NoiseField> noise_;

  std::deque<LightWord> inputs_;
  std::deque<WeightWord> weights_;
  std::deque<std::vector<std::int8_t>> signs_;
  std::deque<std::vector<Sample>> sampled_;
  std::deque<std::vector<Sample>> words_;
  std::deque<std::int64_t> partial_;  // sum of each word
  std::deque<std::int64_t> emitted_;  // sum of each dot product
  std::vector<std::int64_t> sums_;
  std::optional<int> aligned_;
  std::optional<int> candidate_;
  std::int64_t inputs_read_ = 0;
  std::int64_t weights_read_ = 0;
  std::int64_t streamed_ = 0;
  std::int64_t last_sampled_ = -1;  // cycle in which the ADC was last sampled
};

}  // namespace loom::photonic
