// The provisioners' optimal max-min rates against integer programs solved by Cbc.
//
// A rate r needs ⌈r · bytes⌉ circuits for each pair. Cbc must find circuits for our optimal rate
// and prove that no better rate is feasible.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/ocs_max_min.h"
#include "loom/fabric/circuits/provision/ring_max_min.h"
#include "loom/fabric/circuits/provision/testing.h"
#include "tests/agree/cbc_solve.h"

namespace loom {
namespace {

using oracle::IntegerProgram;
using oracle::kUnlimited;

// Circuits needed per pair for `rate`, or for any better rate. Some pair attains `rate` exactly.
std::vector<int> needs(const workload::Demand& demand, double rate, bool better) {
  std::vector<int> needs(demand.size(), 1);
  if (rate == 0) return needs;
  for (const workload::PairDemand& known : demand) {
    const double count = std::round(rate * static_cast<double>(known.bytes.count));
    if (count / static_cast<double>(known.bytes.count) != rate) continue;
    const auto circuits = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < demand.size(); ++i) {
      const std::int64_t product = circuits * demand[i].bytes.count;
      const std::int64_t bytes = known.bytes.count;
      needs[i] = static_cast<int>(better ? product / bytes + 1 : (product + bytes - 1) / bytes);
    }
    return needs;
  }
  ADD_FAILURE() << "the rate " << rate << " is not attained by any pair";
  return needs;
}

// One variable per pair and direction, and one row per capacity limit.
struct CircuitModel {
  IntegerProgram program;
  std::vector<std::vector<int>> of_pair;
};

CircuitModel circuit_model(const fabric::OcsLimits& limits, const workload::Demand& demand) {
  CircuitModel model;
  model.program.rows.assign(2 * static_cast<std::size_t>(limits.devices),
                            {.terms = {}, .min = 0, .max = 1.0 * limits.switches});
  for (const workload::PairDemand& it : demand) {
    const int variable = static_cast<int>(model.program.variables.size());
    model.program.variables.push_back({.upper = 1.0 * limits.switches});
    model.program.rows[it.from].terms.push_back({variable});
    model.program.rows[limits.devices + it.to].terms.push_back({variable});
    model.of_pair.push_back({variable});
  }
  return model;
}

CircuitModel circuit_model(const fabric::RingLimits& limits, const workload::Demand& demand) {
  CircuitModel model;
  model.program.rows.assign(2 * static_cast<std::size_t>(limits.devices),
                            {.terms = {}, .min = 0, .max = 1.0 * limits.colors()});
  for (const workload::PairDemand& it : demand) {
    model.of_pair.emplace_back();
    for (int direction = 0; direction < limits.directions; ++direction) {
      if (!limits.reaches(it.from, it.to, direction)) continue;
      const int variable = static_cast<int>(model.program.variables.size());
      model.program.variables.push_back({.upper = 1.0 * limits.colors()});
      model.of_pair.back().push_back(variable);
      const int step = direction == fabric::kClockwise ? 1 : limits.devices - 1;
      for (int at = it.from; at != it.to; at = (at + step) % limits.devices) {
        const int segment = limits.reuse ? direction * limits.devices + at : direction;
        model.program.rows[segment].terms.push_back({variable});
      }
      if (limits.reuse) continue;
      auto& terms = model.program.rows[direction].terms;
      while (terms.size() > 1 && terms[terms.size() - 2].variable == variable) terms.pop_back();
    }
  }
  return model;
}

bool possible(CircuitModel model, const std::vector<int>& needs) {
  for (std::size_t i = 0; i < needs.size(); ++i) {
    IntegerProgram::Row row{.terms = {}, .min = 1.0 * needs[i], .max = kUnlimited};
    for (const int variable : model.of_pair[i]) row.terms.push_back({variable});
    if (row.terms.empty()) return false;
    model.program.rows.push_back(row);
  }
  return oracle::solve(model.program).has_value();
}

// Cbc's optimal rate: one more variable, with a row per pair.
double best_rate(CircuitModel model, const workload::Demand& demand) {
  const int rate = static_cast<int>(model.program.variables.size());
  model.program.variables.push_back({.objective = 1, .upper = kUnlimited, .integer = false});
  for (std::size_t i = 0; i < demand.size(); ++i) {
    IntegerProgram::Row row{.terms = {{rate, -1.0 * static_cast<double>(demand[i].bytes.count)}},
                            .min = 0,
                            .max = kUnlimited};
    for (const int variable : model.of_pair[i]) row.terms.push_back({variable});
    model.program.rows.push_back(row);
  }
  return oracle::solve(model.program).value_or(-1);
}

template <class Limits>
std::string difference(const Limits& limits, const workload::Demand& demand) {
  if (demand.empty()) return "";
  const double bound = fabric::max_min_bound(limits, demand);
  const CircuitModel model = circuit_model(limits, demand);
  if (bound > 0 && !possible(model, needs(demand, bound, false))) {
    return fmt::format("Cbc finds no circuits for the rate {}", bound);
  }
  if (possible(model, needs(demand, bound, true))) {
    return fmt::format("Cbc finds circuits for more than the rate {}", bound);
  }
  return "";
}

// The demand matrix whose entries are the digits of `number`.
workload::Demand numbered_demand(int devices, int number, int digits) {
  workload::Demand demand;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from == to) continue;
      if (number % digits != 0) demand.push_back({from, to, {number % digits}});
      number /= digits;
    }
  }
  return demand;
}

