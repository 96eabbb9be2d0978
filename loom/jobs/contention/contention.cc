#include "loom/jobs/contention/contention.h"

#include <algorithm>
#include <limits>

#include "loom/base/index.h"
#include "loom/base/random.h"
#include "loom/base/units.h"

namespace loom::jobs {

double bits_to_send(const Sender& sender, double left) {
  return sender.bits_left + sender.rate * left / kPicosecondsPerSecond;
}

// Whether the sender is bottlenecked at this level, by its own rate or by a link; adds the
// bottleneck to pattern_.
bool Filling::held_up(const Contention& contention, int sender, double weight, double level) {
  const Sender& it = contention.senders[to_index(sender)];
  int by = it.rate / weight <= level ? 0 : -1;
  for (const LinkFraction& hop : contention.path(it)) {
    if (by < 0 && room_[to_index(hop.link)] / weight_[to_index(hop.link)] <= level)
      by = hop.link + 1;
  }
  if (by < 0) return false;
  pattern_ += mix(static_cast<std::uint64_t>(sender) + 1, static_cast<std::uint64_t>(by));
  return true;
}

// Progressive filling: all bandwidths rise together in proportion to their weights until a link is
// full or a sender reaches its own rate. The senders stopped by that are fixed, and the others
// continue.
void Filling::fill(const Contention& contention, std::span<const double> weights,
                   std::span<double> speeds) {
  room_ = contention.capacity;
  weight_.assign(room_.size(), 0);
  pattern_ = 0;
  open_.resize(contention.senders.size());
  for (std::size_t i = 0; i < open_.size(); ++i) open_[i] = static_cast<int>(i);
  while (!open_.empty()) {
    std::fill(weight_.begin(), weight_.end(), 0.0);
    double level = std::numeric_limits<double>::infinity();
    for (const int it : open_) {
      const Sender& sender = contention.senders[to_index(it)];
      level = std::min(level, sender.rate / weights[to_index(it)]);
      for (const LinkFraction& hop : contention.path(sender)) {
        weight_[to_index(hop.link)] += hop.of * weights[to_index(it)];
      }
    }
    for (std::size_t link = 0; link < room_.size(); ++link) {
      if (weight_[link] > 0) level = std::min(level, room_[link] / weight_[link]);
    }
    const auto first_stopped = std::stable_partition(open_.begin(), open_.end(), [&](int it) {
      return !held_up(contention, it, weights[to_index(it)], level);
    });
    for (auto it = first_stopped; it != open_.end(); ++it) {
      const Sender& sender = contention.senders[to_index(*it)];
      const double bandwidth = std::min(sender.rate, level * weights[to_index(*it)]);
      speeds[to_index(*it)] = bandwidth / sender.rate;
      for (const LinkFraction& hop : contention.path(sender)) {
        double& room = room_[to_index(hop.link)];
        room = std::max(0.0, room - hop.of * bandwidth);
      }
    }
    open_.erase(first_stopped, open_.end());
  }
}

void fill_in_order(const Contention& contention, std::span<const int> order,
                   std::span<double> speeds) {
  std::vector<double> room = contention.capacity;
  for (const int it : order) {
    const Sender& sender = contention.senders[to_index(it)];
    double bandwidth = sender.rate;
    for (const LinkFraction& hop : contention.path(sender)) {
      bandwidth = std::min(bandwidth, room[to_index(hop.link)] / hop.of);
    }
    speeds[to_index(it)] = bandwidth / sender.rate;
    for (const LinkFraction& hop : contention.path(sender)) {
      room[to_index(hop.link)] = std::max(0.0, room[to_index(hop.link)] - hop.of * bandwidth);
    }
  }
}

}  // namespace loom::jobs
