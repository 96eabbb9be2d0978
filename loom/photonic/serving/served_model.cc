#include "loom/photonic/serving/served_model.h"

#include <algorithm>

namespace loom::photonic {

std::int64_t ServedModel::multiplications() const {
  std::int64_t sum = 0;
  for (const ServedLayer& layer : layers) sum += layer.vector * layer.products;
  return sum;
}

ServedLayer merged(const ServedLayer& layer, std::int64_t least) {
  if (layer.vector >= least) return layer;
  return {least, (layer.vector * layer.products + least - 1) / least, layer.after};
}

const ServedModel* find_model(const std::vector<ServedModel>& models, std::string_view name) {
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const ServedModel& it) { return it.name == name; });
  return found == models.end() ? nullptr : &*found;
}

}  // namespace loom::photonic
