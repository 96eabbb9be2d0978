#include "loom/plan/topoopt/configuration_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "loom/base/index.h"

namespace loom::plan {
namespace {}  // namespace

ConfigurationCost::ConfigurationCost(const SearchSpace& space, NetworkLoads& loads,
                                     OperatorConfigurations configs)
    : space_(space),
      loads_(loads),
      configs_(std::move(configs)),
      edges_(to_index(space.operators())),
      forward_(to_index(space.operators())),
      backward_(to_index(space.operators())),
      message_loads_(loads.links(), 0),
      held_(to_index(space.servers())),
      updated_(to_index(space.servers()), 0),
      forward_end_(to_index(space.operators()), 0),
      backward_end_(to_index(space.operators()), 0),
      backward_arrival_(to_index(space.operators()), 0) {
  for (int op = 0; op < space.operators(); ++op) {
    hold(op, 1);
    edges_[to_index(op)].resize(space.model().operators[to_index(op)].inputs.size());
    for (std::size_t i = 0; i < edges_[to_index(op)].size(); ++i) lay_edge(op, i, edge_of(op, i));
    retime(op);
  }
  replaced_.clear();
}

// Adds (sign 1) or removes (-1) the memory and the updated parameters of an operator.
void ConfigurationCost::hold(int op, int sign) {
  const OperatorConfiguration& config = configs_[to_index(op)];
  const parallelize::PartitionedOperator& partitioned = space_.partition(op, config);
  const Bytes limit = space_.accelerator().usable_memory();
  for (int p = 0; p < partitioned.partition.degree; ++p) {
    const std::size_t server = to_index(space_.server(op, config, p));
    if (held_[server] > limit) --overfull_;
    held_[server].count += sign * space_.shard_memory(op, config, p).count;
    if (held_[server] > limit) ++overfull_;
    updated_[server] += sign * static_cast<double>(partitioned.shards[to_index(p)].updated);
  }
}

// Whether the same data was already sent to the same servers for an earlier operator.
bool ConfigurationCost::sent_before(int op, std::size_t input) const {
  const parallelize::PartitionedOperator& mine = space_.partition(op, configs_[to_index(op)]);
  const int from = mine.inputs[input];
  for (const int other : space_.readers(from)) {
    if (other >= op) break;
    if (configs_[to_index(other)].first != configs_[to_index(op)].first) continue;
    const parallelize::PartitionedOperator& before =
        space_.partition(other, configs_[to_index(other)]);
    if (before.partition.degree != mine.partition.degree) continue;
    for (std::size_t i = 0; i < before.inputs.size(); ++i) {
      if (before.inputs[i] == from && before.needs[i] == mine.needs[input]) return true;
    }
  }
  return false;
}

ConfigurationCost::Edge ConfigurationCost::edge_of(int op, std::size_t input) const {
  Edge edge;
  if (sent_before(op, input)) return edge;
  if (auto messages = space_.sample_messages(op, input, configs_)) {
    edge.any = !messages->empty();
    edge.forward.messages = std::move(*messages);
    for (const Message& it : edge.forward.messages) {
      edge.backward.messages.push_back({it.to, it.from, it.bytes});
    }
    return edge;
  }
  const parallelize::Exchange exchange = space_.exchange(op, input, configs_);
  edge.any = !exchange.forward.empty();
  edge.forward = half_of(exchange.forward);
  edge.backward = half_of(exchange.backward);
  return edge;
}

ConfigurationCost::Half ConfigurationCost::half_of(
    const std::vector<parallelize::Transfer>& transfers) const {
  Half half;
  for (const parallelize::Transfer& it : transfers) {
    if (it.kind == workload::CollectiveKind::point_to_point) {
      half.messages.push_back({it.devices.front(), it.devices.back(), it.size.count});
      continue;
    }
    const CollectiveLoad& load = loads_.collective(it.kind, it.devices, it.size);
    const auto bytes = static_cast<double>(it.size.count);
    double longest = 0;
    for (const LinkShare& link : load.links) {
      longest = std::max(longest, static_cast<double>(link.share) * bytes *
                                      loads_.picoseconds(to_index(link.link)));
    }
    const Duration on_links(static_cast<std::int64_t>(longest));
    half.beside += std::max(Duration(0), load.uncontended(bytes) - on_links);
    half.collectives.push_back({&load, it.size.count});
  }
  return half;
}

void ConfigurationCost::add_load(int link, std::int64_t bytes, Side& side) {
  side.loads[to_index(link)] += bytes;
  message_loads_[to_index(link)] += bytes;
}

// Integer bytes, so that adding and removing the same load cancels exactly.
void ConfigurationCost::load(const Half& half, Side& side, int sign) {
  if (half.messages.empty() && half.collectives.empty()) return;
  if (side.loads.empty()) side.loads.resize(loads_.links(), 0);
  const auto scaled = [&](std::int64_t bytes, float share) {
    return sign * std::llround(static_cast<double>(bytes) * static_cast<double>(share));
  };
  for (const Message& it : half.messages) {
    for (const LinkShare& hop : loads_.path(it.from, it.to)) {
      add_load(hop.link, scaled(it.bytes, hop.share), side);
    }
  }
  for (const Bulk& it : half.collectives) {
    for (const LinkShare& link : it.load->links) {
      add_load(link.link, scaled(it.bytes, link.share), side);
    }
  }
}

// Replaces the traffic between an operator and one of its inputs.
void ConfigurationCost::lay_edge(int op, std::size_t input, Edge edge) {
  Edge& place = edges_[to_index(op)][input];
  load(place.forward, forward_[to_index(op)], -1);
  load(place.backward, backward_[to_index(op)], -1);
  std::swap(place, edge);
  load(place.forward, forward_[to_index(op)], 1);
  load(place.backward, backward_[to_index(op)], 1);
  replaced_.push_back({op, input, std::move(edge)});
}

void ConfigurationCost::retime(int op) {
  retime(forward_[to_index(op)], op, &Edge::forward);
  retime(backward_[to_index(op)], op, &Edge::backward);
}

void ConfigurationCost::retime(Side& side, int op, Half Edge::*half) const {
  double longest = 0;
  side.busiest = -1;
  for (std::size_t l = 0; l < side.loads.size(); ++l) {
    const double busy = static_cast<double>(side.loads[l]) * loads_.picoseconds(l);
    if (busy > longest) side.busiest = static_cast<int>(l);
    longest = std::max(longest, busy);
  }
  Duration latency{0};
  Duration beside{0};
  for (const Edge& edge : edges_[to_index(op)]) {
    beside += (edge.*half).beside;
    for (const Message& it : (edge.*half).messages) {
      latency = std::max(latency, loads_.latency(it.from, it.to));
    }
  }
  side.time = Duration(static_cast<std::int64_t>(longest)) + latency + beside;
}

// Recomputes the traffic from the inputs of the changed operators, to their readers, and to other
// readers of the same inputs: data that was sent once for two readers may now be sent twice.
void ConfigurationCost::change(const std::vector<std::pair<int, OperatorConfiguration>>& changes) {
  changed_.clear();
  replaced_.clear();
  std::set<std::pair<int, std::size_t>> touched;
  const auto touch = [&](int reader, int source) {
    const std::vector<int>& inputs = space_.model().operators[to_index(reader)].inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == source) touched.insert({reader, i});
    }
  };
  for (const auto& it : changes) {
    const int op = it.first;
    if (configs_[to_index(op)] == it.second) continue;
    changed_.emplace_back(op, configs_[to_index(op)]);
    hold(op, -1);
    configs_[to_index(op)] = it.second;
    hold(op, 1);
    for (const int input : space_.model().operators[to_index(op)].inputs) {
      for (const int reader : space_.readers(input)) {
        if (reader >= op) touch(reader, input);
      }
    }
    for (const int reader : space_.readers(op)) touch(reader, op);
  }
  for (const auto& it : touched) lay_edge(it.first, it.second, edge_of(it.first, it.second));
  retime_touched();
}

