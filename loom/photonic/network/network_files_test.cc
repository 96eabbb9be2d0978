#include "loom/photonic/network/network_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "loom/base/files.h"
#include "loom/base/testing.h"
#include "loom/photonic/network/npy.h"
#include "loom/photonic/network/quantize.h"
#include "loom/photonic/testing.h"

namespace loom::photonic {
namespace {

std::string in_folder(const std::string& name) { return testing::TempDir() + "/loom_" + name; }

std::string write(const std::string& name, const std::string& content) {
  write_file(in_folder(name), content);
  return in_folder(name);
}

template <typename Number>
std::string bytes(const std::vector<Number>& numbers) {
  std::string result(numbers.size() * sizeof(Number), '\0');
  std::memcpy(result.data(), numbers.data(), result.size());
  return result;
}

std::string npy(const std::string& type, std::vector<std::int64_t> shape, std::string content) {
  return to_npy({type, std::move(shape), std::move(content)});
}

TEST(Npy, RoundTrips) {
  const NpyArray array{"<i2", {2, 3}, bytes(std::vector<std::int16_t>{1, -2, 3, -4, 255, -255})};
  const std::string content = to_npy(array);
  EXPECT_EQ(parse_npy(content, {}), array);
  EXPECT_EQ((content.size() - array.bytes.size()) % 64, 0U);
  EXPECT_EQ(numbers(array, {}), (std::vector<double>{1, -2, 3, -4, 255, -255}));
}

TEST(Npy, AnInvalidFileIsRefused) {
  const SourceLocation location = location_of("w.npy");
  const auto refusal = [&](const std::string& content) {
    return message([&] { parse_npy(content, location); });
  };
  EXPECT_EQ(refusal("nothing"), "w.npy: this is not an NPY file");
  const std::string good = npy("<f4", {2}, std::string(8, '\0'));
  EXPECT_EQ(refusal(good + "x"), "w.npy: the NPY file has 9 bytes of values; its shape needs 8");
  EXPECT_EQ(refusal(good.substr(0, 20)), "w.npy: the NPY file ends within its header");
  EXPECT_EQ(
      refusal(npy(">f4", {1}, "1234")),
      "w.npy: the NPY type is '>f4'; <f4, <f8, |u1, |i1, <i2, <u2, <i4, <u4 or <i8 is needed");
  std::string turned = good;
  turned.replace(turned.find("False"), 5, "True ");
  EXPECT_EQ(refusal(turned), "w.npy: the NPY array is in Fortran order; C order is needed");
}

TEST(Quantize, UsesOneScaleForAllLayers) {
  RealLayer first;
  first.shape.name = "a";
  first.shape.input = {.channels = 2};
  first.weights = {0.5, -0.25};
  RealLayer second = first;
  second.shape.name = "b";
  second.shape.input = {.channels = 1};
  second.weights = {1.0};
  second.shape.relu = false;
  const std::vector<RealLayer> layers = {first, second};
  const PhotonicNetwork network = quantize("q", layers);
  EXPECT_EQ(network.layers[0].weights, (std::vector<std::int16_t>{128, -64}));  // 127.5, -63.75
  EXPECT_EQ(network.layers[1].weights, (std::vector<std::int16_t>{255}));
  EXPECT_EQ(objection(network), std::nullopt);
}

// 255 stands for 2. In a first layer's sums, 1 becomes 255·255/(256·2) = 127.001953125; in a second
// layer's, 255/(256·2) of that.
TEST(Quantize, ABiasIsItsSumsUnitTimes65536) {
  std::vector<RealLayer> layers(2);
  for (RealLayer& it : layers) {
    it.shape.name = "fc";
    it.shape.outputs = 1;
    it.weights = {2};
    it.biases = {0.5};
  }
  layers[1].shape.relu = false;
  layers[1].biases = {-4};
  const PhotonicNetwork network = quantize("q", layers);
  EXPECT_EQ(network.largest_weight, 2);
  EXPECT_EQ(network.layers[0].biases, std::vector<std::int64_t>{4'161'600});
  EXPECT_EQ(network.layers[1].biases, std::vector<std::int64_t>{-16'581'375});
  // For an input of 3, (3·255) >> 8 plus 63 gives 65, which is sent as 130 at twice the scale; then
  // (130·255) >> 8 and a bias of −253.0117 at twice the scale.
  const PhotonicResult result = run(network, std::vector<std::uint8_t>{3}, {.keep_layers = true});
  EXPECT_EQ(result.layers[0].sums, std::vector<std::int32_t>{65});
  EXPECT_EQ(result.layers[0].activations, std::vector<std::uint8_t>{130});
  EXPECT_EQ(result.logits, std::vector<std::int32_t>{129 - 507});
}

// Real and quantized networks agree to the precision of 8 bits: the largest error over these 200
// networks was 0.045 of the largest value. Log-probabilities are in the real network's units.
TEST(Quantize, BiasesAreInTheUnitsOfTheirSums) {
  Random random = random_stream(3);
  for (int i = 0; i < 200; ++i) {
    std::vector<RealLayer> layers(2);
    const int sizes[] = {40, 20, 6};
    for (std::size_t l = 0; l < 2; ++l) {
      layers[l].shape.name = "fc" + std::to_string(l);
      layers[l].shape.input = {.channels = sizes[l]};
      layers[l].shape.outputs = sizes[l + 1];
      layers[l].shape.relu = l == 0;
      for (int w = 0; w < sizes[l] * sizes[l + 1]; ++w) {
        layers[l].weights.push_back(between(random, -1000, 1000) / 1000.0);
      }
      for (int o = 0; o < sizes[l + 1]; ++o) {
        layers[l].biases.push_back(between(random, -3000, 3000) / 1000.0);
      }
    }
    const auto input = random_input(random, 40);
    std::vector<double> values(input.begin(), input.end());
    for (double& value : values) value /= 255;
    for (const RealLayer& layer : layers) {
      std::vector<double> next = layer.biases;
      for (std::size_t o = 0; o < next.size(); ++o) {
        for (std::size_t k = 0; k < values.size(); ++k) {
          next[o] += values[k] * layer.weights[o * values.size() + k];
        }
        if (layer.shape.relu) next[o] = std::max(next[o], 0.0);
      }
      values = next;
    }
    const PhotonicResult result = run(quantize("q", layers), input);
    const auto largest = std::max_element(
        values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double scale =
        result.logits[static_cast<std::size_t>(largest - values.begin())] / *largest;
    double sum = 0;
    for (const double value : values) sum += std::exp(value - *largest);
    for (std::size_t o = 0; o < values.size(); ++o) {
      const double real = values[o] - *largest - std::log(sum);
      EXPECT_NEAR(result.log_probabilities[o], real, 0.1 * std::abs(*largest));
      EXPECT_NEAR(result.logits[o] / scale, values[o], 0.05 * std::abs(*largest));
    }
  }
}

TEST(NetworkFiles, DenseLayersComeFromMatrices) {
  const std::string first =
      write("fc1.npy", npy("<f4", {2, 3}, bytes(std::vector<float>{1, 0, -1, .5, .5, .25})));
  const std::string second = write("fc2.npy", npy("<f4", {1, 2}, bytes(std::vector<float>{-2, 1})));
  const std::vector<std::string> paths = {first, second};
  const PhotonicNetwork network = read_dense_network(paths);
  EXPECT_EQ(network.layers[0].weights, (std::vector<std::int16_t>{128, 0, -128, 64, 64, 32}));
  EXPECT_EQ(network.layers[1].weights, (std::vector<std::int16_t>{-255, 128}));
  EXPECT_TRUE(network.layers[0].relu);
  EXPECT_FALSE(network.layers[1].relu);
}

TEST(NetworkFiles, RawWeightsNeedAShape) {
  const std::string raw = write("fc.bin", bytes(std::vector<std::int16_t>{255, -255, 3, 4}));
  const std::vector<std::string> good = {raw + ":2x2"};
  EXPECT_EQ(read_dense_network(good).layers[0].weights,
            (std::vector<std::int16_t>{255, -255, 3, 4}));
  const std::vector<std::string> bare = {raw};
  EXPECT_EQ(message([&] { read_dense_network(bare); }),
            raw +
                ": the file gives no shape of the weights; an NPY matrix, or int16 numbers given "
                "as PATH:OUTPUTSxINPUTS, is needed");
  const std::vector<std::string> wrong = {raw + ":2x3"};
  EXPECT_EQ(message([&] { read_dense_network(wrong); }),
            raw + ": the file has 4 weights; the layer needs 6");
}

TEST(NetworkFiles, ANetworkRoundTrips) {
  Random random = random_stream(12);
  for (int i = 0; i < 20; ++i) {
    PhotonicNetwork network = random_network(random);
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      network.layers[l].name = "layer" + std::to_string(l);
      network.layers[l].biases.clear();
    }
    network.largest_weight = 0.1 + 0.2 * i;
    const std::string path = write_photonic_network(network, in_folder("network"));
    PhotonicNetwork read = read_photonic_network(path);
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      EXPECT_EQ(elements(read.layers[l].input), elements(network.layers[l].input));
      read.layers[l].input = network.layers[l].input;
    }
    EXPECT_EQ(read, network);
  }
}

TEST(NetworkFiles, InvalidNetworksAreRefusedWithTheLine) {
  write("w.npy", npy("<i2", {1, 4}, bytes(std::vector<std::int16_t>{1, 2, 3, 4})));
  const auto refusal = [&](const std::string& text) {
    const std::string path = write("net.yaml", text);
    std::string given = message([&] { read_photonic_network(path); });
    const std::size_t at = given.find(path);
    if (at != std::string::npos) given.replace(at, path.size(), "net.yaml");
    return given;
  };
  EXPECT_EQ(refusal("name: n\ninput: 4\nlayers:\n  - {name: a, outputs: 1, weights: loom_w.npy}\n"),
            "no error");
  EXPECT_EQ(refusal("name: n\ninput: 4\n"),
            "net.yaml:1: network lacks 'layers'; a list of layers is needed");
  EXPECT_EQ(refusal("name: n\ninput: 2x2\nlayers:\n  - {name: a, outputs: 1, weights: w}\n"),
            "net.yaml:2: the input has another shape; channels x rows x columns, or a number of "
            "values, is needed");
  EXPECT_EQ(refusal("name: n\ninput: 1x2x2\nlayers:\n  - {name: a, kind: convolution, outputs: 1, "
                    "kernel: 3, weights: loom_w.npy}\n"),
            "net.yaml:4: layer 'a': its kernel of 3x3 does not fit the input of 2x2");
  for (const std::string name : {"kernel", "stride", "padding", "groups"}) {
    EXPECT_EQ(refusal("name: n\ninput: 4\nlayers:\n  - {name: a, outputs: 1, " + name +
                      ": 2, weights: loom_w.npy}\n"),
              "net.yaml:4: layer." + name +
                  " is 2; a dense layer has none, 'kind: convolution' is needed for it");
  }
}

TEST(Inputs, AreReadFromNpyIdxOrRawBytes) {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::string raw(pixels.begin(), pixels.end());
  std::string idx("\0\0\10\3\0\0\0\2\0\0\0\2\0\0\0\2", 16);
  EXPECT_EQ(read_photonic_inputs(write("i.npy", npy("|u1", {2, 2, 2}, raw)), 4), pixels);
  EXPECT_EQ(read_photonic_inputs(write("i.idx", idx + raw), 4), pixels);
  EXPECT_EQ(read_photonic_inputs(write("i.bin", raw), 4), pixels);
  const std::string labels("\0\0\10\1\0\0\0\2\7\11", 10);
  EXPECT_EQ(read_labels(write("l.idx", labels), 2, 10), (std::vector<std::int32_t>{7, 9}));
}

TEST(Inputs, LabelsMayExceedAByteButNotTheOutputs) {
  const std::string path =
      write("l.npy", npy("<i4", {3}, bytes(std::vector<std::int32_t>{299, 0, 256})));
  EXPECT_EQ(read_labels(path, 3, 300), (std::vector<std::int32_t>{299, 0, 256}));
  const SourceLocation location = location_of("l.npy");
  EXPECT_EQ(message([&] { read_labels(path, 3, 299, location); }),
            "l.npy: a label is 299; the network's 299 outputs are 0 to 298");
  EXPECT_EQ(message([&] { read_labels(path, 2, 300, location); }),
            "l.npy: there are 3 labels; one per input is needed, 2 in total");
}

TEST(Inputs, OfTheWrongSizeAreRefused) {
  const std::string path = write("i.bin", "12345");
  EXPECT_EQ(message([&] { read_photonic_inputs(path, 4); }),
            path + ": the file has 5 values; the network takes 4 per input");
  const std::string shaped = write("s.npy", npy("|u1", {2, 4}, "12345678"));
  EXPECT_EQ(message([&] { read_photonic_inputs(shaped, 8); }),
            shaped +
                ": the file has 8 values, 4 per input; the network takes 8 per "
                "input");
}

}  // namespace
}  // namespace loom::photonic
