// Colors of devices or links in color refinement (symmetry.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/simulate/symmetry/label_table.h"

namespace loom::simulate {

// The color of each object (device or link); colors are numbered in the order of first occurrence.
class Colors {
 public:
  explicit Colors(std::span<const std::uint64_t> labels) {
    LabelTable table;
    of_.reserve(labels.size());
    for (const std::uint64_t label : labels) of_.push_back(table.number(label));
    count_ = table.size();
  }

  int count() const { return count_; }
  const std::vector<int>& of() const { return of_; }
  int operator[](int index) const { return of_[static_cast<std::size_t>(index)]; }

  // Splits each color by the sums of its objects; true if any color was split.
  bool split(std::span<const std::uint64_t> sums) {
    std::vector<std::uint64_t> labels(of_.size());
    for (std::size_t i = 0; i < of_.size(); ++i) {
      labels[i] = mix(sums[i], static_cast<std::uint64_t>(of_[i]));
    }
    const int before = count_;
    *this = Colors(labels);
    return count_ != before;
  }

  // Per object, a hash of its color and `with`.
  std::vector<std::uint64_t> mixed(std::uint64_t with) const {
    std::vector<std::uint64_t> labels;
    labels.reserve(of_.size());
    for (const int color : of_) labels.push_back(mix(static_cast<std::uint64_t>(color), with));
    return labels;
  }

  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(count_), 0);
    for (const int color : of_) ++sizes[static_cast<std::size_t>(color)];
    return sizes;
  }

 private:
  std::vector<int> of_;
  int count_ = 0;
};

}  // namespace loom::simulate
