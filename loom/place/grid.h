// Maps the ranks of a strategy to devices: device numbers form a grid with one axis per dimension.
//
// The first dimension of the strategy's order is innermost: ranks that differ only in it are
// adjacent devices.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

#include "loom/parallelize/shard.h"
#include "loom/workload/workload.h"

namespace loom::place {

class Grid {
 public:
  explicit Grid(const parallelize::Strategy& strategy);

  int devices() const { return devices_; }
  int coordinate(int device, parallelize::Dimension dimension) const;

  // The devices of a pipeline stage, each in a group of its own.
  workload::Groups stage(int stage) const;
  // The groups of ranks of a stage that differ only in the span's dimensions.
  workload::Groups groups(parallelize::Span span, int stage) const;
  // Each device of stage `from`, paired with the device at the same position in stage `to`.
  workload::Groups pairs(int from, int to) const;

 private:
  int extent(parallelize::Dimension dimension) const;
  std::vector<int> devices_over(std::span<const parallelize::Dimension> dimensions) const;
  workload::Groups groups_over(std::initializer_list<parallelize::Dimension> over, int stage) const;

  std::array<int, 5> extent_{};  // degree per Dimension; that of data is data / expert
  std::array<int, 5> stride_{};
  int devices_ = 1;
};

}  // namespace loom::place
