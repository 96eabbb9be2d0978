// Incremental weighted max-min fair sharing of links by flows.
//
// The rate of a flow is its weight times the level of its bottleneck, the link on its path where it
// cannot get more without taking from a flow of no higher level. Progressive filling computes it
// from scratch: the link with the lowest level fixes its flows, which leave unused capacity to the
// others, and so on (Bertsekas and Gallager, Data Networks, section 6.5.2). Here levels are updated
// after each change; the rates are bit for bit those of progressive filling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/transport/charge.h"
#include "loom/transport/level.h"
#include "loom/transport/level_queue.h"
#include "loom/transport/rate.h"

namespace loom::transport {

// The level of a link depends only on lower levels, through the sum of what its flows with a
// bottleneck elsewhere take. That sum is an integer (level.h), so levels depend on the present
// flows, not on their history: solve() opens the links that changed, finds their levels in
// ascending order, and opens the higher links that share a flow with a link whose level changed. It
// ends when every link is consistent with the lower ones.
//
// A flow belongs to its bottleneck and stores no rate: a changed level costs work per link, not per
// flow. Finding a level costs one addition per flow on the link, over a compact array of owners, a
// few bytes per flow, read sequentially.
class MaxMin {
 public:
  struct HopHere {
    int link;
    std::uint64_t share;
  };

  explicit MaxMin(std::span<const fabric::Link> links);

  // Ids are small and are reused after remove().
  int add(std::span<const fabric::Hop> path, int weight);
  // Adds a flow that takes no part in the sharing until enter(): for a flow that shares no link.
  int add_apart(std::span<const fabric::Hop> path, int weight);
  void enter(int id);
  void remove(int id);
  void set_capacity(int id, Bandwidth bandwidth);  // of link `id`

  // Brings all levels up to date.
  void solve();
  // Results of the last solve(): links whose level may have changed (a few are listed twice), flows
  // whose bottleneck may have changed, and links whose load may have changed.
  std::span<const int> changed_links() const { return changed_; }
  std::span<const int> moved_flows() const { return moved_; }
  std::span<const int> filled_links() const { return opened_; }

  // In quanta per unit of weight; a quantum is 2^-quantum_bits() counts.
  const Level& level(int id) const { return links_[static_cast<std::size_t>(id)].level; }
  std::int64_t quanta(int id) const { return links_[static_cast<std::size_t>(id)].capacity; }
  int quantum_bits() const { return quantum_bits_; }
  int bottleneck(int flow) const;  // -1 if it has none yet
  int weight(int flow) const { return sharers_[static_cast<std::size_t>(flow)].weight; }

  Rate rate(int flow) const;
  std::span<const HopHere> path(int flow) const {
    return hops(flows_[static_cast<std::size_t>(flow)]);
  }
  // In counts (1/1024 bit/s): the load of the link, rounded to a count, and its capacity.
  Int128 load(int id) const;
  Int128 capacity(int id) const;

  // Checks, for the links of the last solve(), that none exceeds its capacity and that every flow
  // has a bottleneck on its path with the min level of the path; fails with LOOM_CHECK otherwise.
  void verify() const;

 private:
  // Key of an open link, and of nobody: above all others.
  static constexpr std::int64_t kOpen = Level::kNone + 1;

  // A flow on a link. Changing the bottleneck of a two-hop flow needs only this, positions_ and
  // sharers_.
  struct Member {
    int flow;
    std::uint32_t hop;  // index in hops_
    int other;          // other link of a two-hop path, else -1
  };
  struct Flow {
    std::uint32_t first_hop = 0;  // even: the other hop of a two-hop path is at index ^ 1
    std::uint32_t hop_count = 0;
    std::uint32_t room = 0;  // capacity reserved in hops_
    bool apart = false;
  };
  struct Sharer {   // hot data of a flow
    int owner = 0;  // bottleneck
    int weight = 1;
  };
  // Hot members first, within one cache line.
  struct alignas(64) LinkHere {
    // Per member, own flows first. Most of solve() is reading this.
    std::vector<Owner> owners;
    std::int64_t capacity = 0;  // in quanta
    std::int64_t guess = 0;     // its key in the queue
    int owned = 0;              // flows with their bottleneck here
    int odd = 0;                // flows whose weight on the link is not exactly one
    int opened_in = 0;          // last solve that opened it
    bool open = false;
    bool touched = false;
    bool spread = false;  // higher links know that its level changes
    bool late = false;    // opened after open_all_above()
    bool listed = false;  // listed in by_level_
    Level level;
    std::vector<Member> members;
    std::int64_t weight = 0;            // sum over all members
    std::vector<std::int64_t> weights;  // per member, in units of 1/kWhole; empty if odd == 0
  };
  // A link without its flows that are fixed elsewhere below some level.
  struct Below {
    Int128 room;
    std::int64_t weight;
    Int128 error;
    std::int64_t highest;  // max key of the flows left out
    int loose;             // flows that are not left out
  };

