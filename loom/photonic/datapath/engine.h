// The cycle-accurate engine: executes Lightning's datapath as count-action modules.
//
// The modules (lightning_modules.h, or others in the same notation) decide what happens when; the
// engine implements the operations that they name. A network is loaded by rewriting targets. The
// results and cycle counts equal those of the functional path (functional.h), or the engine reports
// a fault: it sends known operands through the light before each input, so that skewed modulators,
// lost samples, weak light and clipping are reported and never give a wrong answer.
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
  bool deadlock = false;             // the fault is that modules wait for each other
};

class EngineDatapath;

class PhotonicEngine {
 public:
  // Needs a valid datapath and a link whose offset is below the lanes. InputError if the modules
  // cannot work.
  explicit PhotonicEngine(const PhotonicDatapath& datapath = {}, const PhotonicLink& link = {});
  PhotonicEngine(const PhotonicDatapath& datapath, const PhotonicLink& link,
                 const CountActionProgram& modules);
  ~PhotonicEngine();
  PhotonicEngine(PhotonicEngine&&) noexcept;
  PhotonicEngine& operator=(PhotonicEngine&&) noexcept;

  // Replaces the network; needs a valid one.
  void load(PhotonicNetwork network);

  // Needs a loaded network. With `check`, tests the link first.
  EngineOutcome run(std::span<const std::uint8_t> input, const PhotonicRunOptions& options = {},
                    bool check = true);

  // Sends known operands; returns the link's fault, if any, and the duration in `cycles`.
  std::optional<std::string> known_answer_fault(const PhotonicNoise& noise = {},
                                                std::int64_t* cycles = nullptr);

 private:
  std::unique_ptr<EngineDatapath> datapath_;
};

// Searches up to `cycles` cycles in either direction, at every offset, for the compensation that
// gives correct results; nullopt if there is none. `link.compensation` is ignored.
std::optional<int> find_compensation(const PhotonicDatapath& datapath, PhotonicLink link,
                                     int cycles);

// Compares products with those of an ideal datapath: no loss, eight bits everywhere, full ADC
// range. Returns the fault, if any. A sum may differ by the truncation of four-bit ADCs. Noise is
// not considered.
std::optional<std::string> light_fault(const PhotonicDatapath& datapath);

// One dense layer whose operands distinguish every skew.
PhotonicNetwork known_answer_network();
std::vector<std::uint8_t> known_answer_input();

}  // namespace loom::photonic
