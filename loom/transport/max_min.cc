#include "loom/transport/max_min.h"

#include <algorithm>

#include "loom/base/error.h"

namespace loom {

namespace {

// A bit/s is 2^10 counts, so up to here capacities stay exact.
constexpr int kCoarsest = 10;
constexpr Int128 kLargestCapacity = Int128{1} << 62;

void refuse_overweight(std::int64_t weight) {
  if (weight >= (std::int64_t{1} << 62)) {
    throw LimitError("the flows of a link have more weight together than 62 bits can count");
  }
}

}  // namespace

MaxMin::MaxMin(std::span<const Link> links) : links_(links.size()) {
  for (const Link& it : links) {
    while (counts_of(it.bandwidth) >> coarse_ > kLargestCapacity) ++coarse_;
  }
  LOOM_CHECK(coarse_ <= kCoarsest, "no trunk is wider than 4000 Pbps");
  for (std::size_t i = 0; i < links.size(); ++i) {
    links_[i].capacity = static_cast<std::int64_t>(counts_of(links[i].bandwidth) >> coarse_);
  }
}

int MaxMin::add(std::span<const Hop> way, int weight) {
  if (free_.empty()) {
    free_.push_back(static_cast<int>(flows_.size()));
    flows_.emplace_back();
    rates_.emplace_back();
    seen_.push_back(0);
    fixed_.push_back(0);
  }
  const int id = free_.back();
  free_.pop_back();
  Flow& added = flow(id);
  if (added.room < way.size()) {
    added.first_hop = static_cast<std::uint32_t>(hops_.size());
    added.room = static_cast<std::uint32_t>(way.size());
    hops_.resize(hops_.size() + way.size());
  }
  added.hop_count = static_cast<std::uint32_t>(way.size());
  added.weight = weight;
  rates_[static_cast<std::size_t>(id)] = {};
  for (std::uint32_t i = 0; i < way.size(); ++i) {
    auto& members = link(way[i].link).members;
    const std::uint32_t hop = added.first_hop + i;
    hops_[hop] = {way[i].link, static_cast<std::uint32_t>(members.size()), way[i].share};
    members.push_back({id, hop});
    touch(way[i].link);
  }
  return id;
}

void MaxMin::remove(int id) {
  for (const HopHere& hop : hops(flow(id))) {
    auto& members = link(hop.link).members;
    members[hop.position] = members.back();
    hops_[members[hop.position].hop].position = hop.position;
    members.pop_back();
    touch(hop.link);
  }
  flow(id).hop_count = 0;
  free_.push_back(id);
}

void MaxMin::set_capacity(int id, Bandwidth bandwidth) {
  link(id).capacity = static_cast<std::int64_t>(counts_of(bandwidth) >> coarse_);
  touch(id);
}

void MaxMin::touch(int id) { dirty_.push_back(id); }

const std::vector<int>& MaxMin::solve() {
  changed_.clear();
  ++round_;
  collect();
  fill();
  return changed_;
}

void MaxMin::see(int id) {
  LinkHere& it = link(id);
  if (it.seen == round_) return;
  it.seen = round_;
  it.residual = it.capacity;
  it.weight = 0;
  it.error = 0;
  it.taken = 0;
  links_here_.push_back(id);
}

// All links and flows connected to what changed.
void MaxMin::collect() {
  links_here_.clear();
  flows_here_.clear();
  for (const int id : dirty_) see(id);
  dirty_.clear();
  // NOLINTNEXTLINE(modernize-loop-convert): the list grows under way
  for (std::size_t i = 0; i < links_here_.size(); ++i) {
    for (const Member& member : link(links_here_[i]).members) {
      int& seen = seen_[static_cast<std::size_t>(member.flow)];
      if (seen == round_) continue;
      seen = round_;
      const Flow& it = flow(member.flow);
      flows_here_.push_back(member.flow);
      for (const HopHere& hop : hops(it)) {
        see(hop.link);
        link(hop.link).weight += it.weight * static_cast<std::int64_t>(hop.share);
        refuse_overweight(link(hop.link).weight);
      }
    }
  }
}

void MaxMin::fill() {
  heap_.clear();
  for (const int id : links_here_) {
    if (link(id).weight > 0) heap_.push_back({link(id).residual, link(id).weight, id});
  }
  std::make_heap(heap_.begin(), heap_.end());
  while (take_lowest_level()) {
    const Bottleneck bottleneck = bottleneck_of_level();
    touched_.clear();
    for (const int id : level_) fix_flows_of(id, bottleneck);
    for (const int id : touched_) take_from(id, bottleneck);
  }
}

// Takes all links of exactly the lowest level off the heap, into level_. To fix them together is
// what keeps equal shares equal: one after another they would see each other's roundings.
bool MaxMin::take_lowest_level() {
  level_.clear();
  Level lowest{};
  while (!heap_.empty()) {
    const Level top = heap_.front();
    if (!level_.empty() && !top.equals(lowest)) break;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    const LinkHere& it = link(top.link);
    if (it.weight == 0) continue;
    if (it.weight != top.weight || it.residual != top.residual) {  // it rose since it was pushed
      heap_.push_back({it.residual, it.weight, top.link});
      std::push_heap(heap_.begin(), heap_.end());
      continue;
    }
    if (level_.empty()) lowest = top;
    level_.push_back(top.link);
  }
  return !level_.empty();
}

// The first link stands for all of its level, with the largest error for its weight among them.
MaxMin::Bottleneck MaxMin::bottleneck_of_level() const {
  const auto& first = links_[static_cast<std::size_t>(level_.front())];
  Bottleneck bottleneck{first.residual, first.weight, 0};
  for (const int id : level_) {
    const LinkHere& it = links_[static_cast<std::size_t>(id)];
    const Int128 error = (Int128{it.error} * first.weight + it.weight - 1) / it.weight;
    bottleneck.error = std::max(bottleneck.error, static_cast<std::int64_t>(error));
  }
  return bottleneck;
}

void MaxMin::fix_flows_of(int id, const Bottleneck& bottleneck) {
  int weight = 0;
  Rate rate;
  for (const Member& member : link(id).members) {
    int& fixed = fixed_[static_cast<std::size_t>(member.flow)];
    if (fixed == round_) continue;
    fixed = round_;
    const Flow& it = flow(member.flow);
    if (it.weight != weight) {
      weight = it.weight;
      const std::int64_t part = std::int64_t{weight} * kWhole;
      const auto error = static_cast<std::int64_t>(
          (Int128{bottleneck.error} * part + bottleneck.weight - 1) / bottleneck.weight);
      rate = fraction_of(bottleneck.residual, part << coarse_, bottleneck.weight, error << coarse_);
    }
    set_rate(member.flow, rate);
    for (const HopHere& hop : hops(it)) {
      if (link(hop.link).taken == 0) touched_.push_back(hop.link);
      link(hop.link).taken += it.weight * static_cast<std::int64_t>(hop.share);
    }
  }
}

// Takes what the flows just fixed use of a link, rounded up: never more is left than there is.
void MaxMin::take_from(int id, const Bottleneck& bottleneck) {
  LinkHere& it = link(id);
  const Int128 used = Int128{bottleneck.residual} * it.taken;
  const Int128 counts = (used + bottleneck.weight - 1) / bottleneck.weight;
  const Int128 error =
      (Int128{bottleneck.error} * it.taken + bottleneck.weight - 1) / bottleneck.weight;
  it.error += static_cast<std::int64_t>(error) + (used % bottleneck.weight != 0 ? 1 : 0);
  it.residual = std::max<std::int64_t>(0, it.residual - static_cast<std::int64_t>(counts));
  it.weight -= it.taken;
  it.taken = 0;
}

void MaxMin::set_rate(int id, const Rate& rate) {
  Rate& now = rates_[static_cast<std::size_t>(id)];
  if (now == rate) return;
  now = rate;
  changed_.push_back(id);
}

Int128 MaxMin::load(int id) const {
  Int128 sum = 0;
  for (const Member& member : links_[static_cast<std::size_t>(id)].members) {
    const Rate& rate = rates_[static_cast<std::size_t>(member.flow)];
    const Int128 whole = Int128{rate.denominator} * kWhole;
    // In 2^-30 counts, so that many small roundings do not add up to half a count.
    sum += (Int128{rate.numerator} * hops_[member.hop].share / kWhole << 30) / rate.denominator;
    sum +=
        (((Int128{rate.numerator} * hops_[member.hop].share % kWhole) << 30) + whole - 1) / whole;
  }
  return (sum + (Int128{1} << 29)) >> 30;
}

void MaxMin::verify() const {
  for (const int id : links_here_) {
    LOOM_CHECK(load(id) <= capacity(id), "no link carries more than its capacity");
  }
  for (const int id : flows_here_) {
    LOOM_CHECK(fixed_[static_cast<std::size_t>(id)] == round_, "every flow has a bottleneck");
  }
}

}  // namespace loom
