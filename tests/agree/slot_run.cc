#include "tests/agree/slot_run.h"

#include <algorithm>

namespace loom::oracle {
namespace {

constexpr double kNothing = 1e-6;  // bytes
constexpr double kSame = 1e-12;    // seconds

// Bytes per message.
using Amounts = std::vector<double>;

double total(const Amounts& amounts) {
  double sum = 0;
  for (const double it : amounts) sum += it;
  return sum;
}

class Run {
 public:
  Run(const fabric::Rotation& rotation, const fabric::RotationClock& clock, Bandwidth egress,
      const std::vector<SlotMessage>& messages, SlotRouting routing)
      : rotation_(rotation),
        hold_(seconds(clock.hold)),
        switch_time_(seconds(clock.switch_time)),
        rate_(static_cast<double>(egress.bits_per_second) / 8 / rotation.planes),
        messages_(messages),
        routing_(routing),
        n_(static_cast<std::size_t>(rotation.devices)),
        first_(n_ * n_, Amounts(messages.size(), 0)),
        waiting_(n_, Amounts(messages.size(), 0)),
        relayed_(n_ * n_, Amounts(messages.size(), 0)),
        arriving_(n_ * n_, Amounts(messages.size(), 0)),
        left_(messages.size(), 0),
        end_(messages.size(), 0),
        begun_(messages.size(), false) {}

  std::vector<double> ends() {
    std::size_t open = messages_.size();
    for (std::int64_t slot = 0; open > 0; ++slot) {
      now_ = static_cast<double>(slot) * hold_;
      begin();
      const int at = static_cast<int>(slot % rotation_.slots);
      for (int plane = 0; plane < rotation_.planes; ++plane) {
        for (int device = 0; device < rotation_.devices; ++device) {
          const int peer = rotation_.peer(plane, at, device);
          if (peer != device) serve(device, peer);
        }
      }
      for (const std::size_t pair : touched_) {
        for (std::size_t m = 0; m < messages_.size(); ++m) relayed_[pair][m] += arriving_[pair][m];
        std::fill(arriving_[pair].begin(), arriving_[pair].end(), 0);
      }
      touched_.clear();
      open = 0;
      for (std::size_t m = 0; m < messages_.size(); ++m) open += !begun_[m] || left_[m] > kNothing;
    }
    return end_;
  }

 private:
  std::size_t pair(int from, int to) const {
    return static_cast<std::size_t>(from) * n_ + static_cast<std::size_t>(to);
  }

  void begin() {
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const SlotMessage& it = messages_[m];
      if (begun_[m] || it.start > now_ + kSame) continue;
      begun_[m] = true;
      left_[m] = it.bytes;
      if (routing_ == SlotRouting::direct) {
        first_[pair(it.from, it.to)][m] = it.bytes;
      } else if (routing_ == SlotRouting::rotor_lb) {
        waiting_[static_cast<std::size_t>(it.from)][m] = it.bytes;
      } else {
        const double share = it.bytes / static_cast<double>(n_);
        for (int relay = 0; relay < rotation_.devices; ++relay) {
          if (relay != it.from)
            first_[pair(it.from, relay)][m] = relay == it.to ? 2 * share : share;
        }
      }
    }
  }

  // Removes up to `room` bytes, the same fraction of each allowed message, and returns them.
  Amounts take(Amounts& from, const std::vector<bool>& may, double room) const {
    double there = 0;
    for (std::size_t m = 0; m < from.size(); ++m) there += may[m] ? from[m] : 0;
    Amounts taken(from.size(), 0);
    if (there <= 0 || room <= 0) return taken;
    const double fraction = std::min(1.0, room / there);
    for (std::size_t m = 0; m < from.size(); ++m) {
      if (!may[m]) continue;
      taken[m] = from[m] * fraction;
      from[m] -= taken[m];
    }
    return taken;
  }

  std::vector<bool> for_device(int device) const {
    std::vector<bool> may;
    for (const SlotMessage& it : messages_) may.push_back(it.to == device);
    return may;
  }

  void arrive(int at, const Amounts& amounts, double& room) {
    room -= total(amounts);
    const double until = now_ + switch_time_ + (capacity() - room) / rate_;
    for (std::size_t m = 0; m < amounts.size(); ++m) {
      if (amounts[m] == 0) continue;
      if (messages_[m].to != at) {
        const std::size_t on = pair(at, messages_[m].to);
        arriving_[on][m] += amounts[m];
        touched_.push_back(on);
        continue;
      }
      left_[m] -= amounts[m];
      end_[m] = std::max(end_[m], until);
    }
  }

  double capacity() const { return rate_ * (hold_ - switch_time_); }

  // Sends over the circuit from a to b in this slot.
  void serve(int a, int b) {
    const std::vector<bool> all(messages_.size(), true);
    double room = capacity();
    if (routing_ != SlotRouting::rotor_lb) {
      arrive(b, take(first_[pair(a, b)], all, room), room);
      arrive(b, take(relayed_[pair(a, b)], all, room), room);
      return;
    }
    arrive(b, take(relayed_[pair(a, b)], all, room), room);
    Amounts& own = waiting_[static_cast<std::size_t>(a)];
    arrive(b, take(own, for_device(b), room), room);
    for (int d = 0; d < rotation_.devices; ++d) {
      if (d == a || d == b) continue;
      double ahead = total(relayed_[pair(b, d)]) + total(arriving_[pair(b, d)]);
      const std::vector<bool> there = for_device(d);
      for (std::size_t m = 0; m < messages_.size(); ++m) {
        if (there[m]) ahead += waiting_[static_cast<std::size_t>(b)][m];
      }
      const double spare = std::min(room, std::max(0.0, capacity() - ahead));
      if (spare > 0) arrive(b, take(own, there, spare), room);
    }
  }

  const fabric::Rotation& rotation_;
  double hold_;
  double switch_time_;
  double rate_;  // uplink rate, bytes per second
  const std::vector<SlotMessage>& messages_;
  SlotRouting routing_;
  std::size_t n_;
  std::vector<Amounts> first_;        // by pair: unsent first-hop bytes
  std::vector<Amounts> waiting_;      // rotor_lb, by device: unsent bytes
  std::vector<Amounts> relayed_;      // by pair: bytes to forward
  std::vector<Amounts> arriving_;     // in this slot
  std::vector<std::size_t> touched_;  // pairs for which something arrives
  std::vector<double> left_;
  std::vector<double> end_;
  std::vector<bool> begun_;
  double now_ = 0;
};

}  // namespace

std::vector<double> slot_run(const fabric::Rotation& rotation, const fabric::RotationClock& clock,
                             Bandwidth egress, const std::vector<SlotMessage>& messages,
                             SlotRouting routing) {
  return Run(rotation, clock, egress, messages, routing).ends();
}

}  // namespace loom::oracle
