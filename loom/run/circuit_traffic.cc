#include "loom/run/circuit_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "loom/fabric/circuits/control/control.h"
#include "loom/workload/demand.h"

namespace loom::run {
namespace {

// The kind of each operation; -1 for computations.
struct Kinds {
  std::vector<TrafficKind> kinds;
  std::vector<int> of;
};

bool communicates(const workload::Operation& operation) {
  return operation.kind == workload::OperationKind::message ||
         operation.kind == workload::OperationKind::collective;
}

// A purpose, and whether the traffic belongs to the backward pass; gradients have no other pass.
using KindKey = std::pair<place::Purpose, bool>;

bool one_pass(place::Purpose purpose) {
  return purpose == place::Purpose::data || purpose == place::Purpose::optimizer;
}

KindKey key_of(const place::OperationTag& tag) {
  return {tag.purpose, !one_pass(tag.purpose) && !tag.forward};
}

TrafficKind kind_of(const KindKey& key) {
  const std::string_view name = place::kPurposeNames[static_cast<std::size_t>(key.first)];
  return {one_pass(key.first) ? std::string(name)
                              : fmt::format("{} {}", name, key.second ? "backward" : "forward"),
          key.first == place::Purpose::optimizer ? "other" : name};
}

Kinds kinds_of_job(const place::LoweredJob& job, const workload::Workload& workload) {
  Kinds found;
  std::map<KindKey, int> numbers;
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    if (communicates(workload.operations[o])) numbers.try_emplace(key_of(job.tags[o]), 0);
  }
  for (auto& it : numbers) {
    it.second = static_cast<int>(found.kinds.size());
    found.kinds.push_back(kind_of(it.first));
  }
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    const bool counts = communicates(workload.operations[o]);
    found.of.push_back(counts ? numbers.at(key_of(job.tags[o])) : -1);
  }
  return found;
}

Kinds kinds_of_jobs(const ColocatedPlan& work, const workload::Workload& workload) {
  Kinds found;
  for (std::size_t j = 0; j < work.jobs.size(); ++j) {
    found.kinds.push_back({work.jobs[j].name, {}});
    for (std::size_t o = work.first[j]; o < work.first[j + 1]; ++o) {
      found.of.push_back(communicates(workload.operations[o]) ? static_cast<int>(j) : -1);
    }
  }
  return found;
}

Kinds kinds_of(const Plan& plan) {
  if (const auto* job = plan.as<TrainingPlan>()) return kinds_of_job(job->lowered, plan.workload);
  if (const auto* jobs = plan.as<ColocatedPlan>()) return kinds_of_jobs(*jobs, plan.workload);
  Kinds found;
  const auto* collective = plan.as<CollectivePlan>();
  found.kinds.push_back(
      {collective != nullptr ? std::string(name_of(collective->collective.kind)) : "messages", {}});
  for (const workload::Operation& it : plan.workload.operations) {
    found.of.push_back(communicates(it) ? 0 : -1);
  }
  return found;
}

// Bytes per link and kind.
using LinkLoads = std::vector<std::vector<double>>;

void add_routes(const Plan& plan, const workload::Demand& demand, const std::vector<bool>& down,
                std::size_t kind, LinkLoads& loads) {
  fabric::Route route;
  for (const workload::PairDemand& it : demand) {
    route = {};
    if (!plan.network.router->find(DeviceId(it.from), DeviceId(it.to), 0, down, route)) continue;
    for (const fabric::Hop& hop : route.hops) {
      loads[static_cast<std::size_t>(hop.link)][kind] += static_cast<double>(it.bytes.count) *
                                                         static_cast<double>(hop.share) /
                                                         double{fabric::kWhole};
    }
  }
}

// Divides the bytes of each link like the demand between its ends.
void divide_as_demanded(const std::vector<Bytes>& link_bytes, LinkLoads& loads) {
  for (std::size_t l = 0; l < loads.size(); ++l) {
    const double demanded = std::accumulate(loads[l].begin(), loads[l].end(), 0.0);
    const auto carried = static_cast<double>(link_bytes[l].count);
    for (double& it : loads[l]) {
      it = demanded > 0 ? it * carried / demanded : carried / static_cast<double>(loads[l].size());
    }
  }
}

// Leaves out links of a packet switch, and limits on forwarding (links from a host to itself).
std::vector<PairLoad> circuit_loads(const fabric::Network& network, LinkLoads loads) {
  std::vector<PairLoad> pairs;
  for (std::size_t l = 0; l < loads.size(); ++l) {
    const fabric::Link& link = network.links[l];
    const bool circuit =
        link.from != link.to && link.from < network.devices && link.to < network.devices;
    const bool used =
        std::any_of(loads[l].begin(), loads[l].end(), [](double bytes) { return bytes > 0; });
    if (circuit && used) pairs.push_back({link.from, link.to, std::move(loads[l])});
  }
  std::sort(pairs.begin(), pairs.end(), [](const PairLoad& a, const PairLoad& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  return pairs;
}

std::vector<bool> down_links(const Plan& plan, const fabric::Circuits& circuits) {
  std::vector<bool> down;
  for (const Bandwidth it : link_bandwidths(plan.circuits->fabric, plan.network, circuits)) {
    down.push_back(it.bits_per_second == 0);
  }
  return down;
}

}  // namespace

double PairLoad::total() const { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

CircuitTraffic circuit_traffic(const Plan& plan, const std::vector<Bytes>& link_bytes) {
  const PlannedCircuits& circuits = *plan.circuits;
  Kinds kinds = kinds_of(plan);
  const bool phased = circuits.phases && circuits.changes();
  const bool periodic = circuits.changes() && !phased;
  CircuitTraffic traffic;
  const std::size_t sets = phased ? circuits.phases->sets.size() : 1;
  for (std::size_t set = 0; set < sets; ++set) {
    const std::vector<bool> down =
        phased ? down_links(plan, circuits.phases->sets[set]) : std::vector<bool>();
    LinkLoads loads(plan.network.links.size(), std::vector<double>(kinds.kinds.size(), 0));
    for (std::size_t kind = 0; kind < kinds.kinds.size(); ++kind) {
      const workload::Demand demand = demand_of(plan.workload, [&](std::size_t o) {
        return kinds.of[o] == static_cast<int>(kind) &&
               (!phased || circuits.phases->set_of[o] == static_cast<int>(set));
      });
      add_routes(plan, demand, down, kind, loads);
    }
    if (periodic) divide_as_demanded(link_bytes, loads);
    traffic.loads.push_back(circuit_loads(plan.network, std::move(loads)));
  }
  traffic.kinds = std::move(kinds.kinds);
  traffic.estimated = periodic && traffic.kinds.size() > 1 &&
                      (circuits.fabric.forwarding || circuits.fabric.packets.has_value());
  return traffic;
}

}  // namespace loom::run
