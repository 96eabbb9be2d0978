// A neural network in a serving study: layers of inner products and their dependencies.
//
// A layer is `products` inner products of vectors of length `vector`; a layer starts when all
// layers on which it depends have ended. The authors of Lightning (SIGCOMM 2023) describe networks
// to their simulation in this form. The kernels that a GPU would run for the same request are
// listed separately.
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
  std::vector<int> after = {};  // indices of the earlier layers on which this layer depends

  bool operator==(const ServedLayer&) const = default;
};

// One kernel for one request: a matrix product, a table lookup, or a pass over memory.
struct ServedKernel {
  model::OperatorKind kind = model::OperatorKind::memory;
  model::MatrixProduct product = {};
  std::int64_t parameters = 0;  // parameters read, once per batch
  std::int64_t moved = 0;  // elements read and written per request; 0 for dense and convolution
};

struct ServedModel {
  std::string name;
  Bytes input;   // size of a request on the network
  Bytes output;  // size of the answer
  std::vector<ServedLayer> layers;
  std::vector<ServedKernel> kernels;  // empty: unknown, as for layers from a file
  // Passes through the datapath: length of the longest chain of dependent layers; for published
  // models, the number that the authors use.
  int passes = 0;

  std::int64_t multiplications() const;
};

// Merges products shorter than `min_vector` into products of that length; the last product may be
// padded.
ServedLayer merged(const ServedLayer& layer, std::int64_t min_vector);

// The networks of the study: AlexNet, ResNet-18, VGG-16, VGG-19, BERT (large), GPT-2 (extra large),
// DLRM, and LeNet-300-100, in this order.
std::vector<ServedModel> published_models();

// Parses a CSV file of layers with the columns model, layer_id, vec_len (vector length), num_vvp
// (number of products) and prereqs (layer_ids separated by spaces). Input, output and passes are
// taken from the published model of the same name, if any.
std::vector<ServedModel> parse_layer_table(std::string text, const std::string& source);

const ServedModel* find_model(const std::vector<ServedModel>& models, std::string_view name);

}  // namespace loom::photonic
