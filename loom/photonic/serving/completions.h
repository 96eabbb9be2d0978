// Results of a serving simulation: the answers in the order in which they were given.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::photonic {

struct Completion {
  int request = 0;         // index of the request in the list of arrivals
  int model = 0;           // index in the list of models
  double nanoseconds = 0;  // from arrival to answer
};

struct Completions {
  std::vector<Completion> all;
  double busy_seconds = 0;  // time that the entire processor needed for the work done
  double end_seconds = 0;   // end of the run
};

// Mean serving time of a model in ns, and its number of answers.
struct ModelMean {
  double nanoseconds = 0;
  int answers = 0;
};

// Means by model, indexed like the list of models. Times are added in the order of the answers,
// which determines the rounding.
std::vector<ModelMean> means_by_model(const Completions& completions, std::size_t models);

}  // namespace loom::photonic
