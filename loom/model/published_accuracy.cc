// Published iterations to accuracy per preset, each with its source.
//
// Batch sizes are in samples of the preset: images, or sequences of its length. Sections and tables
// cited below are those of the source that kTables or kCriticalBatches names for the preset.
#include <array>

#include "loom/model/time_to_accuracy.h"

namespace loom::model {
namespace {

// Reference convergence points of MLPerf Training 4.0 (github.com/mlcommons/logging, file
// rcp_checker/training_4.0.0/rcps_resnet.json; LARS). Iterations: mean epochs of the runs
// (35, 35.2, 40, 42, 45.4, 56, 68, 79.9, 84.5, 85.9) · 1,281,167 images / batch, rounded up.
constexpr std::array kResnet50Batches = {BatchPoint{1632, 27477}, BatchPoint{3264, 13817},
                                         BatchPoint{4096, 12512}, BatchPoint{8192, 6569},
                                         BatchPoint{13056, 4456}, BatchPoint{32768, 2190},
                                         BatchPoint{49152, 1773}, BatchPoint{58880, 1739},
                                         BatchPoint{65536, 1652}, BatchPoint{67840, 1622}};

// Section 3.1: 370,000 iterations (74 epochs) of 256 images.
constexpr std::array kVggBatches = {BatchPoint{256, 370000}};

// Table 1, training with 16 bits: 193,000 updates with batches of 25,000 tokens, and with twice the
// learning rate 10,300 updates with 365,000 tokens and 9,600 with 402,000. In sequences of 256
// tokens these batches are 98, 1426 and 1570.
constexpr std::array kTransformerBigBatches = {BatchPoint{98, 193000}, BatchPoint{1426, 10300},
                                               BatchPoint{1570, 9600}};

// Table 1. Nine tenths of the iterations have 128 tokens per sequence, the last tenth 512. The row
// that changes its batch during the run (65536, then 32768) is left out.
constexpr std::array kBertLargeBatches = {BatchPoint{512, 1000000}, BatchPoint{1024, 500000},
                                          BatchPoint{2048, 250000}, BatchPoint{4096, 125000},
                                          BatchPoint{8192, 62500},  BatchPoint{16384, 31250},
                                          BatchPoint{32768, 15625}};

// Reference convergence points of MLPerf Training 5.1 (rcp_checker/training_5.1.0/
// rcps_llama31_8b.json). Iterations: mean samples of the runs / batch, rounded up; evaluated every
// 12,288 samples.
constexpr std::array kLlama8Batches = {BatchPoint{32, 5607}, BatchPoint{64, 3543},
                                       BatchPoint{96, 2903}, BatchPoint{128, 2703}};

// Sections 3 and 3.4.1: 15.6 · 10^12 tokens, most of them in batches of 16 Mi tokens: 2048
// sequences.
constexpr std::array kLlama405Batches = {BatchPoint{2048, 929833}};

// For a published training of S iterations with batches of B, the critical batch at its loss L is
// 2 · 10^8 tokens · L^(-1/0.21) (Kaplan et al., arXiv 2001.08361, equation 5.3), and
// iterations_minimum = S / (1 + critical_batch / B) (equation 5.4). Kaplan et al. measured losses
// down to about 3; the values below are extrapolated. Each comment gives S, B, L, and the critical
// batch in tokens; the constants are iterations_minimum and the critical batch in sequences.
//
// S = 250,000 and B = 512 sequences of 1024 tokens (section 2.2); L = 2.304 =
// (8.8 · 10^13 / (1.5 · 10^9))^0.076 (equation 1.1); critical batch 3.76 · 10^6 tokens.
constexpr CriticalBatch kGpt2Batches = {30585, 3673};
// S = 300,000 and B = 512 sequences of 1024 tokens (section 4.2); L = 2.227 = ln 9.27, where 9.27
// is the validation perplexity (section 5.2); critical batch 4.42 · 10^6 tokens.
constexpr CriticalBatch kMegatronBatches = {31812, 4316};
// S = 300 · 10^9 / (3.2 · 10^6) = 93,750 and B = 3.2 · 10^6 tokens (table 2.1); L = 1.734 =
// 2.57 · 3640^-0.048 (figure 3.1 with the petaflop/s-days of table D.1); critical batch
// 14.55 · 10^6 tokens, in sequences of 2048.
constexpr CriticalBatch kGpt3Batches = {16899, 7106};

struct PublishedTable {
  std::string_view preset;
  std::string_view target;
  std::string_view source;
  std::int64_t tokens;
  std::span<const BatchPoint> points;
};

struct PublishedCriticalBatch {
  std::string_view preset;
  std::string_view target;
  std::string_view source;
  std::int64_t tokens;
  CriticalBatch law;
};

constexpr std::string_view kSimonyan = "Simonyan and Zisserman, arXiv 1409.1556, section 3.1";
constexpr std::string_view kVggTarget = "74 epochs of ImageNet";

constexpr std::array kTables = {
    PublishedTable{"resnet-50", "75.9 % top-1 on ImageNet",
                   "MLPerf Training 4.0, reference convergence points", 0, kResnet50Batches},
    PublishedTable{"vgg-11", kVggTarget, kSimonyan, 0, kVggBatches},
    PublishedTable{"vgg-16", kVggTarget, kSimonyan, 0, kVggBatches},
    PublishedTable{"vgg-19", kVggTarget, kSimonyan, 0, kVggBatches},
    PublishedTable{"transformer-big", "26.5 BLEU on newstest2013, English to German",
                   "Ott et al., arXiv 1806.00187, table 1", 256, kTransformerBigBatches},
    PublishedTable{"bert-large", "90.4 F1 on SQuAD 1.1 after fine-tuning",
                   "You et al., arXiv 1904.00962, table 1", 0, kBertLargeBatches},
    PublishedTable{"llama3-8b", "log perplexity 3.3 on C4",
                   "MLPerf Training 5.1, reference convergence points", 8192, kLlama8Batches},
    PublishedTable{"llama3-405b", "15.6 trillion tokens",
                   "Grattafiori et al., arXiv 2407.21783, sections 3 and 3.4.1", 8192,
                   kLlama405Batches},
};

constexpr std::array kCriticalBatches = {
    PublishedCriticalBatch{"gpt2-1.5b", "loss 2.30 on WebText2",
                           "Kaplan et al., arXiv 2001.08361, sections 2.2 and 5.1", 1024,
                           kGpt2Batches},
    PublishedCriticalBatch{"megatron-8.3b", "validation perplexity 9.27",
                           "Shoeybi et al., arXiv 1909.08053; Kaplan et al., arXiv 2001.08361",
                           1024, kMegatronBatches},
    PublishedCriticalBatch{"gpt3-175b", "300 billion tokens",
                           "Brown et al., arXiv 2005.14165; Kaplan et al., arXiv 2001.08361", 2048,
                           kGpt3Batches},
};

template <class Published>
AccuracyLaw law_of(const Published& it, std::variant<IterationTable, CriticalBatch> iterations) {
  return {std::string(it.target), std::string(it.source), it.tokens, std::move(iterations)};
}

}  // namespace

std::optional<AccuracyLaw> published_accuracy_law(std::string_view preset) {
  for (const PublishedTable& it : kTables) {
    if (it.preset == preset)
      return law_of(it, IterationTable{{it.points.begin(), it.points.end()}});
  }
  for (const PublishedCriticalBatch& it : kCriticalBatches) {
    if (it.preset == preset) return law_of(it, it.law);
  }
  return std::nullopt;
}

}  // namespace loom::model
