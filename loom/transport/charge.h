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
};

// Two additions at once where the machine can: the type is that of GCC and clang, for any machine.
inline Charge sum_of_charges(const std::vector<Charge>& charges, std::span<const int> links) {
  using Pair [[gnu::vector_size(16), gnu::may_alias]] = long long;
  const auto* const pairs = reinterpret_cast<const Pair*>(charges.data());
  Pair even = {};
  Pair odd = {};
  std::size_t i = 0;
  for (; i + 4 <= links.size(); i += 4) {
    even += pairs[links[i]];
    odd += pairs[links[i + 1]];
    even += pairs[links[i + 2]];
    odd += pairs[links[i + 3]];
  }
  for (; i < links.size(); ++i) even += pairs[links[i]];
  const Pair sum = even + odd;
  return {sum[0], sum[1]};
}

inline std::int64_t highest_charge(const std::vector<Charge>& charges, std::span<const int> links) {
  std::int64_t highest = 0;
  for (const int link : links) {
    highest = std::max(highest, charges[static_cast<std::size_t>(link)].amount);
  }
  return highest;
}

}  // namespace loom
