#include "loom/simulate/isolated_times.h"

#include <algorithm>

#include "loom/simulate/engine.h"
#include "loom/simulate/neighborhood.h"
#include "loom/simulate/symmetry/label_table.h"
#include "loom/simulate/symmetry/quotient.h"
#include "loom/workload/schedule.h"

namespace loom::simulate {
namespace {

constexpr std::int64_t kMaxMessages = 300'000;
// Messages times links that are simulated even if no symmetry reduces them.
constexpr std::int64_t kMaxHops = 50'000;

// The number of links from the first to the middle rank.
std::int64_t typical_hops(const workload::Groups& groups, const fabric::Network& network) {
  fabric::Route route;
  const int middle = groups.size / 2;
  if (middle > 0) {
    network.router->find(groups.device(0, 0), groups.device(0, middle), 0, {}, route);
  }
  return static_cast<std::int64_t>(route.hops.size());
}

std::int64_t message_count_of(const workload::Collective& collective,
                              const workload::Groups& groups) {
  if (const auto exchange = even_exchange(collective, groups.size)) {
    const std::int64_t pairs = std::int64_t{groups.size} * (groups.size - 1) * groups.count();
    return message_count(*exchange) * pairs;
  }
  return message_count(workload::schedule(collective, groups.size)) * groups.count();
}

std::uint64_t hashed(const workload::Groups& groups) {
  std::uint64_t hash = groups.members.size();
  for (const int it : groups.members) hash = mix_all(hash, it);
  return hash;
}

}  // namespace

std::optional<Duration> IsolatedTimes::of(const workload::Collective& collective,
                                          const workload::Groups& groups) {
  const workload::Groups front = moved_to_front(groups, neighborhood_);
  std::uint64_t rest = collective.levels.size();
  for (const int it : collective.levels) rest = mix_all(rest, it);
  for (const int it : collective.steps) rest = mix_all(rest, it);
  for (const Bytes it : collective.sizes) rest = mix_all(rest, it.count);
  rest = mix_all(rest, hashed(front));
  const Key key = {collective.kind,   collective.algorithm, collective.size.count,
                   collective.chunks, groups.size,          rest};
  return known_.answer(key, [&] { return simulated(collective, front); });
}

const ExchangeRoutes& IsolatedTimes::exchange(const workload::Groups& groups) {
  return exchanges_.answer({groups.size, hashed(groups)},
                           [&] { return exchange_routes(groups, network_); });
}

bool IsolatedTimes::in_full(const workload::Collective& collective,
                            const workload::Groups& groups) const {
  const std::int64_t messages = message_count_of(collective, groups);
  return messages <= kMaxMessages && messages * typical_hops(groups, network_) <= kMaxHops;
}

std::optional<Duration> IsolatedTimes::simulated(const workload::Collective& collective,
                                                 const workload::Groups& groups) const {
  if (message_count_of(collective, groups) > kMaxMessages) return std::nullopt;
  workload::Workload workload;
  workload.devices = network_.devices;
  workload.groups = {groups};
  workload.collectives = {collective};
  workload.operations = {
      {.kind = workload::OperationKind::collective, .groups = 0, .collective = 0}};
  EngineOptions options;
  options.verify = false;
  std::optional<Outcome> outcome;
  if (in_full(collective, groups)) {
    outcome = simulate_fluid(workload, network_, {}, options);
  } else if (const auto folded = FoldedRun::of(workload, network_, {}, options)) {
    outcome = folded->simulate();
  }
  if (!outcome || outcome->deadlock) return std::nullopt;
  return outcome->completion_time;
}

}  // namespace loom::simulate