  LinkHere& link(int id) { return links_[static_cast<std::size_t>(id)]; }
  const LinkHere& link(int id) const { return links_[static_cast<std::size_t>(id)]; }
  Sharer& sharer(int id) { return sharers_[static_cast<std::size_t>(id)]; }
  Flow& flow(int id) { return flows_[static_cast<std::size_t>(id)]; }
  std::span<HopHere> hops(const Flow& of) { return {hops_.data() + of.first_hop, of.hop_count}; }
  std::span<const HopHere> hops(const Flow& of) const {
    return {hops_.data() + of.first_hop, of.hop_count};
  }
  int nobody() const { return static_cast<int>(links_.size()); }
  int new_flow();
  void join(int id, std::uint32_t hop, int other);
  void leave(std::uint32_t hop);
  void add_weight(LinkHere& it, std::int64_t weight);
  void drop_last_weight(LinkHere& it);
  static std::int64_t weight_of(const LinkHere& it, std::size_t member) {
    return it.odd > 0 ? it.weights[member] : std::int64_t{fabric::kWhole};
  }
  void swap_members(LinkHere& it, std::size_t a, std::size_t b);
  void set_owner(int id, std::uint32_t hop, int before, int owner);
  void use(int id);
  void touch(int id);
  void coarsen(int bits);

  void open_touched();
  std::int64_t first_guess(int id);
  void open(int id);
  void note_opened(int id);
  void reopen(int id);
  void reopen_closed(int id);
  void open_all_above();
  std::int64_t likely_key(int id) const;
  void drop_unused();
  void sort_by_level();
  void sort_by_level_anew();
  void start_over();
  void close_open_links();
  void visit(int id);
  void fetch_owners(int id) const;
  void close(int id, const Level& level);
  void close_at(int id, const Level& level);
  bool close_uncontended(int id);
  bool spread(int id);
  void take_flows(int id);
  bool precedes(int a, int b) const;
  void reopen_others(const Member& member);
  void give(int id, int owner);
  void give(const Member& member, int owner);

  static Int128 room_of(const LinkHere& it);  // capacity for all its flows
  static std::int64_t free_weight(const LinkHere& it);
  Level find_level(const LinkHere& it);
  Level find_level_again(const LinkHere& it);
  Level find_level_of_ones(const LinkHere& it, const Charge& sum);
  Level find_level_above(const LinkHere& it, std::int64_t min_level);
  Level find_level_with_ties(const LinkHere& it, std::int64_t bound);
  Level find_level_by_sorting(const LinkHere& it);
  Level find_level_of_full(const LinkHere& it, std::int64_t highest);
  Below fixed_below(const LinkHere& it, std::int64_t bound) const;

  std::vector<LinkHere> links_;
  std::vector<Charge> charges_;     // per link, and one for nobody
  std::vector<std::int64_t> keys_;  // of levels, per link, and one for nobody
  std::vector<Flow> flows_;
  std::vector<Sharer> sharers_;  // per flow
  std::vector<HopHere> hops_;
  std::vector<std::uint32_t> positions_;  // per hop: index among the link's members
  std::vector<int> free_;
  std::vector<int> touched_;
  std::vector<int> changed_;
  std::vector<int> moved_;
  std::vector<int> opened_;
  std::vector<LevelQueue::Entry> by_level_;  // links in use, approximately by level
  std::vector<LevelQueue::Entry> entries_;
  std::vector<std::int64_t> levels_;  // of the current link
  LevelQueue queue_;                  // open links
  int round_ = 0;
  std::int64_t openings_ = 0;
  int begun_ = 0;                // links opened at the start of this solve
  int busy_ = 0;                 // links in use
  int loose_ = 0;                // flows of the current link not fixed at lower levels
  bool all_open_ = false;        // this solve opened all links that may change at once
  bool mostly_changed_ = false;  // so did the last solve, and most of them changed
  std::int64_t ceiling_ = 0;     // max charge of the links closed in this solve
  std::int64_t lowest_ = 0;      // min key at which levels may change
  int quantum_bits_ = 0;
};

inline void MaxMin::note_opened(int id) {
  if (link(id).opened_in == round_) return;
  link(id).opened_in = round_;
  opened_.push_back(id);
}

inline void MaxMin::reopen(int id) {
  if (keys_[static_cast<std::size_t>(id)] != kOpen) reopen_closed(id);
}

// Prefetches the owners of the next link while the current one is processed: the first four cache
// lines, after which the hardware prefetcher continues. It also does so for fewer flows, as finding
// the end would cost more than it saves.
inline void MaxMin::fetch_owners(int id) const {
  const LinkHere& it = link(id);
  const auto* const others = reinterpret_cast<const char*>(it.owners.data() + it.owned);
  for (std::ptrdiff_t at = 0; at < 256; at += 64) __builtin_prefetch(others + at);
}

inline void MaxMin::swap_members(LinkHere& it, std::size_t a, std::size_t b) {
  if (a == b) return;
  std::swap(it.owners[a], it.owners[b]);
  std::swap(it.members[a], it.members[b]);
  if (it.odd > 0) std::swap(it.weights[a], it.weights[b]);
  positions_[it.members[a].hop] = static_cast<std::uint32_t>(a);
  positions_[it.members[b].hop] = static_cast<std::uint32_t>(b);
}

// Keeps a link's own flows at the front of its members.
inline void MaxMin::set_owner(int id, std::uint32_t hop, int before, int owner) {
  LinkHere& it = link(id);
  it.owners[positions_[hop]] = Owner(owner);
  if (id == before) swap_members(it, positions_[hop], static_cast<std::size_t>(--it.owned));
  if (id == owner) swap_members(it, positions_[hop], static_cast<std::size_t>(it.owned++));
}

}  // namespace loom::transport