// The same demand after rotating the ring.
workload::Demand rotated(const workload::Demand& demand, int devices, int by) {
  workload::Demand result = demand;
  for (workload::PairDemand& it : result) {
    it.from = (it.from + by) % devices;
    it.to = (it.to + by) % devices;
  }
  std::sort(result.begin(), result.end());
  return result;
}

bool first_of_its_rotations(const workload::Demand& demand, int devices) {
  for (int by = 1; by < devices; ++by) {
    if (rotated(demand, devices, by) < demand) return false;
  }
  return true;
}

fabric::OcsLimits switches(int devices, int number) {
  return {.devices = devices, .switches = number, .ports = devices};
}

fabric::RingLimits ring(int devices, int directions, int wavelengths) {
  return {.devices = devices, .directions = directions, .wavelengths = wavelengths};
}

TEST(CbcCircuits, OnThreeDevicesAllRatesEqualCbcs) {
  for (int number = 1; number < 729; ++number) {
    SCOPED_TRACE(number);
    const workload::Demand demand = numbered_demand(3, number, 3);
    ASSERT_NEAR(provision_max_min(switches(3, 4), demand).rate,
                best_rate(circuit_model(switches(3, 4), demand), demand), 1e-6);
    for (const int directions : {1, 2}) {
      const fabric::RingLimits limits = ring(3, directions, 3);
      ASSERT_NEAR(max_min_bound(limits, demand), best_rate(circuit_model(limits, demand), demand),
                  1e-6);
    }
  }
}

TEST(CbcCircuits, OnFourDevicesAllRatesAreOptimal) {
  for (int number = 1; number < 4096; ++number) {
    SCOPED_TRACE(number);
    const workload::Demand demand = numbered_demand(4, number, 2);
    const bool first = first_of_its_rotations(demand, 4);
    for (const int wavelengths : {1, 2, 3}) {
      for (const int directions : {1, 2}) {
        const fabric::RingLimits limits = ring(4, directions, wavelengths);
        ASSERT_EQ(max_min_bound(limits, demand), max_min_bound(limits, rotated(demand, 4, 1)));
        ASSERT_EQ(first ? difference(limits, demand) : "", "");
      }
    }
    ASSERT_EQ(first ? difference(switches(4, 3), demand) : "", "");
  }
}

workload::Demand random_demand(Random& random, int devices) {
  const unsigned percent = 10 + random(60);
  const unsigned max = random(2) == 0 ? 5 : 1000;
  return fabric::random_demand(random, devices, percent, max);
}

TEST(CbcCircuits, OnSwitchesRatesOfRandomDemandsAreOptimal) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const int devices = 3 + static_cast<int>(random(14));
    const workload::Demand demand = random_demand(random, devices);
    ASSERT_EQ(difference(switches(devices, 2 + static_cast<int>(random(20))), demand), "");
  }
}

TEST(CbcCircuits, OnRingsRatesOfRandomDemandsAreOptimal) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed, 1);
    const int devices = 3 + static_cast<int>(random(14));
    fabric::RingLimits limits =
        ring(devices, seed % 4 == 0 ? 1 : 2, 1 + static_cast<int>(random(40)));
    limits.reach =
        random(3) == 0 ? 1 + static_cast<int>(random(static_cast<unsigned>(devices))) : 0;
    limits.reuse = random(6) != 0;
    ASSERT_EQ(difference(limits, random_demand(random, devices)), "");
  }
}

}  // namespace
}  // namespace loom
