#include "loom/plan/topoopt/network_loads.h"

#include <bit>
#include <utility>

#include "loom/base/error.h"
#include "loom/simulate/engine.h"
#include "loom/workload/demand.h"

namespace loom::plan {

NetworkLoads::NetworkLoads(ProvidedNetwork provided) : provided_(std::move(provided)) {
  const fabric::Network& network = *provided_.network;
  if (!provided_.times) provided_.times = std::make_shared<simulate::IsolatedTimes>(network);
  for (const fabric::Link& it : network.links) {
    picoseconds_.push_back(8e12 / static_cast<double>(it.bandwidth.bits_per_second));
  }
  for (DeviceId from(0); from < network.devices; ++from) {
    for (DeviceId to(0); to < network.devices; ++to) {
      first_.push_back(hops_.size());
      latency_.emplace_back(0);
      if (from == to) continue;
      fabric::Route route;
      LOOM_CHECK(network.router->find(from, to, 0, {}, route), "every device reaches every other");
      latency_.back() = route.latency;
      for (const fabric::Hop& hop : route.hops) {
        hops_.push_back({hop.link, static_cast<float>(static_cast<double>(hop.share) /
                                                      double{fabric::kWhole})});
      }
    }
  }
  first_.push_back(hops_.size());
}

std::span<const LinkShare> NetworkLoads::path(int from, int to) const {
  const std::size_t p = pair(from, to);
  return {hops_.data() + first_[p], first_[p + 1] - first_[p]};
}

const CollectiveLoad& NetworkLoads::collective(workload::CollectiveKind kind,
                                               const std::vector<int>& devices, Bytes size) {
  // One result per power of two: in between, the fastest algorithm rarely changes.
  const int magnitude = std::bit_width(static_cast<std::uint64_t>(size.count));
  const std::lock_guard lock(mutex_);
  const auto key = std::tuple(kind, magnitude, devices);
  auto known = collectives_.find(key);
  if (known == collectives_.end()) {
    known = collectives_.emplace(key, measured(kind, devices, Bytes{1LL << magnitude})).first;
  }
  return known->second;
}

CollectiveLoad NetworkLoads::measured(workload::CollectiveKind kind,
                                      const std::vector<int>& devices, Bytes size) const {
  const int all = provided_.network->devices;
  workload::Collective wanted;
  wanted.kind = kind;
  wanted.size = size;
  workload::Collective chosen =
      provided_.choose(wanted, {static_cast<int>(devices.size()), devices});
  simulate::EngineOptions options;
  options.isolated = provided_.times.get();
  const auto time = [&](const workload::Collective& it) {
    const workload::Workload isolated = collective_workload(it, devices, all);
    return static_cast<double>(
        simulate::simulate_coarse(isolated, *provided_.network, options).completion_time.count());
  };
  CollectiveLoad load;
  std::vector<double> bytes(links(), 0);
  for (const workload::PairDemand& it : demand_of(collective_workload(chosen, devices, all))) {
    for (const LinkShare& hop : path(it.from, it.to)) {
      bytes[static_cast<std::size_t>(hop.link)] +=
          static_cast<double>(hop.share) * static_cast<double>(it.bytes.count);
    }
  }
  const auto whole = static_cast<double>(size.count);
  for (std::size_t l = 0; l < bytes.size(); ++l) {
    if (bytes[l] > 0)
      load.links.push_back({static_cast<int>(l), static_cast<float>(bytes[l] / whole)});
  }
  const double long_time = time(chosen);
  chosen.size = Bytes{0};
  load.latency = time(chosen);
  load.per_byte = (long_time - load.latency) / whole;
  return load;
}

}  // namespace loom::plan
