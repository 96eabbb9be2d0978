#include "loom/place/shard_steps.h"

#include <algorithm>
#include <utility>

#include "loom/place/at.h"

namespace loom::place {

ShardSteps::ShardSteps(GroupOperations& operations, const GroupPlacement& placement,
                       std::vector<int> blocks, int devices, bool messages_together)
    : operations_(operations),
      place_(placement),
      blocks_(std::move(blocks)),
      messages_together_(messages_together),
      computed_(static_cast<std::size_t>(devices)),
      made_(place_.operators.size()),
      readers_(place_.deliveries.size()),
      outputs_(place_.operators.size()) {
  for (int op = 0; op < static_cast<int>(place_.operators.size()); ++op) {
    for (const int delivery : at(place_.inputs, op)) at(readers_, delivery).push_back(op);
  }
  for (int d = 0; d < static_cast<int>(place_.deliveries.size()); ++d) {
    at(outputs_, at(place_.deliveries, d).from).push_back(d);
  }
}

Operations ShardSteps::computed_on(const std::vector<int>& devices) const {
  Operations last;
  for (const int d : devices) merge(last, at(computed_, d));
  return last;
}

void ShardSteps::follow(const std::vector<int>& devices, std::uint32_t computation) {
  for (const int d : devices) at(computed_, d) = {computation};
}

OperationTag ShardSteps::tag(int op, Purpose purpose, bool forward) const {
  return {.purpose = purpose, .forward = forward, .block = at(blocks_, op), .micro_batch = 0};
}

void ShardSteps::forward(int op) {
  Arrivals arrivals;
  for (const int index : at(place_.inputs, op)) {
    const Delivery& delivery = at(place_.deliveries, index);
    if (at(readers_, index).front() == op) {
      at(arrived_, index) =
          send(delivery.exchange.forward, delivery.from, tag(delivery.from, Purpose::tensor, true));
    }
    for (const auto& it : at(arrived_, index)) {
      auto& mine = arrivals[it.first];
      mine.insert(mine.end(), it.second.begin(), it.second.end());
    }
  }
  compute(op, arrivals, true);
}

void ShardSteps::backward(int op) {
  Arrivals arrivals;
  for (const int index : at(outputs_, op)) {
    const Delivery& delivery = at(place_.deliveries, index);
    // Gradients are sent when all readers have run: the first reader runs last in reverse order.
    const Arrivals sent = send(delivery.exchange.backward, at(readers_, index).front(),
                               tag(op, Purpose::tensor, false));
    for (const auto& it : sent) {
      auto& mine = arrivals[it.first];
      mine.insert(mine.end(), it.second.begin(), it.second.end());
    }
  }
  compute(op, arrivals, false);
}

// Adds transfers of data that operator `from` computed: its output, or gradients of its inputs.
ShardSteps::Arrivals ShardSteps::send(const std::vector<parallelize::Transfer>& transfers, int from,
                                      const OperationTag& tag) {
  Arrivals arrivals;
  std::map<int, std::uint32_t> before;  // previous message, per source
  for (const parallelize::Transfer& it : transfers) {
    const bool message = it.kind == workload::CollectiveKind::point_to_point;
    Operations after;
    for (const int d : it.devices) {
      const auto made = at(made_, from).find(d);
      if (made != at(made_, from).end()) merge(after, {made->second});
      if (message) break;
    }
    const auto last = before.find(it.devices.front());
    if (message && !messages_together_ && last != before.end()) after.push_back(last->second);
    const std::uint32_t sent = operations_.transfer(it, after, tag);
    if (!message) {
      for (const int d : it.devices) arrivals[d].push_back({sent, after});
      continue;
    }
    before[it.devices.front()] = sent;
    arrivals[it.devices.back()].push_back({sent, {}});
  }
  return arrivals;
}

// Returns what the next computation of a device waits for: the transfers to the device, and its
// previous computation unless a transfer already waits for that.
Operations ShardSteps::waits(int device, const Arrivals& arrivals) const {
  Operations after;
  Operations implied;
  const auto mine = arrivals.find(device);
  if (mine != arrivals.end()) {
    for (const Arrival& it : mine->second) {
      merge(after, {it.operation});
      merge(implied, it.after);
    }
  }
  for (const std::uint32_t it : at(computed_, device)) {
    if (std::find(implied.begin(), implied.end(), it) == implied.end()) merge(after, {it});
  }
  return after;
}

// Adds the computation of an operator. Shards with the same time and dependencies share one
// operation.
void ShardSteps::compute(int op, const Arrivals& arrivals, bool forward) {
  const parallelize::PartitionedOperator& partitioned = at(place_.operators, op);
  std::map<std::pair<Duration, Operations>, std::vector<int>> equivalent;
  for (std::size_t p = 0; p < partitioned.shards.size(); ++p) {
    const int device = at(place_.devices, op)[p];
    const parallelize::Shard& shard = partitioned.shards[p];
    equivalent[{forward ? shard.forward : shard.backward, waits(device, arrivals)}].push_back(
        device);
  }
  at(made_, op).clear();
  for (auto& it : equivalent) {
    std::sort(it.second.begin(), it.second.end());
    const std::uint32_t done = operations_.compute(it.second, it.first.first, it.first.second,
                                                   tag(op, Purpose::compute, forward));
    for (const int device : it.second) {
      at(computed_, device) = {done};
      at(made_, op)[device] = done;
    }
  }
}

}  // namespace loom::place
