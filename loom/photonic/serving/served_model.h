// A network as a serving study sees it: layers of vector products, and what waits for what.
//
// A layer is `products` inner products of vectors of length `vector`; it begins when all layers it
// comes after have ended. So the authors of Lightning (SIGCOMM 2023) describe a network to their
// simulation. What a GPU would really run for the same request is a list of kernels of its own.
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
  std::vector<int> after = {};  // positions in the list of layers, each before this one's

  bool operator==(const ServedLayer&) const = default;
};

// One kernel for one request: a product of matrices, rows of tables, or a pass over memory.
struct ServedKernel {
  OperatorKind kind = OperatorKind::memory;
  MatrixProduct product = {};
  std::int64_t parameters = 0;  // that it reads, once for a batch
  std::int64_t moved = 0;       // lookup and memory: elements read and written for each request
};

struct ServedModel {
  std::string name;
  Bytes input;   // of a request, as it comes over the network
  Bytes output;  // of the answer
  std::vector<ServedLayer> layers;
  std::vector<ServedKernel> kernels;  // empty: not known, as for layers from a file
  int passes = 0;                     // layers that follow each other: what a datapath goes through

  std::int64_t multiplications() const;
};

// Products shorter than `least` are put together until they are that long; the last may be filled
// up.
ServedLayer merged(const ServedLayer& layer, std::int64_t min_vector);

// The networks of the study: AlexNet, ResNet-18, VGG-16, VGG-19, BERT (large), GPT-2 (extra large),
// DLRM, and LeNet-300-100, in this order.
std::vector<ServedModel> published_models();

// The layers of a CSV file with model, layer_id, vec_len, num_vvp and prereqs (numbers with blanks
// between). Input, output and passes are those of the published model of the same name, if there
// is one.
std::vector<ServedModel> parse_layer_table(std::string text, const std::string& source);

const ServedModel* find_model(const std::vector<ServedModel>& models, std::string_view name);

}  // namespace loom::photonic
