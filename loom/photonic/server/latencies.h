// A latency histogram in constant memory, whose bins are at most about 3 % wide.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace loom::photonic {

class Latencies {
 public:
  void add(std::chrono::nanoseconds time);

  std::int64_t count() const { return count_; }

  // The upper end of the bin that contains this percentile; 0 if there are no latencies.
  std::chrono::nanoseconds percentile(double share) const;

 private:
  static constexpr int kBinsPerOctave = 32;
  static constexpr int kOctaves = 48;  // up to 2^52 ns, or 52 days

  std::array<std::int64_t, static_cast<std::size_t>(kBinsPerOctave)* kOctaves> bins_ = {};
  std::int64_t count_ = 0;
};

}  // namespace loom::photonic
