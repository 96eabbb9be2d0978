#include "loom/jobs/profile/placed_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"
#include "loom/jobs/colocated/place_jobs.h"
#include "loom/jobs/profile/recorded_run.h"

namespace loom::jobs {
namespace {

// Number of iterations simulated. The first starts on an idle network; the last is recorded.
constexpr int kIterations = 3;

// Max number of devices whose paths are compared pair by pair.
constexpr std::size_t kMaxComparedDevices = 128;

// Mean fraction of the window in which a device computes.
double computing_fraction(const std::vector<simulate::ComputeRecord>& all, const TimeWindow& window,
                          std::size_t devices) {
  double sum = 0;
  for (const simulate::ComputeRecord& it : all) {
    const Duration inside = std::min(it.end, window.end) - std::max(it.start, window.begin);
    if (inside.count() > 0) sum += static_cast<double>(inside.count());
  }
  const auto length = static_cast<double>((window.end - window.begin).count());
  return sum / (length * static_cast<double>(devices));
}

Infeasible why_not(const JobKind& kind, int devices, const plan::StrategySearch& search) {
  const std::string why =
      search.objection ? search.objection->why : "no strategy fits in the memory of the devices";
  return {fmt::format("{} on {} device{}: {}", kind.name, devices, devices == 1 ? "" : "s", why)};
}

}  // namespace

PlacedProfiles::PlacedProfiles(const Cluster& cluster, const std::vector<JobKind>& kinds)
    : cluster_(cluster), kinds_(kinds) {
  if (dynamic_cast<const SharedNetwork*>(&cluster) == nullptr) return;
  network_ = cluster.together({});
  for (std::size_t l = 0; l < network_->links.size(); ++l) {
    const fabric::Link& link = network_->links[l];
    links_.push_back({network_->link_name(LinkId(l)), link.bandwidth});
    const bool direct = link.from < network_->devices && link.to < network_->devices;
    devices_forward_ = devices_forward_ || direct;
  }
}

// Whether several jobs may use the link. If devices do not forward, a link of a device carries only
// the traffic of the device's own job.
bool PlacedProfiles::may_be_shared(int link) const {
  const fabric::Link& it = network_->links[static_cast<std::size_t>(link)];
  return devices_forward_ || (it.from >= network_->devices && it.to >= network_->devices);
}

const PlacedProfiles::Plan& PlacedProfiles::plan(int kind, int devices) {
  return plans_.answer({kind, devices}, [&] {
    Plan plan;
    const JobKind& it = kinds_[static_cast<std::size_t>(kind)];
    plan.spec = it.spec(devices);
    const std::unique_ptr<plan::NetworkProvider> provider =
        cluster_.provider(first_devices(devices), plan.spec.algorithm);
    const plan::StrategySearch search =
        plan.spec.any_batch ? search_batches(plan.spec, *provider, {.threads = 1})
                            : search_strategies(plan.spec, *provider, {.threads = 1});
    if (search.ranking.empty()) {
      plan.infeasible = why_not(it, devices, search);
    } else {
      plan.strategy = search.ranking.front().strategy;
      plan.spec.iterations = kIterations;
    }
    return plan;
  });
}

PlacedProfiles::Footprint PlacedProfiles::footprint(int kind, std::span<const int> devices) const {
  Footprint found;
  found.key = {kind, static_cast<std::int64_t>(devices.size())};
  const bool compared =
      network_ != nullptr && devices.size() <= kMaxComparedDevices && !network_->router->hashes();
  if (!compared) {
    for (const int it : devices) found.key.push_back(it);
    return found;
  }
  int neighborhood = 1;
  // Which devices are near each other, and in which order.
  for (const int level : network_->levels) {
    neighborhood *= level;
    std::map<int, std::int64_t> seen;
    for (const int it : devices) {
      found.key.push_back(seen.emplace(it / neighborhood, seen.size()).first->second);
    }
  }
  std::map<int, std::int64_t> number;
  for (const int from : devices) {
    for (const int to : devices) {
      fabric::Route route;
      if (from == to || !network_->router->find(DeviceId(from), DeviceId(to), 0, {}, route))
        continue;
      found.key.push_back(route.latency.count());
      for (const fabric::Hop& hop : route.hops) {
        const auto at = number.emplace(hop.link, static_cast<std::int64_t>(number.size()));
        found.key.push_back(at.first->second);
        found.key.push_back(static_cast<std::int64_t>(hop.share));
        if (!at.second) continue;
        found.links.push_back(hop.link);
        const fabric::Link& link = network_->links[static_cast<std::size_t>(hop.link)];
        found.key.push_back(link.bandwidth.bits_per_second);
        found.key.push_back(may_be_shared(hop.link) ? 1 : 0);
      }
    }
  }
  return found;
}

// The profile of a measured job, in which every device sends to the next at the rate of the stage.
// If the capacity of a link is too small for that, the stage takes proportionally longer.
PlacedProfile PlacedProfiles::measured(const JobKind& kind, std::span<const int> devices) const {
  std::map<int, double> shares;  // per link: load relative to one device's rate
  for (std::size_t d = 0; network_ != nullptr && devices.size() > 1 && d < devices.size(); ++d) {
    fabric::Route route;
    const DeviceId from(devices[d]);
    const DeviceId to(devices[(d + 1) % devices.size()]);
    if (!network_->router->find(from, to, d, {}, route)) continue;
    for (const fabric::Hop& hop : route.hops) {
      shares[hop.link] += static_cast<double>(hop.share) / static_cast<double>(fabric::kWhole);
    }
  }
  PlacedProfile placed;
  double computing = 0;
  for (const RingStage& it : kind.stages) {
    const auto asked = static_cast<double>(it.rate.bits_per_second);
    double slower = 1;
    for (const auto& share : shares) {
      const Bandwidth has = links_[static_cast<std::size_t>(share.first)].capacity;
      slower = std::max(slower, asked * share.second / static_cast<double>(has.bits_per_second));
    }
    ProfileStage stage;
    stage.length = Duration(
        static_cast<std::int64_t>(std::ceil(static_cast<double>(it.length.count()) * slower)));
    for (const auto& share : shares) {
      const auto rate = static_cast<std::int64_t>(asked * share.second / slower);
      if (rate > 0 && may_be_shared(share.first)) stage.rates.push_back({share.first, {rate}});
    }
    if (it.rate.bits_per_second == 0) computing += static_cast<double>(stage.length.count());
    placed.profile.stages.push_back(std::move(stage));
  }
  placed.period = placed.profile.period();
  placed.computing = computing / static_cast<double>(placed.period.count());
  return placed;
}

PlacedProfile PlacedProfiles::simulated(int kind, std::span<const int> devices) {
  PlacedProfile placed;
  const Plan& it = plan(kind, static_cast<int>(devices.size()));
  placed.infeasible = it.infeasible;
  if (placed.infeasible) return placed;
  const std::unique_ptr<plan::NetworkProvider> provider =
      cluster_.provider(devices, it.spec.algorithm);
  const plan::ShardedJob sharded = shard_job(it.spec, it.strategy, *provider);
  placed.infeasible = sharded.mapped.infeasible;
  if (placed.infeasible) return placed;
  const std::shared_ptr<const fabric::Network> network =
      cluster_.isolated_network(devices, sharded.mapped);
  RunRecorder recorder(network->links.size());
  simulate::EngineOptions options;
  options.observer = &recorder;
  const place::LoweredJob& lowered = sharded.mapped.lowered;
  const simulate::Outcome outcome = simulate_fluid(lowered.workload, *network, {}, options);
  LOOM_CHECK(!outcome.deadlock, "a sharded job runs to its end");
  const TimeWindow window = last_iteration(lowered, outcome.operation_end);
  if (network_ == nullptr) {
    recorder.changes.clear();
  } else {
    std::erase_if(recorder.changes,
                  [&](const LoadChange& change) { return !may_be_shared(change.link); });
  }
  placed.profile.stages = profile_stages(recorder.changes, window.begin, window.end);
  placed.period = window.end - window.begin;
  placed.computing = computing_fraction(recorder.computations, window, devices.size());
  return placed;
}

const PlacedProfile& PlacedProfiles::of(int kind, std::span<const int> devices) {
  const std::vector<int> list(devices.begin(), devices.end());
  return placed_.answer({kind, list}, [&] {
    const JobKind& wanted = kinds_[static_cast<std::size_t>(kind)];
    const Footprint seen = footprint(kind, devices);
    std::map<int, int> number;
    for (std::size_t l = 0; l < seen.links.size(); ++l) {
      number[seen.links[l]] = static_cast<int>(l);
    }
    const bool renamed = !seen.links.empty();
    PlacedProfile placed = equivalent_.answer(seen.key, [&] {
      PlacedProfile first =
          wanted.stages.empty() ? simulated(kind, devices) : measured(wanted, devices);
      for (ProfileStage& stage : first.profile.stages) {
        for (LinkRate& it : stage.rates) it.link = renamed ? number.at(it.link) : it.link;
      }
      return first;
    });
    placed.profile.name = wanted.name;
    for (ProfileStage& stage : placed.profile.stages) {
      for (LinkRate& it : stage.rates) {
        if (renamed) it.link = seen.links[static_cast<std::size_t>(it.link)];
      }
      std::sort(stage.rates.begin(), stage.rates.end(),
                [](const LinkRate& a, const LinkRate& b) { return a.link < b.link; });
    }
    return placed;
  });
}

const PlacedProfile& PlacedProfiles::packed(int kind, int devices) {
  return of(kind, first_devices(devices));
}

}  // namespace loom::jobs
