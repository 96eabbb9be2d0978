// Reassembles inputs from fragments, which may arrive in any order, repeatedly, or never.
//
// Memory is bounded by the number of unfinished inputs and by their total bytes. An input that
// receives no fragment for a while is dropped. If there is no room, new inputs are refused, so that
// a flood of first fragments cannot evict unfinished inputs of other senders.
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

using ArrivalTime = std::chrono::steady_clock::time_point;

struct AssemblyLimits {
  std::size_t inputs = 256;
  std::size_t bytes = std::size_t{64} << 20;
  std::chrono::milliseconds patience{1000};
};

class Assembly {
 public:
  explicit Assembly(AssemblyLimits limits = {}) : limits_(limits) {}

  enum class Outcome : std::uint8_t { whole, waiting, full, contradiction };

  // Takes a fragment from `sender`. When an input is complete, moves it to `whole` and forgets it.
  // A fragment that partially overlaps another, or that gives a different total, is a
  // contradiction; the input is dropped. A repeated fragment with different content means that the
  // sender reuses the request number for a new input; reassembly starts over.
  Outcome take(const std::string& sender, const Packet& packet, ArrivalTime now,
               std::vector<std::uint8_t>& whole);

  // Drops inputs that received no fragment for longer than `patience`; returns their number.
  std::size_t expire(ArrivalTime now);

  std::size_t unfinished() const { return inputs_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  using Key = std::tuple<std::string, std::uint64_t, std::uint16_t>;  // sender, request, model

  struct Input {
    std::vector<std::uint8_t> bytes;
    std::map<std::uint32_t, std::uint32_t> fragments;  // end of each fragment by its offset
    std::size_t there = 0;
    ArrivalTime last;
  };

  void forget(std::map<Key, Input>::iterator input);

  AssemblyLimits limits_;
  std::map<Key, Input> inputs_;
  std::size_t bytes_ = 0;
};

}  // namespace loom::photonic
