// Charge of a flow on a link: the bandwidth it takes there if its bottleneck is another link.
// Summing the charges over the flows of a link is the inner loop of max-min sharing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "loom/base/ids.h"

namespace loom::transport {

// Charge of each flow that has its bottleneck on a given link, per unit of weight; or a sum of
// charges. Zero while the link is open, that is, while its level is unknown.
struct alignas(16) Charge {
  static constexpr int kErrorBit = 32;

  std::int64_t amount = 0;
  std::int64_t tally = 0;  // bits below kErrorBit: number of flows; the rest: error of the amount

  std::int64_t count() const { return tally & ((std::int64_t{1} << kErrorBit) - 1); }
  std::int64_t error() const { return tally >> kErrorBit; }
};

// The bottleneck of a flow, stored as the offset of the link's charge in words of eight bytes, so
// that the inner loop needs no shift to compute an address.
class Owner {
 public:
  explicit Owner(LinkId link) : place_(2 * static_cast<std::uint32_t>(link)) {}
  LinkId link() const { return LinkId(place_ / 2); }
  std::size_t index() const { return place_ / 2; }
  std::uint32_t place() const { return place_; }

 private:
  std::uint32_t place_;
};

// A charge as a 16-byte vector, which CPUs with vector instructions read, write or add in one
// instruction. GCC and Clang support this type on every CPU.
using WholeCharge [[gnu::vector_size(16), gnu::may_alias]] = long long;

inline const WholeCharge& charge_at(const std::vector<Charge>& charges, std::uint64_t place) {
  const auto* const words = reinterpret_cast<const std::int64_t*>(charges.data());
  return *reinterpret_cast<const WholeCharge*>(words + place);
}

// Writes both words in one store: two stores would prevent store forwarding to the 16-byte load.
inline void set_charge(Charge& charge, const Charge& value) {
  *reinterpret_cast<WholeCharge*>(&charge) = WholeCharge{value.amount, value.tally};
}

// Sum of the charges of the owners from index `first` on. The owners before `first` are an open
// link, whose charge is zero; a few of them are included to make the count a multiple of eight, so
// that the end of the loop is predictable. Two offsets are read at once, and four sums run in
// parallel.
inline Charge sum_of_charges(const std::vector<Charge>& charges, std::span<const Owner> owners,
                             std::size_t first) {
  WholeCharge a = {};
  WholeCharge b = {};
  WholeCharge c = {};
  WholeCharge d = {};
  const auto add_two = [&](std::size_t at, WholeCharge& sum, WholeCharge& other) {
    static_assert(sizeof(Owner) == 4);
    std::uint64_t places = 0;
    std::memcpy(&places, &owners[at], sizeof places);
    sum += charge_at(charges, static_cast<std::uint32_t>(places));
    other += charge_at(charges, places >> 32);
  };
  const std::size_t lacking = (first - owners.size()) % 8;
  std::size_t i = first >= lacking ? first - lacking : first;
  for (; i + 8 <= owners.size(); i += 8) {
    add_two(i, a, b);
    add_two(i + 2, c, d);
    add_two(i + 4, a, b);
    add_two(i + 6, c, d);
  }
  for (; i < owners.size(); ++i) a += charge_at(charges, owners[i].place());
  const WholeCharge sum = (a + b) + (c + d);
  return {sum[0], sum[1]};
}

inline std::int64_t highest_charge(const std::vector<Charge>& charges,
                                   std::span<const Owner> owners) {
  const auto amount = [&](std::size_t i) { return charge_at(charges, owners[i].place())[0]; };
  std::int64_t highest = 0;
  std::int64_t of_odd = 0;
  std::size_t i = 0;
  for (; i + 2 <= owners.size(); i += 2) {
    highest = std::max<std::int64_t>(highest, amount(i));
    of_odd = std::max<std::int64_t>(of_odd, amount(i + 1));
  }
  if (i < owners.size()) highest = std::max<std::int64_t>(highest, amount(i));
  return std::max(highest, of_odd);
}

// Charges compared with an amount: the sum and the maximum (`highest`) of the charges below it, and
// the minimum (`bound`) of the charges at or above it.
struct LowerCharges {
  Charge sum;
  std::int64_t highest = 0;
  std::int64_t bound = std::numeric_limits<std::int64_t>::max();
};

inline LowerCharges lower_charges(const std::vector<Charge>& charges, std::span<const Owner> owners,
                                  std::int64_t amount) {
  LowerCharges lower;
  for (const Owner owner : owners) {
    const Charge& charge = charges[owner.index()];
    if (charge.amount >= amount) {
      if (charge.tally != 0) lower.bound = std::min(lower.bound, charge.amount);
      continue;
    }
    lower.sum.amount += charge.amount;
    lower.sum.tally += charge.tally;
    lower.highest = std::max(lower.highest, charge.amount);
  }
  return lower;
}

}  // namespace loom::transport
