#include "loom/photonic/serving/served_model.h"

#include <algorithm>

namespace loom::photonic {

std::int64_t ServedModel::multiplications() const {
  std::int64_t sum = 0;
  for (const ServedLayer& layer : layers) sum += layer.vector * layer.products;
  return sum;
}

ServedLayer merged(const ServedLayer& layer, std::int64_t min_vector) {
  if (layer.vector >= min_vector) return layer;
  return {min_vector, (layer.vector * layer.products + min_vector - 1) / min_vector, layer.after};
}

const ServedModel* find_model(const std::vector<ServedModel>& models, std::string_view name) {
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const ServedModel& it) { return it.name == name; });
  return found == models.end() ? nullptr : &*found;
}

}  // namespace loom::photonic
