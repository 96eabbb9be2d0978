// The hierarchical all_to_all against a reference model that tracks every item by name.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "loom/workload/schedule.h"

namespace loom::workload {
namespace {

// The data one rank has for another.
struct Item {
  int source;
  int destination;
};

int coordinate(int rank, int stride, int size) { return rank / stride % size; }

class Exchange {
 public:
  Exchange(Bytes size, int ranks)
      : size_(size), ranks_(ranks), held_(static_cast<std::size_t>(ranks)) {
    for (int source = 0; source < ranks; ++source) {
      for (int destination = 0; destination < ranks; ++destination) {
        held_[static_cast<std::size_t>(source)].push_back({source, destination});
      }
    }
  }

  // Moves every item to the rank with its destination's coordinate; returns the items per pair.
  std::map<std::pair<int, int>, Bytes> move(int stride, int level) {
    std::map<std::pair<int, int>, Bytes> carried;
    std::vector<std::vector<Item>> next(held_.size());
    for (int rank = 0; rank < ranks_; ++rank) {
      for (const Item& item : held_[static_cast<std::size_t>(rank)]) {
        const int ahead =
            coordinate(item.destination, stride, level) - coordinate(rank, stride, level);
        const int target = rank + ahead * stride;
        next[static_cast<std::size_t>(target)].push_back(item);
        if (target != rank) carried[{rank, target}] += piece(size_, ranks_, item.destination);
      }
    }
    held_ = std::move(next);
    return carried;
  }

  bool delivered() const {
    for (int rank = 0; rank < ranks_; ++rank) {
      for (const Item& item : held_[static_cast<std::size_t>(rank)]) {
        if (item.destination != rank) return false;
      }
    }
    return true;
  }

 private:
  Bytes size_;
  int ranks_;
  std::vector<std::vector<Item>> held_;
};

std::map<std::pair<int, int>, Bytes> carried_in(const Phase& phase) {
  std::map<std::pair<int, int>, Bytes> carried;
  for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
    const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    for (int q = 0; q < phase.messages(c); ++q) {
      carried[{channel.source, channel.destination}] += phase.size(c, q);
    }
  }
  return carried;
}

void expect_exact(const std::vector<int>& levels, Bytes size, int chunks) {
  const int ranks = std::accumulate(levels.begin(), levels.end(), 1, std::multiplies<>());
  const Schedule steps = schedule(
      {CollectiveKind::all_to_all, Algorithm::hierarchical, size, chunks, levels, {}}, ranks);
  Exchange exchange(size, ranks);
  std::size_t phase = 0;
  int stride = 1;
  for (const int level : levels) {
    const auto carried = exchange.move(stride, level);
    if (level > 1) {
      EXPECT_EQ(carried_in(steps.phases.at(phase++)), carried);
    }
    stride *= level;
  }
  EXPECT_EQ(phase, steps.phases.size());
  EXPECT_TRUE(exchange.delivered());
}

TEST(HierarchicalAllToAll, CarriesExactlyTheItemsThatMustMoveInEachDimension) {
  for (const std::vector<int>& levels : std::vector<std::vector<int>>{
           {2}, {2, 2}, {3, 2}, {2, 3}, {4, 1, 3}, {2, 3, 2}, {3, 2, 2}, {2, 2, 2, 2}}) {
    for (const std::int64_t size : {0, 1, 5, 7, 41, 1000}) {
      for (const int chunks : {1, 3}) expect_exact(levels, {size}, chunks);
    }
  }
}

}  // namespace
}  // namespace loom::workload
