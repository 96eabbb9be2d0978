// Transfers that have all links of their way to themselves, as nearly all of a ring or a pipeline
// have: each gets the narrowest of its links whole until it ends or somebody else comes. Neither
// sharing nor clocks are needed for that, only the time at which it ends; and what they would give
// is the same to the picosecond.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/simulate/event_queue.h"
#include "loom/transport/max_min.h"

namespace loom {

class UncontendedTransfers {
 public:
  explicit UncontendedTransfers(std::size_t links) : links_(links) {}

  // Whether a transfer on that way would be alone: nobody is on the links, and it takes them whole.
  bool room_for(std::span<const Hop> hops, int weight) const {
    for (const Hop& hop : hops) {
      const Use& use = links_[static_cast<std::size_t>(hop.link)];
      if (use.uncontended >= 0 || use.others > 0 || hop.share != kWhole) return false;
    }
    return weight == 1 && !hops.empty();
  }

  // The transfer that has this link to itself, or -1.
  int on(int link) const { return links_[static_cast<std::size_t>(link)].uncontended; }
  bool holds(int id) const {
    return static_cast<std::size_t>(id) < uncontended_.size() &&
           uncontended_[static_cast<std::size_t>(id)].uncontended;
  }

  // It has room; how fast it goes is for settle() and go().
  void add(int id, std::span<const MaxMin::HopHere> path);
  void remove(int id, std::span<const MaxMin::HopHere> path);
  // Transfers that share.
  void count(std::span<const MaxMin::HopHere> path, int more);

  // It moves at this speed from now on; its end. False where it has none.
  bool go(int id, Duration now, Int128 left, std::int64_t speed);
  // What it has done since it went; then it stands still.
  Int128 settle(int id, Duration now);
  Int128 done(int id, Duration now) const;

  // Those added since, alone or not by now; to be cleared by the caller.
  std::vector<int>& fresh() { return fresh_; }

  Duration next_end() const { return ends_.empty() ? kForever : ends_.top().time; }
  // Takes the next that ends, or -1 where it ends no more.
  int take();
  void drop_stale();

 private:
  struct Use {
    int uncontended = -1;
    int others = 0;
  };
  struct Uncontended {
    Duration since{0};
    std::int64_t speed = 0;    // quanta by picosecond
    std::uint64_t ticket = 0;  // of its end in the queue
    bool uncontended = false;
  };
  struct End {
    End(Duration at, std::uint64_t ticket, int whose) : time(at), order(ticket), id(whose) {}

    Duration time;
    std::uint64_t order;
    int id;
  };

  bool stale(const End& end) const {
    const Uncontended& it = uncontended_[static_cast<std::size_t>(end.id)];
    return it.speed == 0 || it.ticket != end.order;
  }
  Duration span_of(Int128 left, std::int64_t speed);

  std::vector<Use> links_;
  std::vector<Uncontended> uncontended_;  // by transfer
  std::vector<int> fresh_;
  EventQueue<End> ends_;
  std::uint64_t tickets_ = 0;
  // The last span that was found: messages of a step are alike.
  Int128 last_left_ = 0;
  std::int64_t last_speed_ = 0;
  Duration last_span_{0};
};

}  // namespace loom
