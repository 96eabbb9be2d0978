#include "loom/photonic/server/latencies.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "loom/base/index.h"
#include "loom/base/statistics.h"

namespace loom::photonic {

// Below 32 ns, a bin is one nanosecond wide. Above, each octave has 32 bins, selected by the five
// bits after the highest bit.
void Latencies::add(std::chrono::nanoseconds time) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()));
  std::size_t bin = value;
  if (value >= kBinsPerOctave) {
    const int shift = std::bit_width(value) - 6;
    bin = static_cast<std::size_t>(shift + 1) * kBinsPerOctave + (value >> shift) - kBinsPerOctave;
  }
  ++bins_[std::min(bin, bins_.size() - 1)];
  ++count_;
}

std::chrono::nanoseconds Latencies::percentile(double share) const {
  if (count_ == 0) return std::chrono::nanoseconds(0);
  const auto wanted = static_cast<std::int64_t>(nearest_rank(share, to_index(count_)));
  std::int64_t seen = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (seen < wanted) continue;
    if (bin < kBinsPerOctave) return std::chrono::nanoseconds(bin);
    const std::size_t shift = bin / kBinsPerOctave - 1;
    const std::uint64_t low = (bin % kBinsPerOctave + kBinsPerOctave) << shift;
    return std::chrono::nanoseconds(low + (std::uint64_t{1} << shift) - 1);
  }
  return std::chrono::nanoseconds(0);
}

}  // namespace loom::photonic
