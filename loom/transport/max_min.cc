// Adds and removes flows, and computes rates and loads from the levels of the links.
#include "loom/transport/max_min.h"

#include <algorithm>
#include <utility>

#include "loom/base/error.h"

namespace loom::transport {
namespace {

// Range of quantum_bits(). The quantum is as fine as the highest link bandwidth permits: levels
// must fit in 61 bits even if a flow is divided over several such links.
constexpr int kFinest = 10;
constexpr int kCoarsest = -15;
constexpr Int128 kMaxCapacity = Int128{1} << 57;
constexpr Int128 kCoarsenAbove = Int128{1} << 59;

Int128 scaled(Int128 value, int bits) { return bits >= 0 ? value << bits : value >> -bits; }

int finest_bits(Int128 counts) {
  int bits = kFinest;
  while (scaled(counts, bits) > kMaxCapacity) --bits;
  LOOM_CHECK(bits >= kCoarsest, "no trunk exceeds 4000 Pbps");
  return bits;
}

}  // namespace

MaxMin::MaxMin(std::span<const fabric::Link> links)
    : links_(links.size()), charges_(links.size() + 1), keys_(links.size() + 1, kOpen) {
  Int128 max_bandwidth = 0;
  for (const fabric::Link& it : links)
    max_bandwidth = std::max(max_bandwidth, counts_of(it.bandwidth));
  quantum_bits_ = finest_bits(max_bandwidth);
  for (std::size_t i = 0; i < links.size(); ++i) {
    links_[i].capacity =
        static_cast<std::int64_t>(scaled(counts_of(links[i].bandwidth), quantum_bits_));
  }
}

FlowId MaxMin::new_flow() {
  if (free_.empty()) {
    free_.emplace_back(flows_.size());
    flows_.emplace_back();
    sharers_.emplace_back();
  }
  const FlowId id = free_.back();
  free_.pop_back();
  return id;
}

FlowId MaxMin::add(std::span<const fabric::Hop> path, int weight) {
  const FlowId id = add_apart(path, weight);
  enter(id);
  return id;
}

FlowId MaxMin::add_apart(std::span<const fabric::Hop> path, int weight) {
  const FlowId id = new_flow();
  Flow& added = flow(id);
  if (added.room < path.size()) {
    added.first_hop = static_cast<std::uint32_t>(hops_.size());
    added.room = static_cast<std::uint32_t>(path.size() + path.size() % 2);
    hops_.resize(hops_.size() + added.room);
    positions_.resize(hops_.size());
  }
  added.hop_count = static_cast<std::uint32_t>(path.size());
  added.apart = true;
  sharer(id) = {nobody(), weight};
  for (std::uint32_t i = 0; i < path.size(); ++i) {
    hops_[added.first_hop + i] = {path[i].link, path[i].share};
  }
  return id;
}

void MaxMin::enter(FlowId id) {
  const std::uint32_t first = flow(id).first_hop;
  const std::uint32_t count = flow(id).hop_count;
  flow(id).apart = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    join(id, first + i, count == 2 ? hops_[first + 1 - i].link : LinkId(-1));
  }
}

void MaxMin::join(FlowId id, std::uint32_t hop, LinkId other) {
  const HopHere& here = hops_[hop];
  LinkHere& it = link(here.link);
  positions_[hop] = static_cast<std::uint32_t>(it.members.size());
  add_weight(it, weight(id) * static_cast<std::int64_t>(here.share));
  it.members.push_back({id, hop, other});
  it.owners.emplace_back(nobody());
  if (it.members.size() == 1) use(here.link);
  touch(here.link);
}

// Adds the weight of a flow that is about to become a member of the link.
void MaxMin::add_weight(LinkHere& it, std::int64_t weight) {
  it.weight += weight;
  if (it.weight >= (std::int64_t{1} << 62)) {
    throw LimitError(
        "the weights of the flows on one link add up to 2^62 or more; fewer or lighter flows are "
        "needed");
  }
  const bool odd = weight != fabric::kWhole;
  if (odd && it.odd == 0) {
    it.weights.assign(it.members.size(), fabric::kWhole);
    regroup(it);
  }
  it.odd += odd ? 1 : 0;
  if (it.odd > 0) it.weights.push_back(weight);
}

void MaxMin::drop_last_weight(LinkHere& it) {
  const std::int64_t weight = weight_of(it, it.members.size() - 1);
  it.weight -= weight;
  if (it.odd > 0) it.weights.pop_back();
  it.odd -= weight != fabric::kWhole ? 1 : 0;
}

// Groups the members with a bottleneck elsewhere; all have weight one.
void MaxMin::regroup(LinkHere& it) {
  it.groups.clear();
  for (auto i = static_cast<std::size_t>(it.owned); i < it.owners.size(); ++i) {
    const LinkId owner = it.owners[i].link();
    if (owner != nobody()) add_to_group(it, owner, fabric::kWhole);
  }
}

