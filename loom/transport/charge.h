// What the flows of closed links take elsewhere, and the sum of it over many flows: the loop in
// which the sharing of a busy network spends its time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace loom {

// Of one flow of a link, or the sum over several. Nothing while the link is open.
struct alignas(16) Charge {
  static constexpr int kErrorBit = 32;

  std::int64_t amount = 0;
  std::int64_t tally = 0;  // one, and above kErrorBit the error of the amount

  std::int64_t count() const { return tally & ((std::int64_t{1} << kErrorBit) - 1); }
  std::int64_t error() const { return tally >> kErrorBit; }
};

// Over the links from `first` on. Those before it are of a link that is open and count for nothing:
// a few of them are taken along where that makes eights of all, for a loop that ends at a place
// that the machine foresees. Two additions at once where it can: the type is that of GCC and clang,
// for any machine.
inline Charge sum_of_charges(const std::vector<Charge>& charges, std::span<const int> links,
                             std::size_t first) {
  using Pair [[gnu::vector_size(16), gnu::may_alias]] = long long;
  const auto* const pairs = reinterpret_cast<const Pair*>(charges.data());
  Pair even = {};
  Pair odd = {};
  const std::size_t lacking = (first - links.size()) % 8;
  std::size_t i = first >= lacking ? first - lacking : first;
  for (; i + 8 <= links.size(); i += 8) {
    even += pairs[links[i]];
    odd += pairs[links[i + 1]];
    even += pairs[links[i + 2]];
    odd += pairs[links[i + 3]];
    even += pairs[links[i + 4]];
    odd += pairs[links[i + 5]];
    even += pairs[links[i + 6]];
    odd += pairs[links[i + 7]];
  }
  for (; i < links.size(); ++i) even += pairs[links[i]];
  const Pair sum = even + odd;
  return {sum[0], sum[1]};
}

inline std::int64_t highest_charge(const std::vector<Charge>& charges, std::span<const int> links) {
  const auto amount = [&](std::size_t i) {
    return charges[static_cast<std::size_t>(links[i])].amount;
  };
  std::int64_t highest = 0;
  std::int64_t of_odd = 0;
  std::size_t i = 0;
  for (; i + 2 <= links.size(); i += 2) {
    highest = std::max(highest, amount(i));
    of_odd = std::max(of_odd, amount(i + 1));
  }
  if (i < links.size()) highest = std::max(highest, amount(i));
  return std::max(highest, of_odd);
}

// The sum of those below some amount, and the highest of them.
struct LowerCharges {
  Charge sum;
  std::int64_t highest = 0;
};

inline LowerCharges lower_charges(const std::vector<Charge>& charges, std::span<const int> links,
                                  std::int64_t bound) {
  LowerCharges lower;
  for (const int link : links) {
    const Charge& charge = charges[static_cast<std::size_t>(link)];
    if (charge.amount >= bound) continue;
    lower.sum.amount += charge.amount;
    lower.sum.tally += charge.tally;
    lower.highest = std::max(lower.highest, charge.amount);
  }
  return lower;
}

}  // namespace loom
