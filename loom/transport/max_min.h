// Incremental weighted max-min fair sharing of links by flows.
//
// The rate of a flow is its weight times the level of its bottleneck, the link with the lowest
// level on its path. Progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2)
// computes all levels from scratch: the link with the lowest level fixes the rates of its flows;
// the capacity that these flows leave on other links goes to the other flows, and so on. This class
// only updates the levels that a change affects; the rates are bit for bit those of progressive
// filling.
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

// The level of a link depends only on lower levels, through the sum of the charges of its flows
// that have their bottleneck elsewhere. The sum is an integer (level.h), so levels depend on the
// present flows, not on their history. solve() opens the links that changed (marks their level as
// unknown), finds their levels in ascending order, and opens every higher link that shares a flow
// with a link whose level changed. It ends when every level is consistent with all lower levels.
//
// A flow stores its bottleneck (its owner) instead of its rate, so a changed level costs work per
// link, not per flow. Finding the level of a link costs one addition per flow on the link, over a
// compact array of owners that is read sequentially; if weights differ, one multiplication per
// bottleneck of its flows, which are grouped by bottleneck.
class MaxMin {
 public:
  using HopHere = fabric::Hop;

  explicit MaxMin(std::span<const fabric::Link> links);

  // Adds a flow and returns its id. Ids are small and are reused after remove().
  FlowId add(std::span<const fabric::Hop> path, int weight);
  // Adds a flow that takes no part in the sharing until enter(); for a flow that shares no link
  // with another.
  FlowId add_apart(std::span<const fabric::Hop> path, int weight);
  void enter(FlowId id);
  void remove(FlowId id);
  void set_capacity(LinkId id, Bandwidth bandwidth);  // of link `id`

  // Brings all levels up to date.
  void solve();
  // Results of the last solve(): links whose level may have changed (a few are listed twice), flows
  // whose bottleneck may have changed, and links whose load may have changed.
  std::span<const LinkId> changed_links() const { return changed_; }
  std::span<const FlowId> moved_flows() const { return moved_; }
  std::span<const LinkId> filled_links() const { return opened_; }

  // Level of link `id`, in quanta per unit of weight, and its capacity in quanta. A count is
  // 1/1024 bit/s; a quantum is 2^-quantum_bits() counts.
  const Level& level(LinkId id) const { return links_[static_cast<std::size_t>(id)].level; }
  std::int64_t quanta(LinkId id) const { return links_[static_cast<std::size_t>(id)].capacity; }
  int quantum_bits() const { return quantum_bits_; }
  LinkId bottleneck(FlowId flow) const;  // -1 if the flow has none yet
  int weight(FlowId flow) const { return sharers_[static_cast<std::size_t>(flow)].weight; }

  Rate rate(FlowId flow) const;
  std::span<const HopHere> path(FlowId flow) const {
    return hops(flows_[static_cast<std::size_t>(flow)]);
  }
  // Load of link `id`, rounded to a count, and its capacity in counts.
  Int128 load(LinkId id) const;
  Int128 capacity(LinkId id) const;

  // Checks the links of the last solve(): none carries more than its capacity, and the bottleneck
  // of every flow has the lowest level on the flow's path. Fails with LOOM_CHECK otherwise.
  void verify() const;

 private:
  // Key of an open link and of nobody(), above all other keys.
  static constexpr std::int64_t kOpen = Level::kNone + 1;

