// Comparison with the reference data of Lightning's released hardware description, if
// LOOM_LIGHTNING_DATA names a folder with it. Its files are not part of the project.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "loom/base/files.h"
#include "loom/photonic/datapath/engine.h"
#include "loom/photonic/datapath/functional.h"
#include "loom/photonic/network/network_files.h"

namespace loom::photonic {
namespace {

constexpr std::size_t kImages = 500;
constexpr std::size_t kPixels = 784;

class Reference : public testing::Test {
 protected:
  void SetUp() override {
    const char* given = std::getenv("LOOM_LIGHTNING_DATA");
    if (given == nullptr)
      GTEST_SKIP() << "LOOM_LIGHTNING_DATA does not name a folder with reference data";
    folder_ = given;
    const std::vector<std::string> paths = {file("fc1_q_i16le.bin:300x784"),
                                            file("fc2_q_i16le.bin:100x300"),
                                            file("fc3_q_i16le.bin:10x100")};
    network_ = read_dense_network(paths);
    images_ = read_photonic_inputs(file("images_500_u8.bin"), kPixels);
    labels_ = read_labels(file("labels_500_u8.bin"), kImages, 10);
    sums_[0] = numbers("expect_layer1_acc_500_i16le.bin");
    sums_[1] = numbers("expect_layer2_acc_500_i16le.bin");
    sums_[2] = numbers("expect_logits_500_i16le.bin");
    activations_[0] = read_photonic_inputs(file("expect_layer1_act_500_u8.bin"), 300);
    activations_[1] = read_photonic_inputs(file("expect_layer2_act_500_u8.bin"), 100);
  }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  std::vector<std::int32_t> numbers(const std::string& name) const {
    const std::string content = read_file(file(name));
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i + 1 < content.size(); i += 2) {
      values.push_back(static_cast<std::int16_t>(static_cast<unsigned char>(content[i]) |
                                                 static_cast<unsigned char>(content[i + 1]) << 8));
    }
    return values;
  }

  std::span<const std::uint8_t> image(std::size_t i) const {
    return std::span(images_).subspan(i * kPixels, kPixels);
  }

  template <typename Value>
  static std::vector<Value> slice(const std::vector<Value>& all, std::size_t i) {
    const auto size = static_cast<std::ptrdiff_t>(all.size() / kImages);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i) * size;
    return {begin, begin + size};
  }

  void expect_reference(const PhotonicResult& result, std::size_t i) const {
    ASSERT_EQ(result.layers.size(), 3U);
    for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(result.layers[l].sums, slice(sums_[l], i));
    for (std::size_t l = 0; l < 2; ++l) {
      EXPECT_EQ(result.layers[l].activations, slice(activations_[l], i));
    }
    EXPECT_EQ(result.cycles, 16'825);
    EXPECT_EQ(result.overflows, 0);
  }

  double accuracy(const PhotonicNoise& noise) const {
    int right = 0;
    const auto results = run_all(PhotonicProgram(network_), images_, noise);
    for (std::size_t i = 0; i < kImages; ++i) right += results[i].label == labels_[i] ? 1 : 0;
    return static_cast<double>(right) / kImages;
  }

  std::string folder_;
  PhotonicNetwork network_;
  std::vector<std::uint8_t> images_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> sums_[3];
  std::vector<std::uint8_t> activations_[2];
};

TEST_F(Reference, TheFunctionalPathGivesEverySumActivationAndLogit) {
  const PhotonicProgram program(network_);
  for (std::size_t i = 0; i < kImages; ++i) {
    SCOPED_TRACE(i);
    expect_reference(program.run(image(i), {.keep_layers = true}), i);
  }
}

TEST_F(Reference, TheCycleAccurateEngineGivesThemToo) {
  PhotonicEngine engine({}, {.offset = 5, .skew = 21, .compensation = 21});
  engine.load(network_);
  for (std::size_t i = 0; i < kImages; ++i) {
    SCOPED_TRACE(i);
    const EngineOutcome outcome = engine.run(image(i), {.keep_layers = true});
    ASSERT_EQ(outcome.fault, std::nullopt);
    expect_reference(outcome.result, i);
  }
}

TEST_F(Reference, FloatingPointWeightsAreQuantizedToTheReleasedOnes) {
  const std::vector<std::string> paths = {file("fc1_float32.npy"), file("fc2_float32.npy"),
                                          file("fc3_float32.npy")};
  const PhotonicNetwork quantized = read_dense_network(paths);
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(quantized.layers[l].weights, network_.layers[l].weights) << l;
  }
}

// On 10,000 images: 95.98 % exact, 95.93 % and 95.74 % with noise. 500 images are less precise.
TEST_F(Reference, NoiseOfThePrototypeCostsLittleAccuracy) {
  const double exact = accuracy({});
  double outputs = 0;
  double samples = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    outputs += accuracy({.output_sigma = 1.657, .seed = seed}) / 10;
    samples += accuracy({.sample_sigma = 1.657, .seed = seed}) / 10;
  }
  EXPECT_NEAR(outputs, exact, 0.008);
  EXPECT_NEAR(samples, exact, 0.012);
}

}  // namespace
}  // namespace loom::photonic
