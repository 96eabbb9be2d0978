// The cycle-accurate engine: executes Lightning's datapath as count-action modules.
//
// The modules (lightning_modules.h, or others in the same notation) determine the time of every
// operation; the engine implements the operations that the modules name. A network is loaded by
// rewriting targets. The results and cycle counts equal those of the functional path
// (functional.h), or the engine reports a fault: before each input it sends operands with known
// sums through the optical path, so that skewed modulators, lost samples, weak light and clipping
// are reported instead of giving a wrong answer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/photonic/datapath/count_action.h"
#include "loom/photonic/datapath/functional.h"
#include "loom/photonic/datapath/light.h"

namespace loom::photonic {

struct EngineOutcome {
  PhotonicResult result;             // valid if there is no fault
  std::optional<std::string> fault;  // "deadlock: …", "no preamble …", "known answer: …"
  std::int64_t check_cycles = 0;     // cycles of the known-answer check, which precedes the request
  bool deadlock = false;  // the fault is a deadlock: modules wait, but no signal is pending
};

class EngineDatapath;

class PhotonicEngine {
 public:
  // Needs a valid datapath, and a link whose offset is less than the number of lanes. Throws
  // InputError if the modules cannot work.
  explicit PhotonicEngine(const PhotonicDatapath& datapath = {}, const PhotonicLink& link = {});
  PhotonicEngine(const PhotonicDatapath& datapath, const PhotonicLink& link,
                 const CountActionProgram& modules);
  ~PhotonicEngine();
  PhotonicEngine(PhotonicEngine&&) noexcept;
  PhotonicEngine& operator=(PhotonicEngine&&) noexcept;

  // Replaces the network; needs a valid one.
  void load(PhotonicNetwork network);

  // Runs one input. Needs a loaded network. With `check`, runs the known-answer check first.
  EngineOutcome run(std::span<const std::uint8_t> input, const PhotonicRunOptions& options = {},
                    bool check = true);

  // The known-answer check: sends known operands and returns the fault of the optical path, if any.
  // Stores the duration in `cycles`.
  std::optional<std::string> known_answer_fault(const PhotonicNoise& noise = {},
                                                std::int64_t* cycles = nullptr);

 private:
  std::unique_ptr<EngineDatapath> datapath_;
};

// The compensation in samples, less than `cycles` cycles in either direction, with which the
// known-answer check succeeds; nullopt if there is none. `link.compensation` is ignored.
std::optional<int> find_compensation(const PhotonicDatapath& datapath, PhotonicLink link,
                                     int cycles);

// Compares sums without noise with those of an ideal datapath: no loss, 8-bit converters, full ADC
// range. Returns a fault if a sum differs by more than the truncation of a 4-bit ADC, or if a
// sample is clipped.
std::optional<std::string> light_fault(const PhotonicDatapath& datapath);

// A network of one dense layer, and its input, whose sums change with any skew of the modulators.
PhotonicNetwork known_answer_network();
std::vector<std::uint8_t> known_answer_input();

}  // namespace loom::photonic
