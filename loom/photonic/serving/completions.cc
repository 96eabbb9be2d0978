#include "loom/photonic/serving/completions.h"

namespace loom::photonic {

std::vector<ModelMean> means_by_model(const Completions& completions, std::size_t models) {
  std::vector<ModelMean> means(models);
  for (const Completion& it : completions.all) {
    ModelMean& mean = means[static_cast<std::size_t>(it.model)];
    mean.nanoseconds += it.nanoseconds;
    ++mean.answers;
  }
  for (ModelMean& mean : means) {
    if (mean.answers > 0) mean.nanoseconds /= mean.answers;
  }
  return means;
}

}  // namespace loom::photonic
