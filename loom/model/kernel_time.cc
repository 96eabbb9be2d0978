#include "loom/model/kernel_time.h"

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"

namespace loom::model {
namespace {

struct Tile {
  std::int64_t rows;
  std::int64_t columns;
  double speed;  // relative to the sustained speed: small tiles load more per operation
};

// Tiles of cuBLAS and their relative speed, from the guide cited in kernel_time.h (section "Typical
// Tile Dimensions in cuBLAS and Performance"): the largest tiles reach full speed.
constexpr std::array<Tile, 7> kTiles = {{{256, 128, 1.0},
                                         {128, 256, 1.0},
                                         {128, 128, 1.0},
                                         {128, 64, 0.8},
                                         {64, 128, 0.8},
                                         {64, 64, 0.6},
                                         {32, 32, 0.3}}};

double divide_up(std::int64_t size, std::int64_t tile) {
  const std::int64_t tiles = (size + tile - 1) / tile;
  return static_cast<double>(tiles);
}

double speed(const Accelerator& it, Precision precision) {
  const FlopRate peak = it.peak[static_cast<std::size_t>(precision)];
  LOOM_CHECK(peak.per_second > 0, "the accelerator computes in this precision");
  return static_cast<double>(peak.per_second) * it.sustained;
}

double memory_speed(const Accelerator& it) {
  return static_cast<double>(it.memory_bandwidth.bits_per_second) / 8 * it.memory_share;
}

Duration rounded(double seconds, const Accelerator& it) {
  constexpr double kPicosecondsPerSecond = 1e12;
  constexpr double kLongest = 1e6;  // eleven days: longer than any kernel
  return add(Duration(std::llround(std::min(seconds, kLongest) * kPicosecondsPerSecond)),
             it.launch);
}

}  // namespace

Duration product_time(const Accelerator& accelerator, Precision precision,
                      const MatrixProduct& product) {
  const auto units = static_cast<double>(accelerator.units);
  const double unit_speed = speed(accelerator, precision) / units;
  const double unit_memory = memory_speed(accelerator) / units;
  const auto inner = static_cast<double>(product.inner);
  const int bytes = bytes_of(precision);
  double best = -1;
  for (const Tile& tile : kTiles) {
    const double tiles = divide_up(product.rows, tile.rows) *
                         divide_up(product.columns, tile.columns) *
                         static_cast<double>(product.count);
    const auto area = static_cast<double>(tile.rows * tile.columns);
    const double seconds = std::ceil(tiles / units) * (2 * area * inner / unit_speed / tile.speed +
                                                       area * bytes / unit_memory);
    if (best < 0 || seconds < best) best = seconds;
  }
  const auto rows = static_cast<double>(product.rows);
  const auto columns = static_cast<double>(product.columns);
  const double moved = static_cast<double>(product.count) * bytes *
                       (rows * inner + inner * columns + rows * columns);
  return rounded(std::max(best, moved / memory_speed(accelerator)), accelerator);
}

double min_product_seconds(const Accelerator& accelerator, Precision precision,
                           const MatrixProduct& product) {
  const auto rows = static_cast<double>(product.rows);
  const auto inner = static_cast<double>(product.inner);
  const auto columns = static_cast<double>(product.columns);
  const double all = rows * columns * static_cast<double>(product.count);
  const double computed = 2 * all * inner / speed(accelerator, precision) +
                          all * bytes_of(precision) / memory_speed(accelerator);
  const double moved = static_cast<double>(product.count) * bytes_of(precision) *
                       (rows * inner + inner * columns + rows * columns);
  return std::max(computed, moved / memory_speed(accelerator));
}

Duration fused_time(const Accelerator& accelerator, Precision precision, double flops,
                    double bytes) {
  const double seconds =
      std::max(flops / speed(accelerator, precision), bytes / memory_speed(accelerator));
  return rounded(seconds, accelerator);
}

Duration memory_time(const Accelerator& accelerator, double bytes) {
  return rounded(bytes / memory_speed(accelerator), accelerator);
}

}  // namespace loom::model
