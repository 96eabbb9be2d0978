#include "loom/run/network_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "loom/workload/demand.h"

namespace loom::run {
namespace {

// Whether a link is a circuit. A link from a host to itself is not: it models a limit on
// forwarding.
bool is_circuit(const fabric::Link& link) { return link.from != link.to; }

double hops_of(const fabric::Network& network, const workload::PairDemand& pair) {
  fabric::Route route;
  if (!network.router->find(DeviceId(pair.from), DeviceId(pair.to), 0, {}, route)) return 0;
  double sum = 0;
  for (const fabric::Hop& hop : route.hops) {
    if (is_circuit(network.links[static_cast<std::size_t>(hop.link)])) {
      sum += static_cast<double>(hop.share) / double{fabric::kWhole};
    }
  }
  return sum;
}

void add_hops(const Plan& plan, NetworkUse& use) {
  double all = 0;
  for (const workload::PairDemand& it : demand_of(plan.workload)) {
    const double hops = hops_of(plan.network, it);
    if (hops < 1) continue;
    const auto bytes = static_cast<double>(it.bytes.count);
    const auto bin = static_cast<std::size_t>(std::llround(hops)) - 1;
    if (use.hop_shares.size() <= bin) use.hop_shares.resize(bin + 1, 0);
    use.hop_shares[bin] += bytes;
    use.mean_hops += hops * bytes;
    all += bytes;
  }
  if (all == 0) return;
  use.mean_hops /= all;
  for (double& it : use.hop_shares) it /= all;
}

// Adds percentiles of the link loads by nearest rank: the smallest load that at least p % of the
// links do not exceed.
void add_loads(std::vector<Bytes> loads, NetworkUse& use) {
  if (loads.empty()) return;
  std::sort(loads.begin(), loads.end());
  constexpr std::array<int, 7> kPercents = {0, 10, 25, 50, 75, 90, 99};
  for (const int percent : kPercents) {
    const auto rank = (loads.size() * static_cast<std::size_t>(percent) + 99) / 100;
    use.link_loads.emplace_back(percent == 0 ? "min" : fmt::format("p{}", percent),
                                loads[std::max<std::size_t>(rank, 1) - 1]);
  }
  use.link_loads.emplace_back("max", loads.back());
}

}  // namespace

NetworkUse network_use(const Plan& plan, const simulate::Outcome& outcome) {
  NetworkUse use;
  std::int64_t carried = 0;
  std::vector<Bytes> loads;
  for (std::size_t l = 0; l < outcome.link_bytes.size(); ++l) {
    if (!is_circuit(plan.network.links[l])) continue;
    loads.push_back(outcome.link_bytes[l]);
    carried += outcome.link_bytes[l].count;
  }
  if (outcome.bytes.count > 0) {
    use.bandwidth_tax = static_cast<double>(carried) / static_cast<double>(outcome.bytes.count);
  }
  add_hops(plan, use);
  add_loads(std::move(loads), use);
  return use;
}

}  // namespace loom::run
