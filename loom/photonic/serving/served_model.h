// A network in a serving study: layers of vector products and their dependencies.
//
// A layer is `products` inner products of vectors of length `vector`; it starts when all layers it
// depends on have ended. The authors of Lightning (SIGCOMM 2023) describe networks to their
// simulation in this form. The kernels that a GPU would run for the same request are listed
// separately.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/units.h"
#include "loom/model/model.h"

namespace loom::photonic {

struct ServedLayer {
  std::int64_t vector = 1;
  std::int64_t products = 1;
  std::vector<int> after = {};  // indices of earlier layers that it depends on

  bool operator==(const ServedLayer&) const = default;
};

// One kernel for one request: a matrix product, a table lookup, or a pass over memory.
struct ServedKernel {
  model::OperatorKind kind = model::OperatorKind::memory;
  model::MatrixProduct product = {};
  std::int64_t parameters = 0;  // parameters read, once per batch
  std::int64_t moved = 0;       // lookup and memory: elements read and written per request
};

struct ServedModel {
  std::string name;
  Bytes input;   // size of a request on the network
  Bytes output;  // size of the answer
  std::vector<ServedLayer> layers;
  std::vector<ServedKernel> kernels;  // empty: unknown, as for layers from a file
  int passes = 0;                     // consecutive layers, each a pass through the datapath

  std::int64_t multiplications() const;
};

// Merges products shorter than `min_vector` into products of that length; the last may be padded.
ServedLayer merged(const ServedLayer& layer, std::int64_t min_vector);

// The networks of the study: AlexNet, ResNet-18, VGG-16, VGG-19, BERT (large), GPT-2 (extra large),
// DLRM, and LeNet-300-100, in this order.
std::vector<ServedModel> published_models();

// The layers in a CSV file with model, layer_id, vec_len, num_vvp and prereqs (numbers separated by
// spaces). Input, output and passes are taken from the published model of the same name, if any.
std::vector<ServedModel> parse_layer_table(std::string text, const std::string& source);

const ServedModel* find_model(const std::vector<ServedModel>& models, std::string_view name);

}  // namespace loom::photonic
