#include "loom/place/list_estimate.h"

#include <algorithm>

#include "loom/place/list_schedule.h"

namespace loom::place {
namespace {

std::size_t index_of(const std::vector<int>& devices, int device) {
  return static_cast<std::size_t>(std::find(devices.begin(), devices.end(), device) -
                                  devices.begin());
}

}  // namespace

std::vector<Duration> arrivals(const std::vector<parallelize::Transfer>& transfers,
                               const std::vector<int>& from, const std::vector<Duration>& ready,
                               const std::vector<int>& to, const parallelize::LinkEstimate& link) {
  const bool collective =
      !transfers.empty() && transfers.front().kind != workload::CollectiveKind::point_to_point;
  std::vector<Duration> arrived;
  if (collective) {
    const Duration last = *std::max_element(ready.begin(), ready.end());
    arrived.assign(to.size(), last + estimated_time(transfers, link));
    return arrived;
  }
  for (const int device : to) {
    std::vector<parallelize::Transfer> mine;
    const std::size_t own = index_of(from, device);
    Duration begin = own < from.size() ? ready[own] : Duration(0);
    for (const parallelize::Transfer& it : transfers) {
      if (it.devices.back() != device) continue;
      mine.push_back(it);
      begin = std::max(begin, ready[index_of(from, it.devices.front())]);
    }
    arrived.push_back(begin + estimated_time(mine, link));
  }
  return arrived;
}

Duration backward_length(const GroupPlacement& placement, int devices,
                         const parallelize::LinkEstimate& link) {
  std::vector<Duration> free(static_cast<std::size_t>(devices), Duration(0));
  // Per delivery and destination device: time at which the gradients of all readers are ready.
  std::vector<std::vector<Duration>> ready;
  for (const Delivery& it : placement.deliveries) {
    ready.emplace_back(it.to.devices.size(), Duration(0));
  }
  std::vector<std::vector<std::size_t>> outputs(placement.operators.size());
  for (std::size_t d = 0; d < ready.size(); ++d) {
    outputs[static_cast<std::size_t>(placement.deliveries[d].from)].push_back(d);
  }
  for (std::size_t op = placement.operators.size(); op-- > 0;) {
    const std::vector<int>& here = placement.devices[op];
    std::vector<Duration> ends;
    for (const int device : here) ends.push_back(free[static_cast<std::size_t>(device)]);
    for (const std::size_t d : outputs[op]) {
      const Delivery& it = placement.deliveries[d];
      const std::vector<Duration> back =
          arrivals(it.exchange.backward, it.to.devices, ready[d], here, link);
      for (std::size_t p = 0; p < ends.size(); ++p) ends[p] = std::max(ends[p], back[p]);
    }
    for (std::size_t p = 0; p < ends.size(); ++p) {
      ends[p] += placement.operators[op].shards[p].backward;
      free[static_cast<std::size_t>(here[p])] = ends[p];
    }
    for (const int input : placement.inputs[op]) {
      auto& known = ready[static_cast<std::size_t>(input)];
      for (std::size_t p = 0; p < ends.size(); ++p) known[p] = std::max(known[p], ends[p]);
    }
  }
  return *std::max_element(free.begin(), free.end());
}

}  // namespace loom::place
