#include "loom/jobs/colocated/place_jobs.h"

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::jobs {
namespace {

constexpr std::uint64_t kPlacementStream = 0x6a6f6273;  // independent of other uses of the seed

std::vector<int> shuffled_devices(int count, std::uint64_t seed) {
  std::vector<int> devices = first_devices(count);
  Random random = random_stream(seed, kPlacementStream);
  for (std::size_t i = devices.size(); i > 1; --i) {  // Fisher-Yates
    std::swap(devices[i - 1], devices[random(static_cast<std::uint32_t>(i))]);
  }
  return devices;
}

// Each job takes the next devices of the list.
std::vector<std::vector<int>> dealt(std::span<const int> sizes, const std::vector<int>& devices) {
  std::vector<std::vector<int>> placed;
  auto next = devices.begin();
  for (const int size : sizes) {
    std::vector<int>& job = placed.emplace_back(next, next + size);
    std::sort(job.begin(), job.end());
    next += size;
  }
  return placed;
}

// A rank and its target position in the cluster, (2 · rank + 1) / (2 · size), between 0 and 1.
struct Wish {
  int job = 0;
  std::int64_t doubled_rank = 0;  // 2 · rank + 1
  std::int64_t size = 1;

  bool operator<(const Wish& other) const {
    const std::int64_t here = doubled_rank * other.size;
    const std::int64_t there = other.doubled_rank * size;
    return here != there ? here < there : job < other.job;
  }
};

std::vector<std::vector<int>> spread_jobs(std::span<const int> sizes, int devices) {
  std::vector<Wish> wishes;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (int rank = 0; rank < sizes[j]; ++rank) {
      wishes.push_back({static_cast<int>(j), 2 * std::int64_t{rank} + 1, sizes[j]});
    }
  }
  std::sort(wishes.begin(), wishes.end());
  std::vector<std::vector<int>> placed(sizes.size());
  for (std::size_t w = 0; w < wishes.size(); ++w) {
    const auto device = w * static_cast<std::size_t>(devices) / wishes.size();
    placed[static_cast<std::size_t>(wishes[w].job)].push_back(static_cast<int>(device));
  }
  return placed;
}

}  // namespace

std::vector<int> first_devices(int count) {
  std::vector<int> devices(static_cast<std::size_t>(count));
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

std::vector<std::vector<int>> place_jobs(std::span<const int> sizes, int devices,
                                         JobPlacement placement, std::uint64_t seed) {
  const auto all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  LOOM_CHECK(all <= devices, "the jobs fit in the cluster");
  switch (placement) {
    case JobPlacement::packed:
      return dealt(sizes, first_devices(devices));
    case JobPlacement::random:
      return dealt(sizes, shuffled_devices(devices, seed));
    case JobPlacement::spread:
      return spread_jobs(sizes, devices);
  }
  return {};
}

}  // namespace loom::jobs
