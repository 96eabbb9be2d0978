// Inputs that come in parts, put together again: in any order, some twice, some never.
//
// Memory is bounded: so many unfinished inputs at once and so many bytes in all. One that gets no
// part for a while is given up; when there is no room a new one is refused, so that a flood of
// first parts cannot push out what others have begun.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "loom/photonic/server/packet.h"

namespace loom::photonic {

using TimePoint = std::chrono::steady_clock::time_point;

struct AssemblyLimits {
  std::size_t inputs = 256;
  std::size_t bytes = std::size_t{64} << 20;
  std::chrono::milliseconds patience{1000};
};

class Assembly {
 public:
  explicit Assembly(AssemblyLimits limits = {}) : limits_(limits) {}

  enum class Outcome : std::uint8_t { whole, waiting, full, contradiction };

  // Takes a part from `sender`. Where the input is whole now it is given out and forgotten. A part
  // that overlaps another only in part, or another total, contradicts: the input is given up. The
  // same part with other content is of another input under the same number, which begins anew.
  Outcome take(const std::string& sender, const Packet& packet, TimePoint now,
               std::vector<std::uint8_t>& whole);

  // Gives up what has waited too long; how many.
  std::size_t expire(TimePoint now);

  std::size_t unfinished() const { return inputs_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  using Key = std::tuple<std::string, std::uint64_t, std::uint16_t>;  // sender, request, model

  struct Input {
    std::vector<std::uint8_t> bytes;
    std::map<std::uint32_t, std::uint32_t> fragments;  // offset and end of those that are there
    std::size_t there = 0;
    TimePoint last;
  };

  void forget(std::map<Key, Input>::iterator input);

  AssemblyLimits limits_;
  std::map<Key, Input> inputs_;
  std::size_t bytes_ = 0;
};

}  // namespace loom::photonic
