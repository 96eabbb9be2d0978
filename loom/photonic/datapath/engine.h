// The cycle-accurate engine: Lightning's datapath as count-action modules that run.
//
// The modules (lightning_modules.h, or others in the same notation) decide what happens when; the
// operations that they name are here. A network is loaded by rewriting targets. The engine gives
// the bits and the cycles of the functional path (functional.h), or says why it gives none: before
// an input, known operands are sent through the light, so that skewed modulators, lost samples, and
// light that is too weak or beyond the ADC's range are a fault and never a wrong answer.
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

namespace loom {

struct EngineOutcome {
  PhotonicResult result;             // where there is no fault
  std::optional<std::string> fault;  // "deadlock: …", "no preamble …", "known answer: …"
  std::int64_t check_cycles = 0;     // of the known-answer check, which comes before the request
};

class EngineDatapath;

class PhotonicEngine {
 public:
  // Needs a datapath without objection and a link whose offset is below the lanes. InputError where
  // the modules cannot work.
  explicit PhotonicEngine(const PhotonicDatapath& datapath = {}, const PhotonicLink& link = {});
  PhotonicEngine(const PhotonicDatapath& datapath, const PhotonicLink& link,
                 const CountActionProgram& modules);
  ~PhotonicEngine();
  PhotonicEngine(PhotonicEngine&&) noexcept;
  PhotonicEngine& operator=(PhotonicEngine&&) noexcept;

  // Another network from now on. Needs one without objection.
  void load(PhotonicNetwork network);

  // Needs a loaded network. With `check` the link is tried first.
  EngineOutcome run(std::span<const std::uint8_t> input, const PhotonicRunOptions& options = {},
                    bool check = true);

  // Sends known operands; what is wrong with the link, if anything is, and how long it took.
  std::optional<std::string> known_answer_fault(const PhotonicNoise& noise = {},
                                                std::int64_t* cycles = nullptr);

 private:
  std::unique_ptr<EngineDatapath> datapath_;
};

// The compensation that makes the link answer rightly, of `cycles` cycles at all offsets in either
// direction; none if there is none. `link.compensation` is not looked at.
std::optional<int> find_compensation(const PhotonicDatapath& datapath, PhotonicLink link,
                                     int cycles);

// Whether products come through the light as they are through one without loss, with eight bits
// everywhere and the ADC's full range: why not, if they do not. A sum may lose what ADCs of four
// bits cut off. Of the datapath alone; noise is no part of it.
std::optional<std::string> light_fault(const PhotonicDatapath& datapath);

// One dense layer of operands that tell every skew apart.
PhotonicNetwork known_answer_network();
std::vector<std::uint8_t> known_answer_input();

}  // namespace loom
