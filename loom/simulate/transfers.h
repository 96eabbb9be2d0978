// Active transfers: how much of each is left, and which of them end next.
//
// Every link has a virtual clock, as in fair queueing (link_clock.h). It runs at the link's level,
// the rate of a flow of weight one. Every transfer has a mark on the clock of its bottleneck link:
// the reading at which the transfer ends. So an event costs work only for links whose level changes
// and for transfers whose bottleneck changes, not for the many transfers that merely become faster
// or slower. Transfers that share no link need neither clock nor mark (uncontended_transfers.h).
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "loom/simulate/heap.h"
#include "loom/simulate/link_clock.h"
#include "loom/simulate/symmetry/marks.h"
#include "loom/simulate/uncontended_transfers.h"
#include "loom/transport/max_min.h"

namespace loom::simulate {

class Transfers {
 public:
  explicit Transfers(std::span<const fabric::Link> links)
      : sharing_(links),
        uncontended_(links.size()),
        carried_(links.size()),
        clocks_(links.size()),
        marks_(links.size()),
        fastest_(links.size(), LinkClock::kNoSpeed),
        stale_(links.size()) {}

  // Starts a transfer; returns its id. Ids are those of MaxMin: small and reused.
  FlowId start(std::span<const fabric::Hop> hops, Bytes size, int weight);
  // The same for a transfer that has flowed at this speed for this time.
  FlowId resume(std::span<const fabric::Hop> hops, Bytes size, int weight, std::int64_t speed,
                Duration time);
  void stop(FlowId id, TimePoint now);

  // Moves the transfer to another route; bytes already sent are not sent again. Returns its id.
  FlowId move(FlowId id, std::span<const fabric::Hop> hops, int weight, TimePoint now);

  void set_capacity(LinkId link, Bandwidth bandwidth, TimePoint now);

  // Recomputes all rates. Must be called after all changes of this time point.
  void update(TimePoint now);

  // For messages that the caller follows itself, on routes that nothing else uses: whether all of
  // a message crosses each link and no transfer is there, the full speed in quanta per picosecond,
  // the time at that speed (kForever if out of range), and the bytes that have crossed the links.
  bool idle(std::span<const fabric::Hop> hops) const { return uncontended_.room_for(hops); }
  std::int64_t bottleneck_speed(std::span<const fabric::Hop> hops) const;
  Duration time_for(Bytes size, std::int64_t speed) {
    return uncontended_.time_for(quanta_of(size), speed);
  }
  void credit(std::span<const fabric::Hop> hops, Bytes sent);

  bool empty() const { return count_ == 0; }
  TimePoint next_end() const {
    return std::min(uncontended_.next_end(), ends_.empty() ? kNever : ends_.top_key());
  }
  // All transfers that end at next_end(), in the order in which they started. The caller must stop
  // them.
  const std::vector<FlowId>& take_due();

  Bytes left(FlowId id, TimePoint now) const;  // not yet sent, rounded up
  Bytes carried(LinkId link) const;            // by transfers stopped or moved so far, rounded down
  bool moving() const;                         // some transfer has a rate
  const transport::MaxMin& sharing() const { return sharing_; }

  // As of the last update(): links whose load may have changed, and the load of a link in rate
  // counts.
  std::vector<LinkId> filled_links() const;
  Int128 load(LinkId link) const;

 private:
  struct Transfer {
    Bytes size;       // to be credited to the links of its route
    Int128 left = 0;  // quanta · picoseconds, while it has no clock
    std::uint64_t order = 0;
  };

  LinkClock& clock(LinkId link) { return clocks_[static_cast<std::size_t>(link)]; }
  std::int64_t& fastest(LinkId link) { return fastest_[static_cast<std::size_t>(link)]; }
  Marks& marks(LinkId link) { return marks_[static_cast<std::size_t>(link)]; }
  Marks::Slot& mark(FlowId id) { return mark_of_[static_cast<std::size_t>(id)]; }
  Transfer& transfer(FlowId id) { return transfers_[static_cast<std::size_t>(id)]; }
  FlowId place(const Transfer& placed, std::span<const fabric::Hop> hops, int weight);
  void share(FlowId id);
  void start_uncontended(TimePoint now);
  void note_filled(FlowId id);
  void renew(LinkId link, TimePoint now);
  void check_end(LinkId link);
  void erase_mark(FlowId id);
  Int128 leave_clock(FlowId id, TimePoint now);
  void join_clock(FlowId id, LinkId link, const Int128& left, TimePoint now);
  void change_clocks(TimePoint now);
  void find_next_ends();
  void find_first_end();
  Int128 quanta_of(Bytes size) const;
  Bytes bytes_of(Int128 quanta) const;

  transport::MaxMin sharing_;
  UncontendedTransfers uncontended_;
  std::vector<FlowId> joined_;  // transfers that were uncontended until now
  std::vector<LinkId> filled_;  // links on which an uncontended transfer began or ended
  bool settled_ = true;         // whether the next change first clears filled_
  std::vector<Transfer> transfers_;
  Marks::Slots mark_of_;         // per transfer: its clock, if it has one, and its mark there
  std::vector<Int128> carried_;  // bytes times share, per link
  std::vector<LinkClock> clocks_;
  std::vector<Marks> marks_;  // per link
  // Per link: the time at which the first of its transfers ends; after update() exact at the top of
  // the heap, otherwise a lower bound.
  IndexedHeap<TimePoint, LinkId> ends_;
  // Per link: the highest clock speed for which its key in ends_ is a lower bound; kNoSpeed: the
  // key is exact.
  std::vector<std::int64_t> fastest_;
  std::vector<char> stale_;      // per link: whether it is in renewed_
  std::vector<LinkId> renewed_;  // links whose key in ends_ must be recomputed
  std::vector<FlowId> due_;
  std::vector<std::pair<std::uint64_t, FlowId>> by_order_;  // transfers that are due
  std::uint64_t started_ = 0;
  std::size_t count_ = 0;
};

}  // namespace loom::simulate
