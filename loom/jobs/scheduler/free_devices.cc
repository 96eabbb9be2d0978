#include "loom/jobs/scheduler/free_devices.h"

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

// Max number of samples per candidate; a duplicate is sampled again.
constexpr int kTries = 4;

template <class T>
void shuffle(std::vector<T>& list, Random& random) {
  for (std::size_t i = list.size(); i > 1; --i) {  // Fisher-Yates
    std::swap(list[i - 1], list[random(static_cast<std::uint32_t>(i))]);
  }
}

std::vector<std::vector<int>> free_by_rack(const std::vector<bool>& free, int rack) {
  std::vector<std::vector<int>> racks;
  for (std::size_t d = 0; d < free.size(); ++d) {
    if (d % static_cast<std::size_t>(rack) == 0) racks.emplace_back();
    if (free[d]) racks.back().push_back(static_cast<int>(d));
  }
  std::erase_if(racks, [](const std::vector<int>& it) { return it.empty(); });
  return racks;
}

// The fewest racks with `count` free devices, in order of use: those with the most free devices
// first; the last is the rack with the fewest free devices that are enough for the remainder.
std::vector<std::vector<int>> fewest(std::vector<std::vector<int>> racks, int count) {
  std::stable_sort(racks.begin(), racks.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  int left = count;
  std::size_t used = 0;
  while (left > static_cast<int>(racks[used].size())) {
    left -= static_cast<int>(racks[used++].size());
  }
  std::size_t last = used;
  while (last + 1 < racks.size() && static_cast<int>(racks[last + 1].size()) >= left) ++last;
  while (last > used && racks[last - 1].size() == racks[last].size()) --last;
  std::swap(racks[used], racks[last]);
  racks.resize(used + 1);
  return racks;
}

// A random choice of equally few racks: shuffles the racks several times and takes the first order
// whose leading racks have `count` free devices; if there is none, the choice of fewest().
std::vector<std::vector<int>> as_few(std::vector<std::vector<int>> racks, int count,
                                     Random& random) {
  std::vector<std::vector<int>> best = fewest(racks, count);
  constexpr int kRows = 16;
  for (int row = 0; row < kRows; ++row) {
    shuffle(racks, random);
    std::size_t sum = 0;
    for (std::size_t r = 0; r < best.size(); ++r) sum += racks[r].size();
    if (static_cast<int>(sum) < count) continue;
    racks.resize(best.size());
    best = std::move(racks);
    break;
  }
  for (std::vector<int>& it : best) shuffle(it, random);
  return best;
}

int all_racks(const Placed& placed, int rack) {
  return std::accumulate(placed.begin(), placed.end(), 0, [&](int sum, const auto& devices) {
    return sum + racks_of(devices, rack);
  });
}

// Places the jobs in this order, each on devices that the previous jobs left free.
Placed placed_in_order(std::vector<bool> free, std::span<const int> sizes,
                       std::span<const std::size_t> order, int rack, Nearness nearness,
                       Random* random) {
  Placed placed(sizes.size());
  for (const std::size_t job : order) {
    placed[job] = choose_devices(free, sizes[job], rack, nearness, random);
    for (const int it : placed[job]) free[static_cast<std::size_t>(it)] = false;
  }
  return placed;
}

}  // namespace

int rack_size(const fabric::Network& network) {
  return network.levels.empty() ? std::max(1, network.devices) : network.levels.front();
}

int racks_of(std::span<const int> devices, int rack) {
  int count = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (d == 0 || devices[d] / rack != devices[d - 1] / rack) ++count;
  }
  return count;
}

std::vector<int> choose_devices(const std::vector<bool>& free, int count, int rack,
                                Nearness nearness, Random* random) {
  LOOM_CHECK(count <= std::count(free.begin(), free.end(), true), "enough devices are free");
  if (count == 0) return {};
  const bool near = nearness == Nearness::racks;
  std::vector<std::vector<int>> racks =
      free_by_rack(free, near ? rack : static_cast<int>(free.size()));
  if (near) racks = random == nullptr ? fewest(racks, count) : as_few(racks, count, *random);
  if (!near && random != nullptr) shuffle(racks.front(), *random);
  std::vector<int> devices;
  for (const std::vector<int>& it : racks) {
    for (const int device : it) {
      if (static_cast<int>(devices.size()) < count) devices.push_back(device);
    }
  }
  std::sort(devices.begin(), devices.end());
  return devices;
}

std::vector<Placed> candidates(const std::vector<bool>& free, std::span<const int> sizes, int rack,
                               Nearness nearness, int max_candidates, std::uint64_t seed) {
  Random random = random_stream(seed);
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random* const first = nearness == Nearness::any ? &random : nullptr;
  std::vector<Placed> found = {placed_in_order(free, sizes, order, rack, nearness, first)};
  const int racks = all_racks(found.front(), rack);
  for (int tries = kTries * max_candidates;
       tries > 0 && static_cast<int>(found.size()) < max_candidates; --tries) {
    shuffle(order, random);
    Placed next = placed_in_order(free, sizes, order, rack, nearness, &random);
    if (nearness == Nearness::racks && all_racks(next, rack) > racks) continue;
    if (std::find(found.begin(), found.end(), next) == found.end()) {
      found.push_back(std::move(next));
    }
  }
  return found;
}

}  // namespace loom::jobs
