#include "loom/jobs/colocated/cluster.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/fabric/network/subnetwork.h"
#include "loom/plan/topoopt/topology_provider.h"

namespace loom::jobs {

SharedNetwork::SharedNetwork(fabric::Network network)
    : network_(std::make_shared<fabric::Network>(std::move(network))),
      neighborhood_(simulate::neighborhood(*network_)) {}

std::unique_ptr<plan::NetworkProvider> SharedNetwork::provider(
    std::span<const int> devices, std::optional<workload::Algorithm> algorithm) const {
  return std::make_unique<plan::FixedNetworkProvider>(
      std::make_shared<fabric::Network>(subnetwork_of(*network_, devices)), algorithm);
}

// The network looks the same if all devices are shifted by a multiple of the neighborhood. On a
// single switch all lists of equal size are equivalent.
bool SharedNetwork::equivalent(std::span<const int> a, std::span<const int> b) const {
  if (a.size() != b.size()) return false;
  if (neighborhood_ == 1 && network_->period == 0) return true;
  const int moved = b.front() - a.front();
  if (moved % neighborhood_ != 0) return false;
  return std::equal(a.begin(), a.end(), b.begin(),
                    [&](int here, int there) { return there - here == moved; });
}

std::shared_ptr<const fabric::Network> SharedNetwork::isolated_network(
    std::span<const int> devices, const plan::MappedJob& /*plan*/) const {
  return std::make_shared<fabric::Network>(subnetwork_of(*network_, devices));
}

std::shared_ptr<const fabric::Network> SharedNetwork::together(
    std::span<const Job> /*jobs*/) const {
  return network_;
}

SharedCircuits::SharedCircuits(fabric::CircuitFabric fabric) : fabric_(std::move(fabric)) {
  LOOM_CHECK(has_subnetworks(fabric_),
             "jobs with their own circuits need a fabric that can be divided into subnetworks");
}

std::unique_ptr<plan::NetworkProvider> SharedCircuits::provider(
    std::span<const int> devices, std::optional<workload::Algorithm> algorithm) const {
  return plan::circuit_provider(subnetwork_of(fabric_, devices), algorithm);
}

bool SharedCircuits::equivalent(std::span<const int> a, std::span<const int> b) const {
  if (a.size() != b.size()) return false;
  const fabric::CircuitFabric here = subnetwork_of(fabric_, a);
  const fabric::CircuitFabric there = subnetwork_of(fabric_, b);
  return std::get<fabric::OcsLimits>(here.limits).wiring ==
         std::get<fabric::OcsLimits>(there.limits).wiring;
}

std::shared_ptr<const fabric::Network> SharedCircuits::isolated_network(
    std::span<const int> /*devices*/, const plan::MappedJob& plan) const {
  return plan.network;
}

std::shared_ptr<const fabric::Network> SharedCircuits::together(std::span<const Job> jobs) const {
  std::vector<fabric::Subnetwork> subnetworks;
  for (const Job& it : jobs) {
    subnetworks.push_back({it.plan->network, {it.devices.begin(), it.devices.end()}});
  }
  return std::make_shared<fabric::Network>(side_by_side(subnetworks, devices()));
}

fabric::Provisioned merge_provisioned(std::span<const Cluster::Job> jobs) {
  fabric::Provisioned all;
  all.rate = 1;
  all.bound = 1;
  for (const Cluster::Job& job : jobs) {
    const auto device = [&](int it) { return job.devices[static_cast<std::size_t>(it)]; };
    const fabric::Provisioned& provisioned = *job.plan->provisioned;
    for (fabric::Circuit it : provisioned.circuits) {
      it.from = device(it.from);
      it.to = device(it.to);
      all.circuits.push_back(it);
    }
    for (workload::PairDemand it : provisioned.unserved) {
      it.from = device(it.from);
      it.to = device(it.to);
      all.unserved.push_back(it);
    }
    if (provisioned.bound > 0) all.rate = std::min(all.rate, provisioned.rate / provisioned.bound);
  }
  std::sort(all.circuits.begin(), all.circuits.end());
  std::sort(all.unserved.begin(), all.unserved.end());
  return all;
}

}  // namespace loom::jobs
