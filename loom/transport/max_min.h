// Who gets how much of the links: weighted max-min fairness.
//
// Every flow's rate is its weight times the level of its bottleneck, the link on its way where it
// cannot get more without taking from a flow of no higher level. Found by filling: the link with
// the lowest level fixes its flows, which leave what they do not use to the others, and so on
// (Bertsekas and Gallager, Data Networks, section 6.5.2). Only the part of the network connected,
// by flows, to a link where something changed is filled anew.
//
// Arrays and ids throughout: a flow costs its hops and no heap object. One solve costs
// O(h + l log l) for the h hops and l links of the changed part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/fabric/network.h"
#include "loom/transport/rate.h"

namespace loom {

class MaxMin {
 public:
  struct HopHere {
    int link;
    std::uint32_t position;  // among the link's members
    std::uint64_t share;
  };

  explicit MaxMin(std::span<const Link> links);

  // Ids are small and used again after remove().
  int add(std::span<const Hop> way, int weight);
  void remove(int id);
  void set_capacity(int id, Bandwidth bandwidth);  // of a link

  // Brings all rates up to date and returns the flows whose rate changed (new ones included).
  const std::vector<int>& solve();

  const Rate& rate(int flow) const { return rates_[static_cast<std::size_t>(flow)]; }
  std::span<const HopHere> way(int flow) const {
    return hops(flows_[static_cast<std::size_t>(flow)]);
  }
  std::span<const int> filled_links() const { return links_here_; }  // by the last solve()
  // In counts (1/1024 bit/s): what flows over the link, to a count, and what could.
  Int128 load(int id) const;
  Int128 capacity(int id) const {
    return Int128{links_[static_cast<std::size_t>(id)].capacity} << coarse_;
  }

  // Checks, for the links last filled, that none carries more than it can and that every flow has a
  // bottleneck; our own mistake otherwise.
  void verify() const;

 private:
  struct Member {  // a flow on a link
    int flow;
    std::uint32_t hop;  // its place in hops_
  };
  struct Flow {
    std::uint32_t first_hop = 0;
    std::uint32_t hop_count = 0;
    std::uint32_t room = 0;  // hops its place in hops_ has room for
    int weight = 1;
  };
  struct LinkHere {
    std::int64_t capacity = 0;
    std::int64_t residual = 0;  // not yet given away
    std::int64_t weight = 0;    // of flows not yet fixed, times share
    std::int64_t error = 0;     // residual may really be this much more
    std::int64_t taken = 0;     // weight fixed by the bottleneck at hand
    int seen = 0;
    std::vector<Member> members;
  };
  struct Bottleneck {  // a link as it was before its flows were fixed
    std::int64_t residual;
    std::int64_t weight;
    std::int64_t error;
  };
  struct Level {  // residual / weight of a link when it was pushed
    std::int64_t residual;
    std::int64_t weight;
    int link;
    bool equals(const Level& other) const {
      return Int128{residual} * other.weight == Int128{other.residual} * weight;
    }
    // For a heap with the lowest level on top; equal levels in the order of links.
    bool operator<(const Level& other) const {
      const Int128 mine = Int128{residual} * other.weight;
      const Int128 theirs = Int128{other.residual} * weight;
      return mine != theirs ? mine > theirs : link > other.link;
    }
  };

  LinkHere& link(int id) { return links_[static_cast<std::size_t>(id)]; }
  Flow& flow(int id) { return flows_[static_cast<std::size_t>(id)]; }
  std::span<HopHere> hops(const Flow& of) { return {hops_.data() + of.first_hop, of.hop_count}; }
  std::span<const HopHere> hops(const Flow& of) const {
    return {hops_.data() + of.first_hop, of.hop_count};
  }
  void touch(int id);
  void collect();
  void see(int id);
  void fill();
  bool take_lowest_level();
  Bottleneck bottleneck_of_level() const;
  void fix_flows_of(int id, const Bottleneck& bottleneck);
  void take_from(int id, const Bottleneck& bottleneck);
  void set_rate(int id, const Rate& rate);

  std::vector<LinkHere> links_;
  std::vector<Flow> flows_;
  std::vector<Rate> rates_;
  std::vector<int> seen_;   // by flow: the solve that collected it
  std::vector<int> fixed_;  // by flow: the solve that gave it its rate
  std::vector<HopHere> hops_;
  std::vector<int> free_;
  std::vector<int> dirty_;
  std::vector<int> links_here_;
  std::vector<int> flows_here_;
  std::vector<int> level_;
  std::vector<int> touched_;
  std::vector<int> changed_;
  std::vector<Level> heap_;
  int round_ = 0;
  int coarse_ = 0;  // capacities are in 2^coarse_ counts, so that the widest trunk fits 62 bits
};

}  // namespace loom
