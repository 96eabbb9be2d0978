// Presets: published models as values of their families' parameters.
//
// Sources. Transformers: the released config.json of each, or the table in the paper. TopoOpt's
// simulated models: the scripts under simulation/scripts/fig11_17 of
// github.com/hipersys-team/TopoOpt and their options. In these scripts, the first width of the DLRM
// and NCF stacks is the width of the input, not of a layer. Uno's last layer there maps one number
// to one number, and is left out here.
#include <array>

#include "loom/model/catalog.h"
#include "loom/model/families/convnet.h"
#include "loom/model/families/recommender.h"
#include "loom/model/families/transformer.h"

namespace loom::model {
namespace {

using Value = std::pair<std::string_view, std::string_view>;

constexpr std::array kVgg11 = {Value{"convolutions", "1x1x2x2x2"}};
constexpr std::array kVgg16 = {Value{"convolutions", "2x2x3x3x3"}};
constexpr std::array kVgg19 = {Value{"convolutions", "2x2x4x4x4"}};
constexpr std::array kResnet50 = {Value{"stages", "3x4x6x3"}};
constexpr std::array kResnet101 = {Value{"stages", "3x4x23x3"}};
constexpr std::array kResnet152 = {Value{"stages", "3x8x36x3"}};

// Sinusoidal positions are added without a table. The paper does not give the sequence length, only
// that a batch has about 25,000 source tokens and 25,000 target tokens.
constexpr std::array kTransformerBig = {
    Value{"encoder_layers", "6"}, Value{"layers", "6"},          Value{"hidden", "1024"},
    Value{"heads", "16"},         Value{"feed_forward", "4096"}, Value{"vocabulary", "37000"},
    Value{"sequence", "256"},     Value{"post_norm", "true"},    Value{"final_norm", "false"}};

// With the pretraining heads. MLPerf predicts 76 of 512 positions.
constexpr std::array kBertLarge = {
    Value{"layers", "24"},        Value{"hidden", "1024"},         Value{"heads", "16"},
    Value{"vocabulary", "30522"}, Value{"sequence", "512"},        Value{"positions", "512"},
    Value{"segments", "2"},       Value{"embedding_norm", "true"}, Value{"post_norm", "true"},
    Value{"final_norm", "false"}, Value{"causal", "false"},        Value{"head", "masked"},
    Value{"predictions", "76"},   Value{"pooler", "true"}};

constexpr std::array kGpt2 = {Value{"layers", "48"},     Value{"hidden", "1600"},
                              Value{"heads", "25"},      Value{"vocabulary", "50257"},
                              Value{"sequence", "1024"}, Value{"positions", "1024"}};
constexpr std::array kMegatron = {Value{"layers", "72"},     Value{"hidden", "3072"},
                                  Value{"heads", "32"},      Value{"vocabulary", "51200"},
                                  Value{"sequence", "1024"}, Value{"positions", "1024"}};
constexpr std::array kGpt3 = {Value{"layers", "96"},     Value{"hidden", "12288"},
                              Value{"heads", "96"},      Value{"vocabulary", "50257"},
                              Value{"sequence", "2048"}, Value{"positions", "2048"}};

// Settings shared by Llama and its successors.
template <std::size_t N>
constexpr std::array<Value, N + 7> llama_like(const std::array<Value, N>& sizes) {
  constexpr std::array kStyle = {Value{"gated", "true"},     Value{"norm", "rms"},
                                 Value{"bias", "false"},     Value{"tied", "false"},
                                 Value{"dropout", "false"},  Value{"rotary", "true"},
                                 Value{"attention", "fused"}};
  std::array<Value, N + 7> all;
  for (std::size_t i = 0; i < N; ++i) all[i] = sizes[i];
  for (std::size_t i = 0; i < kStyle.size(); ++i) all[N + i] = kStyle[i];
  return all;
}

constexpr auto kLlama8 = llama_like(std::array{
    Value{"layers", "32"}, Value{"hidden", "4096"}, Value{"heads", "32"}, Value{"kv_heads", "8"},
    Value{"feed_forward", "14336"}, Value{"vocabulary", "128256"}, Value{"sequence", "8192"}});
constexpr auto kLlama70 = llama_like(std::array{
    Value{"layers", "80"}, Value{"hidden", "8192"}, Value{"heads", "64"}, Value{"kv_heads", "8"},
    Value{"feed_forward", "28672"}, Value{"vocabulary", "128256"}, Value{"sequence", "8192"}});
constexpr auto kLlama405 = llama_like(std::array{
    Value{"layers", "126"}, Value{"hidden", "16384"}, Value{"heads", "128"}, Value{"kv_heads", "8"},
    Value{"feed_forward", "53248"}, Value{"vocabulary", "128256"}, Value{"sequence", "8192"}});
constexpr auto kMixtral = llama_like(
    std::array{Value{"layers", "32"}, Value{"hidden", "4096"}, Value{"heads", "32"},
               Value{"kv_heads", "8"}, Value{"feed_forward", "14336"}, Value{"vocabulary", "32000"},
               Value{"sequence", "8192"}, Value{"experts", "8"}, Value{"chosen_experts", "2"}});

constexpr std::array kDlrm = {
    Value{"tables", "64"},
    Value{"rows", "10000000"},
    Value{"dimension", "128"},
    Value{"lookups", "100"},
    Value{"dense_features", "2048"},
    Value{"bottom", "2048x2048x2048x2048x2048x2048x2048"},
    Value{"interaction", "concatenate"},
    Value{"top", "4096x4096x4096x4096x4096x4096x4096x4096x4096x4096x4096x4096x4096x4096x4096"}};
constexpr std::array kDlrmMlperf = {
    Value{"tables", "26"},
    Value{"rows",
          "39884406x39043x17289x7420x20263x3x7120x1543x63x38532951x2953546x403346x10x2208x11938x155"
          "x4x976x14x39979771x25641295x39664984x585935x12972x108x36"},
    Value{"dimension", "128"},
    Value{"dense_features", "13"},
    Value{"bottom", "512x256x128"},
    Value{"interaction", "dot"},
    Value{"top", "1024x1024x512x256"}};

constexpr std::array kNcf = {Value{"users", "1000000"},
                             Value{"items", "1000000"},
                             Value{"tables", "32"},
                             Value{"factors", "64"},
                             Value{"dimension", "128"},
                             Value{"lookups", "100"},
                             Value{"widths", "4096x4096x4096x4096x4096x4096x4096"}};
constexpr std::array kNcfMlperf = {Value{"users", "138493"}, Value{"items", "26744"},
                                   Value{"factors", "64"}, Value{"dimension", "128"},
                                   Value{"widths", "256x128x64"}};

constexpr std::array kUno = {
    Value{"tower",
          "16384x16384x16384x16384x16384x16384x16384x16384x16384x16384x16384x16384x16384x16384"
          "x16384x16384"},
    Value{"dense", "16384x16384x16384x16384x16384x16384x16384x16384"}, Value{"shared", "false"}};
constexpr std::array kUnoReleased = {Value{"tower", "1000x1000x1000"},
                                     Value{"dense", "1000x1000x1000"}};

constexpr std::string_view kTopoOpt = "Wang et al., TopoOpt, NSDI 2023, simulation scripts";

}  // namespace

std::span<const ModelPreset> model_presets() {
  static const std::array kPresets = {
      ModelPreset{"resnet-50", "50 layers, images of 224 × 224", &kResnetFamily, kResnet50,
                  "He et al., arXiv 1512.03385; torchvision"},
      ModelPreset{"resnet-101", "101 layers, images of 224 × 224", &kResnetFamily, kResnet101,
                  "He et al., arXiv 1512.03385; torchvision"},
      ModelPreset{"resnet-152", "152 layers, images of 224 × 224", &kResnetFamily, kResnet152,
                  "He et al., arXiv 1512.03385; torchvision"},
      ModelPreset{"vgg-11", "11 layers, images of 224 × 224", &kVggFamily, kVgg11,
                  "Simonyan and Zisserman, arXiv 1409.1556; torchvision"},
      ModelPreset{"vgg-16", "16 layers, images of 224 × 224", &kVggFamily, kVgg16,
                  "Simonyan and Zisserman, arXiv 1409.1556; torchvision"},
      ModelPreset{"vgg-19", "19 layers, images of 224 × 224", &kVggFamily, kVgg19,
                  "Simonyan and Zisserman, arXiv 1409.1556; torchvision"},
      ModelPreset{"transformer-big", "encoder and decoder for translation", &kTransformerFamily,
                  kTransformerBig, "Vaswani et al., arXiv 1706.03762, table 3"},
      ModelPreset{"bert-large", "encoder with pretraining heads, 512 tokens", &kTransformerFamily,
                  kBertLarge, "Devlin et al., arXiv 1810.04805; bert-large-uncased"},
      ModelPreset{"gpt2-1.5b", "largest GPT-2, 1024 tokens", &kTransformerFamily, kGpt2,
                  "Radford et al. 2019; gpt2-xl"},
      ModelPreset{"megatron-8.3b", "GPT-2 enlarged by Megatron-LM, 1024 tokens",
                  &kTransformerFamily, kMegatron, "Shoeybi et al., arXiv 1909.08053, table 1"},
      ModelPreset{"gpt3-175b", "GPT-3, 2048 tokens", &kTransformerFamily, kGpt3,
                  "Brown et al., arXiv 2005.14165, table 2.1"},
      ModelPreset{"llama3-8b", "Llama 3, 8192 tokens", &kTransformerFamily, kLlama8,
                  "Grattafiori et al., arXiv 2407.21783, table 3; Llama-3.1-8B"},
      ModelPreset{"llama3-70b", "Llama 3, 8192 tokens", &kTransformerFamily, kLlama70,
                  "Grattafiori et al., arXiv 2407.21783, table 3; Llama-3.1-70B"},
      ModelPreset{"llama3-405b", "Llama 3, 8192 tokens", &kTransformerFamily, kLlama405,
                  "Grattafiori et al., arXiv 2407.21783, table 3; Llama-3.1-405B"},
      ModelPreset{"mixtral-8x7b", "mixture of 8 experts, 2 per token, 8192 tokens",
                  &kTransformerFamily, kMixtral,
                  "Jiang et al., arXiv 2401.04088, table 1; Mixtral-8x7B-v0.1"},
      ModelPreset{"dlrm", "64 tables of ten million rows", &kRecommenderFamily, kDlrm, kTopoOpt},
      ModelPreset{"dlrm-mlperf", "26 tables of Criteo Terabyte", &kRecommenderFamily, kDlrmMlperf,
                  "MLPerf Training, DLRM; Naumov et al., arXiv 1906.00091"},
      ModelPreset{"candle-uno", "five towers of 16 layers, then 8 layers", &kTowersFamily, kUno,
                  kTopoOpt},
      ModelPreset{"candle-uno-released", "three towers of 3 layers, then 3 layers", &kTowersFamily,
                  kUnoReleased, "ECP-CANDLE Benchmarks, Pilot1/Uno/uno_default_model.txt"},
      ModelPreset{"ncf", "128 tables of a million users or items", &kCollaborativeFamily, kNcf,
                  kTopoOpt},
      ModelPreset{"ncf-mlperf", "NeuMF for MovieLens 20M", &kCollaborativeFamily, kNcfMlperf,
                  "MLPerf Training v0.5, recommendation; He et al., arXiv 1708.05031"}};
  return kPresets;
}

}  // namespace loom::model
