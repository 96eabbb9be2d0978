#include "loom/photonic/network/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/photonic/datapath/analog.h"

namespace loom::photonic {
namespace {

// Weights are stored input by input, so that every inner loop runs over outputs.
struct DenseLayer {
  std::size_t inputs;
  std::size_t outputs;
  std::vector<float> weights;
  std::vector<float> values;  // outputs, after ReLU
  std::vector<float> slopes;  // gradient of the loss per output
};

DenseLayer new_layer(std::size_t inputs, std::size_t outputs, std::uint64_t seed) {
  DenseLayer layer{inputs, outputs, {}, std::vector<float>(outputs), std::vector<float>(outputs)};
  const double spread = std::sqrt(2.0 / static_cast<double>(inputs));  // He et al., 2015
  for (std::size_t i = 0; i < inputs * outputs; ++i) {
    layer.weights.push_back(static_cast<float>(spread * normal_from(mix(seed, i))));
  }
  return layer;
}

void forward(DenseLayer& layer, const std::vector<float>& inputs, bool relu) {
  std::fill(layer.values.begin(), layer.values.end(), 0.0F);
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    if (inputs[i] == 0) continue;
    const float* weights = &layer.weights[i * layer.outputs];
    for (std::size_t o = 0; o < layer.outputs; ++o) layer.values[o] += inputs[i] * weights[o];
  }
  if (!relu) return;
  for (float& value : layer.values) value = std::max(value, 0.0F);
}

// Propagates the gradient to the previous layer where ReLU was active, then updates the weights.
void backward(DenseLayer& layer, const std::vector<float>& inputs, std::vector<float>* before,
              float rate) {
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    float* weights = &layer.weights[i * layer.outputs];
    if (inputs[i] == 0) {
      if (before != nullptr) (*before)[i] = 0;
      continue;
    }
    if (before != nullptr) {
      float slope = 0;
      for (std::size_t o = 0; o < layer.outputs; ++o) slope += weights[o] * layer.slopes[o];
      (*before)[i] = slope;
    }
    const float step = rate * inputs[i];
    for (std::size_t o = 0; o < layer.outputs; ++o) weights[o] -= step * layer.slopes[o];
  }
}

// The gradient of the cross entropy: softmax minus 1 for the correct class.
void loss_slopes(DenseLayer& last, std::size_t label) {
  const float largest = *std::max_element(last.values.begin(), last.values.end());
  float sum = 0;
  for (std::size_t o = 0; o < last.outputs; ++o) {
    last.slopes[o] = std::exp(last.values[o] - largest);
    sum += last.slopes[o];
  }
  for (float& slope : last.slopes) slope /= sum;
  last.slopes[label] -= 1;
}

void learn(std::vector<DenseLayer>& layers, const std::vector<float>& image, std::size_t label,
           float rate) {
  const std::vector<float>* inputs = &image;
  for (DenseLayer& layer : layers) {
    forward(layer, *inputs, &layer != &layers.back());
    inputs = &layer.values;
  }
  loss_slopes(layers.back(), label);
  for (std::size_t l = layers.size(); l-- > 0;) {
    backward(layers[l], l == 0 ? image : layers[l - 1].values,
             l == 0 ? nullptr : &layers[l - 1].slopes, rate);
  }
}

RealLayer real_layer(const DenseLayer& layer, std::size_t index) {
  RealLayer result;
  result.shape.name = fmt::format("fc{}", index + 1);
  result.shape.input = {.channels = static_cast<int>(layer.inputs)};
  result.shape.outputs = static_cast<int>(layer.outputs);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      result.weights.push_back(layer.weights[i * layer.outputs + o]);
    }
  }
  return result;
}

std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[random(static_cast<std::uint32_t>(i))]);
  }
  return order;
}

}  // namespace

std::vector<RealLayer> train(const LabeledInputs& set, const TrainingPlan& plan) {
  LOOM_CHECK(!set.labels.empty(), "the training set is not empty");
  const std::size_t size = set.inputs.size() / set.labels.size();
  LOOM_CHECK(size == static_cast<std::size_t>(set.side) * static_cast<std::size_t>(set.side),
             "images are square");
  std::vector<DenseLayer> layers;
  for (const int outputs : plan.hidden) {
    layers.push_back(new_layer(layers.empty() ? size : layers.back().outputs,
                               static_cast<std::size_t>(outputs), mix(plan.seed, layers.size())));
  }
  layers.push_back(new_layer(layers.empty() ? size : layers.back().outputs,
                             static_cast<std::size_t>(plan.classes),
                             mix(plan.seed, layers.size())));
  Random random = random_stream(plan.seed, 11);
  std::vector<float> image(size);
  for (int epoch = 0; epoch < plan.epochs; ++epoch) {
    const double done = static_cast<double>(epoch) / plan.epochs;
    const auto rate = static_cast<float>(plan.rate * (1 - 0.9 * done));
    for (const std::size_t i : shuffled(set.labels.size(), random)) {
      for (std::size_t p = 0; p < size; ++p) {
        image[p] = static_cast<float>(set.inputs[i * size + p]) / kLargestMagnitude;
      }
      learn(layers, image, set.labels[i], rate);
    }
  }
  std::vector<RealLayer> result;
  for (const DenseLayer& layer : layers) result.push_back(real_layer(layer, result.size()));
  result.front().shape.input = {1, set.side, set.side};
  result.back().shape.relu = false;
  return result;
}

}  // namespace loom::photonic
