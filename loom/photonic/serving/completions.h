// What came of a run of requests: each answer in the order they were given.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::photonic {

struct Completion {
  int request = 0;         // its place among the arrivals
  int model = 0;           // position in the list of models
  double nanoseconds = 0;  // from arrival to answer
};

struct Completions {
  std::vector<Completion> all;
  double busy_seconds = 0;  // the work that was done, as time of the whole processor
  double end_seconds = 0;   // when the run ended
};

// Mean time to serve of each model, in ns, and how often it was answered.
struct ModelMean {
  double nanoseconds = 0;
  int answers = 0;
};

// By position in the list of models. The sum goes in the order of the answers.
std::vector<ModelMean> means_by_model(const Completions& completions, std::size_t models);

}  // namespace loom::photonic