// Moves a member between groups if its bottleneck changes. Members without a bottleneck and those
// with their bottleneck on this link are in no group.
void MaxMin::regroup(LinkId id, std::size_t member, LinkId before, LinkId owner) {
  LinkHere& it = link(id);
  if (before != nobody() && before != id) drop_from_group(it, before, it.weights[member]);
  if (owner != nobody() && owner != id) add_to_group(it, owner, it.weights[member]);
}

void MaxMin::add_to_group(LinkHere& it, LinkId owner, std::int64_t weight) {
  for (Group& group : it.groups) {
    if (group.owner != owner) continue;
    ++group.count;
    group.weight += weight;
    return;
  }
  it.groups.push_back({owner, 1, weight});
}

void MaxMin::drop_from_group(LinkHere& it, LinkId owner, std::int64_t weight) {
  const auto group = std::find_if(it.groups.begin(), it.groups.end(),
                                  [&](const Group& each) { return each.owner == owner; });
  LOOM_CHECK(group != it.groups.end(), "a flow is in the group of its bottleneck");
  group->weight -= weight;
  if (--group->count > 0) return;
  *group = it.groups.back();
  it.groups.pop_back();
}

void MaxMin::use(LinkId id) {
  ++busy_;
  if (link(id).listed) return;
  link(id).listed = true;
  by_level_.push_back({Level::kNone, id});
}

void MaxMin::remove(FlowId id) {
  Flow& removed = flow(id);
  for (std::uint32_t i = 0; i < removed.hop_count && !removed.apart; ++i) {
    leave(removed.first_hop + i);
  }
  removed.hop_count = 0;
  sharer(id).owner = nobody();
  free_.push_back(id);
}

void MaxMin::leave(std::uint32_t hop) {
  const LinkId id = hops_[hop].link;
  LinkHere& it = link(id);
  set_owner(id, hop, it.owners[positions_[hop]].link(), nobody());
  swap_members(it, positions_[hop], it.members.size() - 1);
  drop_last_weight(it);
  it.owners.pop_back();
  it.members.pop_back();
  if (it.members.empty()) --busy_;
  touch(id);
}

void MaxMin::set_capacity(LinkId id, Bandwidth bandwidth) {
  const Int128 counts = counts_of(bandwidth);
  if (scaled(counts, quantum_bits_) > kCoarsenAbove) coarsen(finest_bits(counts));
  link(id).capacity = static_cast<std::int64_t>(scaled(counts, quantum_bits_));
  touch(id);
}

void MaxMin::coarsen(int bits) {
  for (LinkId id(0); id < nobody(); ++id) {
    link(id).capacity >>= quantum_bits_ - bits;
    touch(id);
  }
  quantum_bits_ = bits;
}

void MaxMin::touch(LinkId id) {
  if (link(id).touched) return;
  link(id).touched = true;
  touched_.push_back(id);
}

LinkId MaxMin::bottleneck(FlowId flow) const {
  const LinkId owner = sharers_[static_cast<std::size_t>(flow)].owner;
  return owner == nobody() ? LinkId(-1) : owner;
}

Rate MaxMin::rate(FlowId flow) const {
  const LinkId owner = bottleneck(flow);
  if (owner < 0) return {};
  const Level& it = level(owner);
  const Int128 quanta = Int128{it.floor} * it.weight + it.rest;
  const Int128 whole = Int128{it.weight} << std::max(quantum_bits_, 0);
  const auto error = static_cast<std::int64_t>(scaled(it.error, -quantum_bits_));
  return fraction_of(quanta, scaled(weight(flow), std::max(-quantum_bits_, 0)), whole,
                     it.error > 0 ? error * weight(flow) + 1 : 0);
}

Int128 MaxMin::capacity(LinkId id) const { return scaled(link(id).capacity, -quantum_bits_); }

// Rounds the rate of each flow down to 1/1024 of a quantum, and the sum to the nearest count.
Int128 MaxMin::load(LinkId id) const {
  constexpr int kFiner = 10;
  const LinkHere& it = link(id);
  Int128 sum = 0;
  for (std::size_t i = 0; i < it.members.size(); ++i) {
    const LinkId owner = it.owners[i].link();
    if (owner == nobody()) continue;
    const Level& level = link(owner).level;
    const std::int64_t weight = weight_of(it, i);
    const Int128 rest = Int128{level.rest} * weight / level.weight;
    sum += ((Int128{level.floor} * weight + rest) << kFiner) / fabric::kWhole;
  }
  const int bits = kFiner + quantum_bits_;
  return bits > 0 ? (sum + (Int128{1} << (bits - 1))) >> bits : sum << -bits;
}

void MaxMin::verify() const {
  for (const LinkId id : opened_) {
    LOOM_CHECK(load(id) <= capacity(id), "no link carries more than its capacity");
    for (const Member& member : link(id).members) {
      const LinkId owner = bottleneck(member.flow);
      LOOM_CHECK(owner >= 0, "every flow has a bottleneck");
      LOOM_CHECK(level(owner).key() <= level(id).key(),
                 "no flow exceeds the level of a link on its path");
    }
  }
}

}  // namespace loom::transport
