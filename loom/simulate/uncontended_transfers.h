// Transfers that share no link with another transfer, such as nearly all transfers in a ring or a
// pipeline. Each gets the full bandwidth of its bottleneck until it ends or another transfer
// arrives. This needs neither max-min sharing nor clocks, only an end time; the result is identical
// to the picosecond.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/simulate/event_queue.h"
#include "loom/transport/max_min.h"

namespace loom::simulate {

class UncontendedTransfers {
 public:
  explicit UncontendedTransfers(std::size_t links) : links_(links) {}

  // Whether a transfer on this route would be uncontended: all its links are idle, and all of the
  // transfer crosses each of them.
  bool room_for(std::span<const fabric::Hop> hops) const {
    for (const fabric::Hop& hop : hops) {
      const Use& use = links_[static_cast<std::size_t>(hop.link)];
      if (use.uncontended >= 0 || use.others > 0 || hop.share != fabric::kWhole) return false;
    }
    return !hops.empty();
  }

  // The uncontended transfer on this link, or -1.
  FlowId on(LinkId link) const { return links_[static_cast<std::size_t>(link)].uncontended; }
  bool holds(FlowId id) const {
    return static_cast<std::size_t>(id) < uncontended_.size() &&
           uncontended_[static_cast<std::size_t>(id)].uncontended;
  }

  // add() requires room_for(). go() sets the speed of the transfer, and settle() clears it.
  void add(FlowId id, std::span<const transport::MaxMin::HopHere> path);
  void remove(FlowId id, std::span<const transport::MaxMin::HopHere> path);
  // Adds `more`, 1 or -1, to the number of other transfers on each link of the path.
  void count(std::span<const transport::MaxMin::HopHere> path, int more);

  // Time for the work at this speed, rounded up; kForever if out of range.
  Duration time_for(const Int128& work, std::int64_t speed);

  // Starts the transfer at this speed and queues its end; returns false if it would never end.
  bool go(FlowId id, TimePoint now, Int128 left, std::int64_t speed);
  // Returns the work done since go() and stops the transfer; done() does not stop it.
  Int128 settle(FlowId id, TimePoint now);
  Int128 done(FlowId id, TimePoint now) const;

  // Transfers added since the caller last cleared this list; some may not be uncontended any more.
  std::vector<FlowId>& fresh() { return fresh_; }

  TimePoint next_end() const { return ends_.empty() ? kNever : ends_.top().time; }
  // Removes the earliest queued end and returns its transfer; -1 if this end is stale.
  FlowId take();
  void drop_stale();

 private:
  struct Use {
    FlowId uncontended{-1};
    int others = 0;
  };
  struct Uncontended {
    TimePoint since;
    std::int64_t speed = 0;    // quanta per picosecond
    std::uint64_t ticket = 0;  // sequence number of its end in the queue
    bool uncontended = false;
  };
  struct End {
    End(TimePoint at, std::uint64_t ticket, FlowId whose) : time(at), order(ticket), id(whose) {}

    TimePoint time;
    std::uint64_t order;
    FlowId id;
  };

  bool stale(const End& end) const {
    const Uncontended& it = uncontended_[static_cast<std::size_t>(end.id)];
    return it.speed == 0 || it.ticket != end.order;
  }

  std::vector<Use> links_;
  std::vector<Uncontended> uncontended_;  // per transfer
  std::vector<FlowId> fresh_;
  EventQueue<End> ends_;
  std::uint64_t tickets_ = 0;
  // Arguments and result of the last time_for(): messages of a step often have equal sizes.
  Int128 last_work_ = 0;
  std::int64_t last_speed_ = 0;
  Duration last_time_{0};
};

}  // namespace loom::simulate
