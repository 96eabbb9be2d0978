// Shared by the tests in this folder: the mean of correlated numbers, and its standard error.
#pragma once

#include <cmath>
#include <vector>

namespace loom::photonic {

struct BatchMeans {
  double mean = 0;
  double sigma = 0;  // standard error of the mean
};

// Mean and standard error by batch means: the waiting times in a queue are correlated, but the
// means of long batches hardly are.
inline BatchMeans batch_means(const std::vector<double>& values) {
  constexpr std::size_t kBatches = 20;
  const std::size_t size = values.size() / kBatches;
  std::vector<double> means(kBatches, 0);
  BatchMeans result;
  for (std::size_t i = 0; i < kBatches * size; ++i) {
    means[i / size] += values[i] / static_cast<double>(size);
  }
  for (const double it : means) result.mean += it / kBatches;
  double squares = 0;
  for (const double it : means) squares += (it - result.mean) * (it - result.mean);
  result.sigma = std::sqrt(squares / (kBatches - 1) / kBatches);
  return result;
}

}  // namespace loom::photonic
