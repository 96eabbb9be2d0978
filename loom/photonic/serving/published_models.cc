// The networks of the Lightning study (SIGCOMM 2023, section 9), each in two forms: the layers of
// vector products of the released simulation, and the kernels that a GPU runs.
//
// The layers follow the authors, also where this is unusual: a convolution is one product of length
// k² per pair of channels and position, an embedding is a product with a one-hot vector, the
// shortcuts of ResNet-18 are sequential, and each attention head has its own layers. The kernels
// are those of an inference library: table rows are looked up, heads are batched, activation
// functions are fused.
#include <array>
#include <numeric>
#include <span>

#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {
namespace {

struct Convolution {
  int inputs;
  int kernel;
  int outputs;
  int side;  // side of the output in pixels
};

struct Dense {
  int inputs;
  int outputs;
};

constexpr Bytes kImage{150'528};          // 224 by 224, three colors
constexpr std::int64_t kTokenBytes = 10;  // the authors' estimate of a token's size on the network
constexpr std::int64_t kHalf = 2;         // bytes of an fp16 number

ServedKernel pass_over(std::int64_t moved) { return {model::OperatorKind::memory, {}, 0, moved}; }

ServedKernel dense_kernel(std::int64_t rows, std::int64_t inputs, std::int64_t outputs) {
  return {model::OperatorKind::product, {rows, inputs, outputs}, inputs * outputs, 0};
}

// Adds a layer that depends on the previous layer.
void add_in_line(ServedModel& model, std::int64_t vector, std::int64_t products) {
  const int before = static_cast<int>(model.layers.size()) - 1;
  model.layers.push_back(
      {vector, products, before < 0 ? std::vector<int>{} : std::vector<int>{before}});
}

ServedModel image_network(std::string name, std::span<const Convolution> convolutions,
                          std::span<const Dense> last) {
  ServedModel model{std::move(name), kImage, {last.back().outputs * kHalf}, {}, {}, 0};
  for (const Convolution& it : convolutions) {
    const std::int64_t places = std::int64_t{it.side} * it.side;
    const std::int64_t area = std::int64_t{it.kernel} * it.kernel;
    const std::int64_t pairs = std::int64_t{it.inputs} * it.outputs;
    add_in_line(model, area, pairs * places);
    model.kernels.push_back({model::OperatorKind::convolution,
                             {places, area * it.inputs, it.outputs},
                             pairs * area,
                             0});
  }
  for (const Dense& it : last) {
    add_in_line(model, it.inputs, it.outputs);
    model.kernels.push_back(dense_kernel(1, it.inputs, it.outputs));
  }
  model.passes = static_cast<int>(model.layers.size());
  return model;
}

// Krizhevsky et al., 2012, as in torchvision.
ServedModel alexnet() {
  constexpr std::array<Convolution, 5> kConvolutions = {
      {{3, 11, 64, 55}, {64, 5, 192, 27}, {192, 3, 384, 13}, {384, 3, 256, 13}, {256, 3, 256, 13}}};
  constexpr std::array<Dense, 3> kLast = {{{9216, 4096}, {4096, 4096}, {4096, 1000}}};
  return image_network("AlexNet", kConvolutions, kLast);
}

// He et al., arXiv 1512.03385: four stages of two blocks of two convolutions; from the second stage
// on, the first block halves the image and has a convolution on its shortcut.
ServedModel resnet_18() {
  std::vector<Convolution> convolutions = {{3, 7, 64, 112}};
  int inputs = 64;
  int side = 56;
  for (const int outputs : {64, 128, 256, 512}) {
    if (outputs != inputs) side /= 2;
    convolutions.push_back({inputs, 3, outputs, side});
    convolutions.push_back({outputs, 3, outputs, side});
    if (outputs != inputs) convolutions.push_back({inputs, 1, outputs, side});
    for (int i = 0; i < 2; ++i) convolutions.push_back({outputs, 3, outputs, side});
    inputs = outputs;
  }
  constexpr std::array<Dense, 1> kLast = {{{512, 1000}}};
  return image_network("ResNet-18", convolutions, kLast);
}

// Simonyan and Zisserman, arXiv 1409.1556: the given numbers of convolutions in five stages.
ServedModel vgg(std::string name, std::array<int, 5> stages) {
  std::vector<Convolution> convolutions;
  int inputs = 3;
  int side = 224;
  int outputs = 64;
  for (const int count : stages) {
    for (int i = 0; i < count; ++i) {
      convolutions.push_back({inputs, 3, outputs, side});
      inputs = outputs;
    }
    side /= 2;
    outputs = std::min(512, 2 * outputs);
  }
  constexpr std::array<Dense, 3> kLast = {{{25088, 4096}, {4096, 4096}, {4096, 1000}}};
  return image_network(std::move(name), convolutions, kLast);
}

struct Transformer {
  std::int64_t tokens;
  std::int64_t hidden;
  std::int64_t heads;
  int blocks;
};

// Adds one transformer block: for each head the queries, keys, values, scores and weighted values;
// then the projection of all heads and the two feed-forward layers. Returns the index of the last
// layer.
int add_block(ServedModel& model, const Transformer& it, const std::vector<int>& after) {
  auto& layers = model.layers;
  const std::int64_t head = it.tokens * it.hidden / it.heads;
  std::vector<int> all_heads;
  for (std::int64_t h = 0; h < it.heads; ++h) {
    const int query = static_cast<int>(layers.size());
    for (int i = 0; i < 3; ++i) layers.push_back({it.hidden, head, after});
    layers.push_back({it.hidden / it.heads, it.tokens * it.tokens, {query, query + 1}});
    layers.push_back({it.tokens, head, {query + 2, query + 3}});
    all_heads.push_back(query + 4);
  }
  layers.push_back({it.hidden, it.tokens * it.hidden, all_heads});
  add_in_line(model, it.hidden, it.tokens * 4 * it.hidden);
  add_in_line(model, 4 * it.hidden, it.tokens * it.hidden);
  return static_cast<int>(layers.size()) - 1;
}

// The kernels of one block; scores stay on the chip (FlashAttention, arXiv 2205.14135).
void add_block_kernels(ServedModel& model, const Transformer& it) {
  const std::int64_t sequence = it.tokens * it.hidden;
  const std::int64_t head = it.hidden / it.heads;
  auto& kernels = model.kernels;
  kernels.push_back(dense_kernel(it.tokens, it.hidden, 3 * it.hidden));
  kernels.push_back(
      {model::OperatorKind::attention, {it.tokens, 2 * head, it.tokens, it.heads}, 0, 0});
  kernels.back().moved = 4 * sequence;
  kernels.push_back(dense_kernel(it.tokens, it.hidden, it.hidden));
  kernels.push_back(pass_over(3 * sequence));  // addition and norm
  kernels.push_back(dense_kernel(it.tokens, it.hidden, 4 * it.hidden));
  kernels.push_back(dense_kernel(it.tokens, 4 * it.hidden, it.hidden));
  kernels.push_back(pass_over(3 * sequence));
}

ServedKernel lookup(std::int64_t rows, std::int64_t width) {
  return {model::OperatorKind::lookup, {}, 0, 2 * rows * width};
}

void add_blocks(ServedModel& model, const Transformer& it) {
  std::vector<int> after(model.layers.size());
  std::iota(after.begin(), after.end(), 0);
  model.kernels.push_back(lookup(it.tokens, it.hidden));
  for (int block = 0; block < it.blocks; ++block) {
    after = {add_block(model, it, after)};
    add_block_kernels(model, it);
  }
}

// Devlin et al., arXiv 1810.04805. The authors count seven passes per block.
ServedModel bert_large() {
  constexpr Transformer kShape{512, 1024, 16, 24};
  ServedModel model{"BERT", {kShape.tokens * kTokenBytes}, {}, {}, {}, 0};
  model.output = {kShape.tokens * kShape.hidden * kHalf};
  model.layers.push_back({29056, kShape.hidden, {}});
  add_blocks(model, kShape);
  model.passes = 1 + 7 * kShape.blocks;
  return model;
}

// Radford et al., 2019. The answer holds a score for each possible next token.
ServedModel gpt_2() {
  constexpr Transformer kShape{1024, 1600, 25, 48};
  constexpr std::int64_t kVocabulary = 50257;
  ServedModel model{"GPT-2", {kShape.tokens * kTokenBytes}, {kVocabulary * kHalf}, {}, {}, 0};
  model.layers.push_back({kVocabulary, kShape.hidden, {}});
  model.layers.push_back({kShape.tokens, kShape.hidden, {}});
  add_blocks(model, kShape);
  add_in_line(model, kShape.hidden, kShape.tokens * kVocabulary);
  model.kernels.push_back(dense_kernel(kShape.tokens, kShape.hidden, kVocabulary));
  model.passes = 2 + 7 * kShape.blocks;
  return model;
}

// Naumov et al., arXiv 1906.00091, with the 26 tables of the Criteo Kaggle data set.
ServedModel dlrm() {
  constexpr std::array<std::int64_t, 26> kRows = {
      9980333, 36084,   17217,   7378,    20134,  3,     7112, 1442, 61,
      9758201, 1333352, 313829,  10,      2208,   11156, 122,  4,    970,
      14,      11156,   7267859, 9946608, 415421, 12420, 101,  36};
  constexpr std::int64_t kWidth = 64;
  ServedModel model{"DLRM", {512 * kTokenBytes}, {kHalf}, {}, {}, 0};
  for (const std::int64_t rows : kRows) model.layers.push_back({rows, kWidth, {}});
  model.kernels.push_back(lookup(static_cast<std::int64_t>(kRows.size()), kWidth));
  std::vector<int> joined(kRows.size());
  std::iota(joined.begin(), joined.end(), 0);
  constexpr std::array<Dense, 7> kDense = {
      {{13, 512}, {512, 256}, {256, 64}, {415, 512}, {512, 512}, {512, 256}, {256, 1}}};
  for (std::size_t i = 0; i < kDense.size(); ++i) {
    const int before = static_cast<int>(model.layers.size()) - 1;
    std::vector<int> after = {before};
    if (i == 0) after.clear();
    if (i == 3) {  // the dense features are combined with the rows of all tables
      after = joined;
      after.push_back(before);
    }
    model.layers.push_back({kDense[i].inputs, kDense[i].outputs, after});
    model.kernels.push_back(dense_kernel(1, kDense[i].inputs, kDense[i].outputs));
  }
  model.passes = 8;  // 1 for the tables, 3 for the bottom MLP, 4 for the top MLP
  return model;
}

ServedModel lenet_300_100() {
  ServedModel model{"LeNet-300-100", {784}, {10 * kHalf}, {}, {}, 3};
  for (const Dense it : {Dense{784, 300}, Dense{300, 100}, Dense{100, 10}}) {
    add_in_line(model, it.inputs, it.outputs);
    model.kernels.push_back(dense_kernel(1, it.inputs, it.outputs));
  }
  return model;
}

}  // namespace

std::vector<ServedModel> published_models() {
  return {alexnet(),
          resnet_18(),
          vgg("VGG-16", {2, 2, 3, 3, 3}),
          vgg("VGG-19", {2, 2, 4, 4, 4}),
          bert_large(),
          gpt_2(),
          dlrm(),
          lenet_300_100()};
}

}  // namespace loom::photonic
