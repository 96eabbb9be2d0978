// Active transfers: how much of each is left, and which of them end next.
//
// Every link has a clock that runs at its level (link_clock.h); every transfer has a mark on the
// clock of its bottleneck. So an event costs work only for links whose level changes and for
// transfers whose bottleneck changes, not for the many transfers that merely become faster or
// slower. Transfers that share no link need neither clock nor mark (uncontended_transfers.h).
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
  int start(std::span<const fabric::Hop> hops, Bytes size, int weight);
  void stop(int id, Duration now);

  // Moves the transfer to another route; bytes already sent are not sent again. Returns its id.
  int move(int id, std::span<const fabric::Hop> hops, int weight, Duration now);

  void set_capacity(int link, Bandwidth bandwidth, Duration now);

  // Recomputes all rates. Must be called after all changes of this time point.
  void update(Duration now);

  bool empty() const { return count_ == 0; }
  Duration next_end() const {
    return std::min(uncontended_.next_end(), ends_.empty() ? kForever : ends_.top_key());
  }
  // All transfers that end at next_end(), in the order in which they started. The caller must stop
  // them.
  const std::vector<int>& take_due();

  Bytes left(int id, Duration now) const;  // not yet sent, rounded up
  Bytes carried(int link) const;           // by transfers stopped or moved so far, rounded down
  bool moving() const;                     // some transfer has a rate
  const transport::MaxMin& sharing() const { return sharing_; }

  // As of the last update(): links whose load may have changed, and the load of a link in rate
  // counts.
  std::vector<int> filled_links() const;
  Int128 load(int link) const;

 private:
  struct Transfer {
    Bytes size;       // to be credited to the links of its route
    Int128 left = 0;  // quanta · picoseconds, while it has no clock
    std::uint64_t order = 0;
  };

  LinkClock& clock(int link) { return clocks_[static_cast<std::size_t>(link)]; }
  std::int64_t& fastest(int link) { return fastest_[static_cast<std::size_t>(link)]; }
  Marks& marks(int link) { return marks_[static_cast<std::size_t>(link)]; }
  Marks::Slot& mark(int id) { return mark_of_[static_cast<std::size_t>(id)]; }
  Transfer& transfer(int id) { return transfers_[static_cast<std::size_t>(id)]; }
  int place(const Transfer& placed, std::span<const fabric::Hop> hops, int weight);
  std::int64_t uncontended_speed(int id) const;
  void share(int id);
  void start_uncontended(Duration now);
  void note_filled(int id);
  void renew(int link, Duration now);
  void check_end(int link);
  void erase_mark(int id);
  Int128 leave_clock(int id, Duration now);
  void join_clock(int id, int link, const Int128& left, Duration now);
  void change_clocks(Duration now);
  void find_next_ends();
  void find_first_end();
  void credit(int id, Bytes sent);
  Int128 quanta_of(Bytes size) const;
  Bytes bytes_of(Int128 quanta) const;

  transport::MaxMin sharing_;
  UncontendedTransfers uncontended_;
  std::vector<int> joined_;  // transfers that were uncontended until now
  std::vector<int> filled_;  // links on which an uncontended transfer began or ended
  bool settled_ = true;      // filled_ belongs to the last update()
  std::vector<Transfer> transfers_;
  Marks::Slots mark_of_;         // per transfer: its clock, if it has one, and its mark there
  std::vector<Int128> carried_;  // bytes times share, per link
  std::vector<LinkClock> clocks_;
  std::vector<Marks> marks_;  // per link
  // Per link: the time at which the first of its transfers ends; after update() exact at the top of
  // the heap, otherwise a lower bound.
  IndexedHeap<Duration> ends_;
  // Per link: the highest clock speed for which its key in ends_ is a lower bound; kNoSpeed: the
  // key is exact.
  std::vector<std::int64_t> fastest_;
  std::vector<char> stale_;   // per link: whether it is in renewed_
  std::vector<int> renewed_;  // links whose key in ends_ must be recomputed
  std::vector<int> due_;
  std::vector<std::pair<std::uint64_t, int>> by_order_;  // transfers that are due
  std::uint64_t started_ = 0;
  std::size_t count_ = 0;
};

}  // namespace loom::simulate
