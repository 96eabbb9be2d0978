// Numbers 64-bit hash labels in the order in which they are first seen.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/base/random.h"

namespace loom::simulate {

template <class... More>
constexpr std::uint64_t mix_all(std::uint64_t label, More... more) {
  ((label = mix(label, static_cast<std::uint64_t>(more))), ...);
  return label;
}

// Open addressing; a label repeated immediately is found without a table lookup.
class LabelTable {
 public:
  int size() const { return static_cast<int>(labels_.size()); }
  std::uint64_t label(int number) const { return labels_[static_cast<std::size_t>(number)]; }

  void clear() {
    labels_.clear();
    slots_.assign(kFirst, -1);
    last_ = -1;
  }

  // The number of a label; -1 if the label has not been seen.
  int find(std::uint64_t label) const { return slots_[slot_of(label)]; }

  // The number of a label; a label that has not been seen gets the next number, size().
  int number(std::uint64_t label) {
    if (last_ >= 0 && labels_[static_cast<std::size_t>(last_)] == label) return last_;
    const std::size_t slot = slot_of(label);
    if (slots_[slot] < 0) {
      slots_[slot] = size();
      labels_.push_back(label);
      last_ = size() - 1;
      if (labels_.size() * 2 > slots_.size()) grow();
      return last_;
    }
    return last_ = slots_[slot];
  }

 private:
  static constexpr std::size_t kFirst = 64;

  std::size_t slot_of(std::uint64_t label) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(label) & mask;
    while (slots_[slot] >= 0 && labels_[static_cast<std::size_t>(slots_[slot])] != label) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, -1);
    for (int n = 0; n < size(); ++n) slots_[slot_of(label(n))] = n;
  }

  std::vector<std::uint64_t> labels_;
  std::vector<int> slots_ = std::vector<int>(kFirst, -1);
  int last_ = -1;
};

}  // namespace loom::simulate
