// The transfers under way: how much of each is left, and which ends next.
//
// What is left is brought up to date only when a transfer's rate changes, and is exact to less than
// one unit of Work each time; `doubt` adds those roundings up. A transfer is over in the first
// picosecond in which, within that doubt, nothing is left.
#pragma once

#include <span>
#include <vector>

#include "loom/simulate/heap.h"
#include "loom/transport/max_min.h"

namespace loom {

class Transfers {
 public:
  explicit Transfers(std::span<const Link> links) : sharing_(links), carried_(links.size()) {}

  // The ids are those of MaxMin: small, and used again.
  int start(std::span<const Hop> hops, Bytes size, int weight, Duration now);
  void stop(int id, Duration now);

  // Gives the transfer another way; what was sent stays sent.
  int move(int id, std::span<const Hop> hops, int weight, Duration now);

  void set_capacity(int link, Bandwidth bandwidth) { sharing_.set_capacity(link, bandwidth); }

  // Shares the links anew. To be called once all that happens now has been told.
  void update(Duration now);

  bool empty() const { return heap_.empty(); }
  Duration next_end() const { return heap_.empty() ? kForever : heap_.top_key().end; }
  int next() const { return heap_.top(); }  // what ends then; the earliest started first

  Bytes left(int id, Duration now) const;  // not yet sent, rounded up
  Bytes carried(int link) const;  // by transfers stopped or moved so far, rounded down
  bool moving() const;            // some transfer has a rate
  const MaxMin& sharing() const { return sharing_; }

 private:
  struct Transfer {
    Bytes size;      // to be credited to the links of its way
    Work left = 0;   // at `since`
    Work doubt = 0;  // really, up to this much less is left
    Duration since{0};
    Rate rate;
    std::uint64_t order = 0;
  };
  struct Key {
    Duration end{0};
    std::uint64_t order = 0;
    auto operator<=>(const Key&) const = default;
  };

  static void bring_up_to(Transfer& it, Duration now);
  void place(int id, const Transfer& transfer);
  void credit(int id, Bytes sent);

  MaxMin sharing_;
  std::vector<Transfer> transfers_;
  std::vector<Int128> carried_;  // bytes times share, by link
  IndexedHeap<Key> heap_;
  std::uint64_t started_ = 0;
};

}  // namespace loom