void ConfigurationCost::undo() {
  for (const auto& it : changed_) {
    hold(it.first, -1);
    configs_[to_index(it.first)] = it.second;
    hold(it.first, 1);
  }
  std::vector<Replaced> before;
  std::swap(before, replaced_);
  for (Replaced& it : before) lay_edge(it.op, it.input, std::move(it.edge));
  retime_touched();
  changed_.clear();
}

void ConfigurationCost::retime_touched() {
  int last = -1;  // replaced_ is sorted by operator
  for (const Replaced& it : replaced_) {
    if (it.op != last) retime(it.op);
    last = it.op;
  }
}

void ConfigurationCost::go_forward() {
  free_.assign(held_.size(), 0);
  for (int op = 0; op < space_.operators(); ++op) {
    const parallelize::PartitionedOperator& partitioned =
        space_.partition(op, configs_[to_index(op)]);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < partitioned.inputs.size(); ++i) {
      if (!edges_[to_index(op)][i].any) continue;
      begin = std::max(begin, forward_end_[to_index(partitioned.inputs[i])] +
                                  forward_[to_index(op)].time.count());
    }
    std::int64_t end = 0;
    for (int p = 0; p < partitioned.partition.degree; ++p) {
      std::int64_t& free = free_[to_index(space_.server(op, configs_[to_index(op)], p))];
      free = std::max(free, begin) + partitioned.shards[to_index(p)].forward.count();
      end = std::max(end, free);
    }
    forward_end_[to_index(op)] = end;
  }
}

