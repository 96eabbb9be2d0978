#include "loom/place/group_state.h"

#include <algorithm>
#include <numeric>

#include "loom/parallelize/footprint.h"
#include "loom/place/at.h"
#include "loom/place/list_estimate.h"

namespace loom::place {
namespace {

using Devices = std::vector<int>;

parallelize::StageMemory sum(const parallelize::StageMemory& a, const parallelize::StageMemory& b) {
  return {a.weights + b.weights, a.gradients + b.gradients, a.optimizer + b.optimizer,
          a.activations + b.activations};
}

void wait(Attempt& it, const Delivery& delivery) {
  for (std::size_t p = 0; p < it.ends.size(); ++p) {
    it.ends[p] = std::max(it.ends[p], delivery.arrival[p]);
  }
}

}  // namespace

Duration Attempt::last() const { return *std::max_element(ends.begin(), ends.end()); }

std::pair<Duration, Duration> Attempt::cost() const {
  return {last() + back, std::accumulate(ends.begin(), ends.end(), Duration(0))};
}

GroupState::GroupState(const parallelize::Job& job, const ListRule& rule)
    : job_(job),
      rule_(rule),
      peers_(rule.devices, rule.replicas, rule.limits, rule.rings),
      free_(static_cast<std::size_t>(rule.devices), Duration(0)),
      busy_(free_),
      summing_(free_) {
  out_.memory.resize(free_.size());
}

bool GroupState::fits(const parallelize::Shard& shard, int device) const {
  if (!rule_.limits.memory) return true;
  return at(out_.memory, device).total() + shard_memory(shard, job_).total() <=
         *rule_.limits.memory;
}

std::optional<Attempt> GroupState::attempt(const parallelize::PartitionedOperator& op,
                                           const std::vector<int>& devices) const {
  Attempt it{op, devices, {}, {}, peers_, {}};
  for (std::size_t p = 0; p < devices.size(); ++p) {
    it.ends.push_back(at(free_, devices[p]));
    if (!fits(op.shards[p], devices[p])) return std::nullopt;
  }
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    if (!deliver(it, op.inputs[i], {devices, op.needs[i]})) return std::nullopt;
  }
  if (op.shared && !share_weights(it)) return std::nullopt;
  for (std::size_t p = 0; p < devices.size(); ++p) it.ends[p] += op.shards[p].forward;
  if (rule_.backward) return it;
  for (const int d : devices) it.back = std::max(it.back, at(summing_, d) + sum_time(op));
  return it;
}

void GroupState::commit(Attempt it) {
  const Duration sums = rule_.backward ? Duration(0) : sum_time(it.op);
  for (std::size_t p = 0; p < it.devices.size(); ++p) {
    const parallelize::Shard& shard = it.op.shards[p];
    at(free_, it.devices[p]) = it.ends[p];
    at(busy_, it.devices[p]) += shard.forward + shard.backward;
    at(summing_, it.devices[p]) += sums;
    parallelize::StageMemory& memory = at(out_.memory, it.devices[p]);
    memory = sum(memory, shard_memory(shard, job_));
  }
  peers_ = std::move(it.peers);
  forward_ = std::max(forward_, it.last());
  ends_.push_back(std::move(it.ends));
  out_.operators.push_back(std::move(it.op));
  out_.devices.push_back(std::move(it.devices));
  out_.inputs.push_back(std::move(it.inputs));
  for (Delivery& delivery : it.deliveries) {
    sent_[delivery.from].push_back(static_cast<int>(out_.deliveries.size()));
    out_.deliveries.push_back(std::move(delivery));
  }
}

GroupPlacement GroupState::placement() {
  out_.length = forward_ + backward_length(out_, rule_.devices, rule_.link) +
                *std::max_element(summing_.begin(), summing_.end());
  return std::move(out_);
}

Duration GroupState::arrival(const parallelize::PartitionedOperator& op, std::size_t shard,
                             int device) const {
  Duration latest{0};
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const parallelize::PartitionedOperator& from = at(out_.operators, op.inputs[i]);
    const Devices& holders = at(out_.devices, op.inputs[i]);
    const std::vector<Duration>& ends = at(ends_, op.inputs[i]);
    const auto here = std::find(holders.begin(), holders.end(), device);
    std::int64_t missing = elements(op.needs[i][shard]);
    if (from.sums) {
      missing *= 2;  // partial sums are all-reduced, which sends about twice the bytes
    } else if (here != holders.end()) {
      const auto own = static_cast<std::size_t>(here - holders.begin());
      missing -= elements(overlap(from.shards[own].output, op.needs[i][shard]));
    }
    Duration ready = missing > 0 || here == holders.end()
                         ? *std::max_element(ends.begin(), ends.end())
                         : ends[static_cast<std::size_t>(here - holders.begin())];
    if (missing > 0 && !delivered(op.inputs[i], op.needs[i][shard], device)) {
      ready +=
          transfer_time({missing * from.element_bytes}, rule_.link.bandwidth) + rule_.link.latency;
    }
    latest = std::max(latest, ready);
  }
  return latest;
}

