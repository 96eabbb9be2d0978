// Executes a schedule message by message, for tests: a literal implementation of the rules in
// schedule.h, in a random order that the rules allow. Cost: messages times channels.
//
// `Machine` defines the effect of a message: its functions leave() and arrive() take the phase, the
// channel and the number of the message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "loom/base/random.h"
#include "loom/workload/schedule.h"

namespace loom::workload {

template <class Machine>
class ScheduleRun {
 public:
  ScheduleRun(const Schedule& schedule, Machine& machine, Random random)
      : schedule_(schedule), machine_(machine), random_(random), at_(schedule.ranks, 0) {
    for (const Phase& phase : schedule.phases) {
      sent_.emplace_back(phase.channels.size(), 0);
      arrived_.emplace_back(phase.channels.size(), 0);
    }
  }

  // Runs the schedule; returns true if every message was sent and received.
  bool finish() {
    while (act()) advance();
    advance();
    for (const std::size_t phase : at_) {
      if (phase != schedule_.phases.size()) return false;
    }
    return true;
  }

 private:
  // Lets one message leave or arrive, found from a random position on; returns false if none can.
  bool act() {
    std::vector<std::pair<std::size_t, int>> places;
    for (std::size_t p = 0; p < schedule_.phases.size(); ++p) {
      const int channels = static_cast<int>(schedule_.phases[p].channels.size());
      if (open(p)) {
        for (int c = 0; c < channels; ++c) places.emplace_back(p, c);
      }
    }
    const auto count = static_cast<std::uint32_t>(places.size());
    const std::uint32_t begin = count == 0 ? 0 : random_(count);
    const bool arrivals_first = random_(2) == 0;
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
      const auto [p, c] = places[(begin + i) % count];
      if ((i < count) == arrivals_first ? arrive(p, c) : leave(p, c)) return true;
    }
    return false;
  }

  bool open(std::size_t p) const { return std::find(at_.begin(), at_.end(), p) != at_.end(); }

  bool leave(std::size_t p, int c) {
    const Phase& phase = schedule_.phases[p];
    const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    int& message = sent_[p][static_cast<std::size_t>(c)];
    if (at_[static_cast<std::size_t>(channel.source)] != p) return false;
    if (message == phase.messages(c)) return false;
    for (const Wait& wait : phase.waits_of(c)) {
      if (arrived_[p][static_cast<std::size_t>(wait.channel)] <= message - wait.lag) return false;
    }
    machine_.leave(p, c, message++);
    return true;
  }

  bool arrive(std::size_t p, int c) {
    int& message = arrived_[p][static_cast<std::size_t>(c)];
    if (message == sent_[p][static_cast<std::size_t>(c)]) return false;
    machine_.arrive(p, c, message++);
    return true;
  }

  void advance() {
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      std::size_t& p = at_[static_cast<std::size_t>(rank)];
      while (p < schedule_.phases.size() && done(rank, p)) ++p;
    }
  }

  bool done(int rank, std::size_t p) const {
    const Phase& phase = schedule_.phases[p];
    for (std::size_t c = 0; c < phase.channels.size(); ++c) {
      const Channel& channel = phase.channels[c];
      const bool touches = channel.source == rank || channel.destination == rank;
      if (touches && arrived_[p][c] != phase.messages(static_cast<int>(c))) return false;
    }
    return true;
  }

  const Schedule& schedule_;
  Machine& machine_;
  Random random_;
  std::vector<std::size_t> at_;  // current phase per rank
  std::vector<std::vector<int>> sent_;
  std::vector<std::vector<int>> arrived_;
};

}  // namespace loom::workload
