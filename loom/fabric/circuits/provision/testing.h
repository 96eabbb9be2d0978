// For tests: random demands, and checks that hold for every result of a provisioner.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "loom/base/random.h"
#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

// A demand that contains each pair of devices with a probability of `percent`, with 1 to
// `max_bytes` bytes.
inline workload::Demand random_demand(Random& random, int devices, unsigned percent,
                                      unsigned max_bytes) {
  workload::Demand demand;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from == to || random(100) >= percent) continue;
      demand.push_back({from, to, {1 + static_cast<std::int64_t>(random(max_bytes))}});
    }
  }
  return demand;
}

inline std::map<std::pair<int, int>, int> counts_of(const Provisioned& result) {
  std::map<std::pair<int, int>, int> counts;
  for (const PairCircuits& it : by_pair(result.circuits)) counts[{it.from, it.to}] = it.count;
  return counts;
}

// Returns the first error in a result: circuits beyond the limits, or a wrong rate, bound or list
// of unserved pairs.
template <class Limits>
std::optional<Infeasible> flaw_of(const Limits& limits, const workload::Demand& demand,
                                  const Provisioned& result) {
  if (auto no = violation(limits, result.circuits)) return no;
  auto counts = counts_of(result);
  double rate = demand.empty() ? 0 : 1e18;
  workload::Demand unserved;
  for (const workload::PairDemand& it : demand) {
    const int count = counts[{it.from, it.to}];
    rate = std::min(rate, count / static_cast<double>(it.bytes.count));
    if (count == 0) unserved.push_back(it);
  }
  if (rate != result.rate) {
    return Infeasible{fmt::format("the rate is {}, not {}", rate, result.rate)};
  }
  if (result.rate > result.bound) return Infeasible{"the rate is above its bound"};
  if (unserved != result.unserved) return Infeasible{"other pairs are unserved"};
  return std::nullopt;
}

// Whether every device reaches every other over the circuits.
inline bool strongly_connected(int devices, const Circuits& circuits) {
  const auto reached = [&](bool back) {
    std::vector<bool> seen(static_cast<std::size_t>(devices), false);
    seen[0] = true;
    for (int round = 0; round < devices; ++round) {
      for (const Circuit& it : circuits) {
        if (seen[back ? it.to : it.from]) seen[back ? it.from : it.to] = true;
      }
    }
    return std::count(seen.begin(), seen.end(), true) == devices;
  };
  return reached(false) && reached(true);
}

}  // namespace loom::fabric