  // A flow on a link. Changing the bottleneck of a two-hop flow needs only this struct, positions_
  // and sharers_.
  struct Member {
    FlowId flow;
    std::uint32_t hop;  // index in hops_
    LinkId other;       // other link of a two-hop path, else -1
  };
  struct Flow {
    std::uint32_t first_hop = 0;  // even, so the other hop of a two-hop path is at index ^ 1
    std::uint32_t hop_count = 0;
    std::uint32_t room = 0;  // capacity reserved in hops_
    bool apart = false;
  };
  struct Sharer {  // frequently used data of a flow
    LinkId owner;  // bottleneck
    int weight = 1;
  };
  // The flows of a link that have their bottleneck on one other link: their number and total
  // weight.
  struct Group {
    LinkId owner;
    int count = 0;
    std::int64_t weight = 0;
  };
  // Frequently used members come first, within one cache line.
  struct alignas(64) LinkHere {
    // Bottleneck of each member; the flows with their bottleneck here come first. solve() spends
    // most of its time reading this array.
    std::vector<Owner> owners;
    std::int64_t capacity = 0;  // in quanta
    std::int64_t guess = 0;     // key of the guessed level, in the queue
    int owned = 0;              // flows with their bottleneck here
    int odd = 0;                // flows whose weight on the link is not exactly one
    int opened_in = 0;          // number of the last solve that opened the link
    bool open = false;
    bool touched = false;
    bool spread = false;  // the other links of its flows were opened
    bool late = false;    // opened after open_all_above()
    bool listed = false;  // listed in by_level_
    Level level;
    std::vector<Group> groups;  // by bottleneck elsewhere, in any order; stale if odd == 0
    std::vector<Member> members;
    std::int64_t weight = 0;            // sum over all members
    std::vector<std::int64_t> weights;  // per member, in units of 1/kWhole; empty if odd == 0
  };
  // What remains of a link without the flows that are fixed elsewhere below some level.
  struct Below {
    Int128 room;
    std::int64_t weight;
    Int128 error;
    std::int64_t highest;  // max key of the flows that are left out
    int loose;             // flows that are not left out
  };

  LinkHere& link(LinkId id) { return links_[static_cast<std::size_t>(id)]; }
  const LinkHere& link(LinkId id) const { return links_[static_cast<std::size_t>(id)]; }
  Sharer& sharer(FlowId id) { return sharers_[static_cast<std::size_t>(id)]; }
  Flow& flow(FlowId id) { return flows_[static_cast<std::size_t>(id)]; }
  std::span<HopHere> hops(const Flow& of) { return {hops_.data() + of.first_hop, of.hop_count}; }
  std::span<const HopHere> hops(const Flow& of) const {
    return {hops_.data() + of.first_hop, of.hop_count};
  }
  LinkId nobody() const { return LinkId(links_.size()); }
  FlowId new_flow();
  void join(FlowId id, std::uint32_t hop, LinkId other);
  void leave(std::uint32_t hop);
  void add_weight(LinkHere& it, std::int64_t weight);
  void drop_last_weight(LinkHere& it);
  static std::int64_t weight_of(const LinkHere& it, std::size_t member) {
    return it.odd > 0 ? it.weights[member] : std::int64_t{fabric::kWhole};
  }
  void regroup(LinkHere& it);
  void regroup(LinkId id, std::size_t member, LinkId before, LinkId owner);
  static void add_to_group(LinkHere& it, LinkId owner, std::int64_t weight);
  static void drop_from_group(LinkHere& it, LinkId owner, std::int64_t weight);
  void swap_members(LinkHere& it, std::size_t a, std::size_t b);
  void set_owner(LinkId id, std::uint32_t hop, LinkId before, LinkId owner);
  void use(LinkId id);
  void touch(LinkId id);
  void coarsen(int bits);

  void open_touched();
  std::int64_t first_guess(LinkId id);
  void open(LinkId id);
  void note_opened(LinkId id);
  void reopen(LinkId id);
  void reopen_closed(LinkId id);
  void open_all_above();
  std::int64_t likely_key(LinkId id) const;
  void drop_unused();
  void sort_by_level();
  void sort_by_level_anew();
  void start_over();
  void close_open_links();
  void visit(LinkId id);
  void fetch_owners(LinkId id) const;
  void close(LinkId id, const Level& level);
  void close_at(LinkId id, const Level& level);
  bool close_uncontended(LinkId id);
  bool spread(LinkId id);
  void take_flows(LinkId id);
  bool precedes(LinkId a, LinkId b) const;
  void reopen_others(const Member& member);
  void give(FlowId id, LinkId owner);
  void give(const Member& member, LinkId owner);

