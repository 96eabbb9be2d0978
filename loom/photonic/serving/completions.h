// The results of a run of requests: each answer in the order in which it was given.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::photonic {

struct Completion {
  int request = 0;         // index among the arrivals
  int model = 0;           // index in the list of models
  double nanoseconds = 0;  // from arrival to answer
};

struct Completions {
  std::vector<Completion> all;
  double busy_seconds = 0;  // work done, as time of the entire processor
  double end_seconds = 0;   // when the run ended
};

// Mean serving time of a model in ns, and its number of answers.
struct ModelMean {
  double nanoseconds = 0;
  int answers = 0;
};

// Indexed like the list of models. Sums are taken in the order of the answers.
std::vector<ModelMean> means_by_model(const Completions& completions, std::size_t models);

}  // namespace loom::photonic