void ConfigurationCost::go_backward() {
  for (auto& it : sharers_) it.second.open = it.second.bytes = 0;
  summed_.assign(held_.size(), 0);
  sums_.clear();
  for (int op = space_.operators() - 1; op >= 0; --op) {
    const parallelize::PartitionedOperator& partitioned =
        space_.partition(op, configs_[to_index(op)]);
    std::int64_t begin = 0;
    for (const int reader : space_.readers(op)) {
      const std::vector<int>& theirs = space_.model().operators[to_index(reader)].inputs;
      for (std::size_t j = 0; j < theirs.size(); ++j) {
        if (theirs[j] != op || !edges_[to_index(reader)][j].any) continue;
        begin = std::max(begin, backward_arrival_[to_index(reader)]);
      }
    }
    std::int64_t end = 0;
    for (int p = 0; p < partitioned.partition.degree; ++p) {
      std::int64_t& free = free_[to_index(space_.server(op, configs_[to_index(op)], p))];
      free = std::max(free, begin) + partitioned.shards[to_index(p)].backward.count();
      end = std::max(end, free);
    }
    backward_end_[to_index(op)] = end;
    if (backward_[to_index(op)].time.count() > 0) {
      backward_arrival_[to_index(op)] = arrival(backward_[to_index(op)], end);
    }
    if (partitioned.shared) add_gradients(op);
  }
  for (auto& it : sharers_) {
    if (it.second.open > 0) sum_up(it.second);
  }
}

// Returns the arrival time of the messages of a side. Gradient sums in progress on the bottleneck
// link of the messages get half of its bandwidth, and both take longer.
std::int64_t ConfigurationCost::arrival(const Side& side, std::int64_t sent) {
  const std::int64_t uncontended = side.time.count();
  const auto contends = [&](const Sum& sum) {
    const auto& links = sum.load->links;
    const auto found =
        std::lower_bound(links.begin(), links.end(), side.busiest,
                         [](const LinkShare& it, int link) { return it.link < link; });
    return sum.end > sent && found != links.end() && found->link == side.busiest;
  };
  std::int64_t left = 0;
  for (const Sum& it : sums_) {
    if (side.busiest >= 0 && it.end - sent > left && contends(it)) left = it.end - sent;
  }
  const std::int64_t longer = std::min(uncontended, left);
  for (Sum& it : sums_) {
    if (longer == 0 || it.end <= sent || !contends(it)) continue;
    it.end += longer;
    for (const int server : it.sharers->servers) {
      summed_[to_index(server)] = std::max(summed_[to_index(server)], it.end);
    }
  }
  return sent + uncontended + longer;
}

void ConfigurationCost::add_gradients(int op) {
  const OperatorConfiguration& config = configs_[to_index(op)];
  const parallelize::PartitionedOperator& partitioned = space_.partition(op, config);
  Sharers& it = sharers_[{config.first, space_.places(op, config.partition)}];
  if (it.servers.empty()) it.servers = space_.servers_of(op, config);
  const auto bytes =
      static_cast<double>(partitioned.shards.front().updated * space_.job().gradient_bytes);
  it.open += bytes;
  it.bytes += bytes;
  it.ready = backward_end_[to_index(op)];
  const bool full = it.open >= static_cast<double>(space_.job().bucket.count);
  if (full && space_.job().overlap_gradients) sum_up(it);
}

const CollectiveLoad& ConfigurationCost::sum_load(Sharers& sharers, double bytes) {
  const Bytes size{static_cast<std::int64_t>(bytes)};
  const auto magnitude =
      static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size.count)));
  const CollectiveLoad*& known = sharers.loads[magnitude];
  if (known == nullptr) {
    known = &loads_.collective(workload::CollectiveKind::all_reduce, sharers.servers, size);
  }
  return *known;
}

// Adds the sum of one bucket, which starts when all its gradients are computed and the earlier sums
// of each server have ended.
void ConfigurationCost::sum_up(Sharers& sharers) {
  std::int64_t begin = sharers.ready;
  for (const int server : sharers.servers) {
    begin = std::max(begin, summed_[to_index(server)]);
    if (!space_.job().overlap_gradients) begin = std::max(begin, free_[to_index(server)]);
  }
  const CollectiveLoad& load = sum_load(sharers, sharers.open);
  const std::int64_t end = begin + load.uncontended(sharers.open).count();
  for (const int server : sharers.servers) summed_[to_index(server)] = end;
  sums_.push_back({&sharers, &load, end});
  sharers.open = 0;
}

Duration ConfigurationCost::busiest_link() {
  std::vector<double> bytes(message_loads_.begin(), message_loads_.end());
  for (auto& entry : sharers_) {
    Sharers& it = entry.second;
    if (it.bytes == 0) continue;
    for (const LinkShare& link : sum_load(it, it.bytes).links) {
      bytes[to_index(link.link)] += it.bytes * static_cast<double>(link.share);
    }
  }
  double longest = 0;
  for (std::size_t l = 0; l < bytes.size(); ++l) {
    longest = std::max(longest, bytes[l] * loads_.picoseconds(l));
  }
  return Duration(static_cast<std::int64_t>(longest));
}

Duration ConfigurationCost::time() {
  go_forward();
  go_backward();
  std::int64_t end = 0;
  double last_updated = -1;
  Duration update{0};
  for (std::size_t s = 0; s < free_.size(); ++s) {
    if (updated_[s] != last_updated) {
      last_updated = updated_[s];
      update = last_updated > 0 ? update_time(space_.job(), space_.accelerator(), last_updated)
                                : Duration(0);
    }
    end = std::max(end, std::max(free_[s], summed_[s]) + update.count());
  }
  return std::max(Duration(end), busiest_link());
}

}  // namespace loom::plan