bool GroupState::delivered(int from, const parallelize::Boxes& need, int device) const {
  const auto sent = sent_.find(from);
  if (sent == sent_.end()) return false;
  return std::any_of(sent->second.begin(), sent->second.end(), [&](int index) {
    const parallelize::Layout& to = at(out_.deliveries, index).to;
    const auto here = std::find(to.devices.begin(), to.devices.end(), device);
    return here != to.devices.end() &&
           to.boxes[static_cast<std::size_t>(here - to.devices.begin())] == need;
  });
}

// Adds the delivery of an operator's output to the attempt; returns false if a limit forbids it.
bool GroupState::deliver(Attempt& it, int from, parallelize::Layout to) const {
  const auto sent = sent_.find(from);
  if (sent != sent_.end()) {
    for (const int index : sent->second) {
      const Delivery& known = at(out_.deliveries, index);
      if (known.to.devices != to.devices || known.to.boxes != to.boxes) continue;
      if (std::find(it.inputs.begin(), it.inputs.end(), index) == it.inputs.end()) {
        it.inputs.push_back(index);
      }
      wait(it, known);
      return true;
    }
  }
  for (const Delivery& known : it.deliveries) {
    if (known.from == from && known.to.boxes == to.boxes) return true;
  }
  std::optional<Delivery> delivery = new_delivery(it, from, std::move(to));
  if (!delivery) return false;
  it.inputs.push_back(static_cast<int>(out_.deliveries.size() + it.deliveries.size()));
  wait(it, *delivery);
  it.deliveries.push_back(std::move(*delivery));
  return true;
}

std::optional<Delivery> GroupState::new_delivery(Attempt& it, int from,
                                                 parallelize::Layout to) const {
  const parallelize::PartitionedOperator& op = at(out_.operators, from);
  parallelize::Layout layout{at(out_.devices, from), {}, op.sums};
  for (const parallelize::Shard& shard : op.shards) layout.boxes.push_back(shard.output);
  Delivery delivery{from, std::move(to), {}, {}};
  delivery.exchange = exchange(layout, delivery.to, op.whole, op.element_bytes);
  if (!rule_.backward) delivery.exchange.backward.clear();
  if (!connect(it, delivery.exchange)) {
    if (!rule_.rings) return std::nullopt;
    delivery.exchange =
        exchange_on_ring(layout, delivery.to, op.whole, op.element_bytes, rule_.devices);
    if (!rule_.backward) delivery.exchange.backward.clear();
    if (!connect(it, delivery.exchange)) return std::nullopt;
  }
  delivery.arrival = arrivals(delivery.exchange.forward, layout.devices, at(ends_, from),
                              delivery.to.devices, rule_.link);
  it.back += estimated_time(delivery.exchange.backward, rule_.link);
  return delivery;
}

bool GroupState::connect(Attempt& it, const parallelize::Exchange& exchange) const {
  if (!peers_.limited()) return true;
  std::optional<Peers> more = it.peers.with(exchange.forward);
  if (more) more = more->with(exchange.backward);
  if (more) it.peers = std::move(*more);
  return more.has_value();
}

// Adds the peers of the ring over which shards with the same weights sum their gradients.
bool GroupState::share_weights(Attempt& it) const {
  if (!peers_.limited()) return true;
  Devices devices = it.devices;
  std::sort(devices.begin(), devices.end());
  return connect(it,
                 {{parallelize::Transfer{workload::CollectiveKind::all_reduce, devices, {}}}, {}});
}

// Time to sum the operator's gradients by a ring all-reduce over its shards in all replicas.
Duration GroupState::sum_time(const parallelize::PartitionedOperator& op) const {
  const Devices ranks(op.shards.size() * static_cast<std::size_t>(rule_.replicas));
  const Bytes size{op.shards.front().updated * job_.gradient_bytes};
  if (size.count == 0 || ranks.size() == 1) return Duration(0);
  return estimated_time({{workload::CollectiveKind::all_reduce, ranks, size}}, rule_.link);
}

parallelize::StageMemory shard_memory(const parallelize::Shard& shard,
                                      const parallelize::Job& job) {
  return {.weights = {shard.parameters * bytes_of(job.precision)},
          .gradients = {shard.updated * job.gradient_bytes},
          .optimizer = {shard.parameters * state_bytes(job)},
          .activations = shard.kept};
}

}  // namespace loom::place