  // Capacity of the link, multiplied by kWhole if its weights are in units of 1/kWhole.
  static Int128 room_of(const LinkHere& it);
  static std::int64_t free_weight(const LinkHere& it);
  Level find_level(const LinkHere& it);
  Level find_level_again(const LinkHere& it);
  Level find_level_of_groups(const LinkHere& it);
  Level find_level_of_ones(const LinkHere& it, const Charge& sum);
  Level find_level_above(const LinkHere& it, std::int64_t min_level);
  Level find_level_with_ties(const LinkHere& it, std::int64_t bound);
  Level find_level_by_sorting(const LinkHere& it);
  Level find_level_of_full(const LinkHere& it, std::int64_t highest);
  Below fixed_below(const LinkHere& it, std::int64_t bound) const;

  std::vector<LinkHere> links_;
  std::vector<Charge> charges_;     // per link, and one for nobody()
  std::vector<std::int64_t> keys_;  // keys of the levels, per link, and one for nobody()
  std::vector<Flow> flows_;
  std::vector<Sharer> sharers_;  // per flow
  std::vector<HopHere> hops_;
  std::vector<std::uint32_t> positions_;  // per hop: index among the link's members
  std::vector<FlowId> free_;
  std::vector<LinkId> touched_;
  std::vector<LinkId> changed_;
  std::vector<FlowId> moved_;
  std::vector<LinkId> opened_;
  std::vector<LevelQueue::Entry> by_level_;  // links in use, approximately by level
  std::vector<LevelQueue::Entry> entries_;
  std::vector<std::int64_t> levels_;  // temporary: keys of the levels on one link
  LevelQueue queue_;                  // open links
  int round_ = 0;
  std::int64_t openings_ = 0;
  int begun_ = 0;                // links opened at the start of this solve
  int busy_ = 0;                 // links in use
  int loose_ = 0;                // flows of the current link not fixed at lower levels
  bool all_open_ = false;        // this solve opened all links that may change at once
  bool mostly_changed_ = false;  // the last solve did so too, and many changed
  std::int64_t ceiling_ = 0;     // max charge of the links closed in this solve
  std::int64_t lowest_ = 0;      // min key at which levels may change
  int quantum_bits_ = 0;
};

inline void MaxMin::note_opened(LinkId id) {
  if (link(id).opened_in == round_) return;
  link(id).opened_in = round_;
  opened_.push_back(id);
}

inline void MaxMin::reopen(LinkId id) {
  if (keys_[static_cast<std::size_t>(id)] != kOpen) reopen_closed(id);
}

// Prefetches the owners (or groups) of the next link while the current link is processed: the first
// four cache lines, after which the hardware prefetcher continues. It always fetches four, even for
// a link with few flows, because finding the end would cost more than it saves.
inline void MaxMin::fetch_owners(LinkId id) const {
  const LinkHere& it = link(id);
  const auto* const others = it.odd > 0
                                 ? reinterpret_cast<const char*>(it.groups.data())
                                 : reinterpret_cast<const char*>(it.owners.data() + it.owned);
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

// Sets the bottleneck of a flow in the list of one of its links, and keeps the flows that have
// their bottleneck on this link at the front of the list.
inline void MaxMin::set_owner(LinkId id, std::uint32_t hop, LinkId before, LinkId owner) {
  LinkHere& it = link(id);
  it.owners[positions_[hop]] = Owner(owner);
  if (it.odd > 0) regroup(id, positions_[hop], before, owner);
  if (id == before) swap_members(it, positions_[hop], static_cast<std::size_t>(--it.owned));
  if (id == owner) swap_members(it, positions_[hop], static_cast<std::size_t>(it.owned++));
}

}  // namespace loom::transport
