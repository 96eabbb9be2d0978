// Random training jobs on circuit fabrics, and the best plan over all circuits of a small fabric,
// for properties of complete plans.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loom/base/random.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/testing.h"
#include "loom/run/run.h"
#include "loom/run/steady_run.h"

namespace loom {

// A job whose computation and communication take about equally long on some bandwidth from 25 to
// 400 Gbps per device.
inline std::string random_circuit_job(Random& random, int gpus) {
  const int batch = gpus * (1 << random(4));
  switch (random(5)) {
    case 0:
      return fmt::format(
          "model: recommender, tables: {}, rows: 100000, dimension: 64, lookups: 8, "
          "dense_features: 64, bottom: 512x64, top: 512x256, batch: {}",
          gpus * (1 + random(3)), 32 * batch);
    case 1:
      return fmt::format("model: mlp, inputs: 1024, widths: 2048x4096x1024, batch: {}", 8 * batch);
    case 2:
      return fmt::format(
          "model: transformer, layers: 4, hidden: 512, heads: 8, vocabulary: 8000, sequence: 256, "
          "experts: 4, chosen_experts: 2, batch: {}",
          batch);
    default:
      return fmt::format(
          "model: transformer, layers: {}, hidden: {}, heads: 8, vocabulary: 8000, sequence: {}, "
          "batch: {}",
          4 << random(2), 256 << random(3), 128 << random(3), batch);
  }
}

inline scenario::Scenario circuit_scenario(const std::string& job, int gpus,
                                           const std::string& fabric) {
  const std::string text = fmt::format(
      "workload: {{{}}}\ngpus: {}\naccelerator: a100\nfabric: {{{}}}\n", job, gpus, fabric);
  return scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front();
}

// A plan of a job and its iteration time by the fluid engine.
struct CircuitPlan {
  Duration time = kForever;
  double variation = 0;  // of the iterations
  std::string strategy;
};

// The plan of the scenario; kForever if there is none.
inline CircuitPlan planned(const scenario::Scenario& scenario) {
  run::RunOptions options;
  options.threads = 1;
  const run::Report report = run::run(scenario, options);
  const auto* job = report.trained();
  if (job == nullptr) return {};
  EXPECT_EQ(report.engine, scenario::Engine::fluid);
  return {report.time(), job->iteration_variation, strategy_text(*job)};
}

// The plan of a job on given links, in place of the fabric.
inline CircuitPlan planned_on(const scenario::Scenario& scenario, const run::Inputs& inputs,
                              fabric::Network network) {
  plan::SearchOptions options;
  options.threads = 1;
  run::PlanOrNot plan =
      run::plan(scenario, inputs, run::Fabric{std::move(network), {}}, {}, options);
  if (!std::holds_alternative<run::Plan>(plan)) return {};
  const run::SteadyRun run =
      simulate_until_steady(scenario, std::move(std::get<run::Plan>(plan)), {}, {});
  if (run.simulated.outcome.deadlock) return {};
  const auto& training = *run.plan.as<run::TrainingPlan>();
  const run::IterationTime time =
      run::iteration_time(training.lowered, run.simulated.outcome.operation_end);
  return {time.time, time.variation, to_text(training.search.ranking.front().strategy)};
}

// All ways to connect the devices by one switch that cannot be extended by another circuit.
inline std::vector<std::vector<int>> full_matchings(int devices) {
  std::vector<int> to(static_cast<std::size_t>(devices));
  std::iota(to.begin(), to.end(), 0);
  std::vector<std::vector<int>> found;
  do {
    int idle = 0;
    for (int i = 0; i < devices; ++i) idle += to[static_cast<std::size_t>(i)] == i ? 1 : 0;
    if (idle < 2) found.push_back(to);  // two idle devices could be connected
  } while (std::next_permutation(to.begin(), to.end()));
  return found;
}

inline bool strongly_connected(int devices, const std::vector<fabric::PairCircuits>& pairs) {
  for (const bool backward : {false, true}) {
    std::set<int> seen = {0};
    for (std::size_t before = 0; before != seen.size();) {
      before = seen.size();
      for (const fabric::PairCircuits& it : pairs) {
        if (seen.contains(backward ? it.to : it.from)) seen.insert(backward ? it.from : it.to);
      }
    }
    if (static_cast<int>(seen.size()) < devices) return false;
  }
  return true;
}

// Calls use(pairs) for all circuits of `ports` switches that connect all devices, up to circuits
// that could be added.
template <class Use>
void for_all_circuits(int devices, int ports, const Use& use) {
  const std::vector<std::vector<int>> matchings = full_matchings(devices);
  std::set<std::vector<fabric::PairCircuits>> seen;
  std::vector<std::size_t> chosen(static_cast<std::size_t>(ports), 0);
  while (true) {
    fabric::Circuits circuits;
    for (int plane = 0; plane < ports; ++plane) {
      for (int from = 0; from < devices; ++from) {
        const int to =
            matchings[chosen[static_cast<std::size_t>(plane)]][static_cast<std::size_t>(from)];
        if (to != from) circuits.push_back({.from = from, .to = to, .plane = plane});
      }
    }
    std::vector<fabric::PairCircuits> pairs = by_pair(circuits);
    if (strongly_connected(devices, pairs) && seen.insert(pairs).second) use(pairs);
    std::size_t plane = 0;  // counts up, in ascending order of planes
    while (plane < chosen.size() && ++chosen[plane] == matchings.size()) ++plane;
    if (plane == chosen.size()) return;
    std::fill_n(chosen.begin(), plane, chosen[plane]);
  }
}

// The best plan over all circuits of a fabric of switches: every strategy is searched on each.
inline CircuitPlan best_over_all_circuits(const scenario::Scenario& scenario, int ports) {
  const run::Inputs inputs = run::read_inputs(scenario, {});
  const fabric::CircuitFabric fabric =
      fabric::build_circuits(scenario.fabric, {inputs.devices, scenario.seed()});
  CircuitPlan best;
  for_all_circuits(inputs.devices, ports, [&](const std::vector<fabric::PairCircuits>& pairs) {
    CircuitPlan one = planned_on(scenario, inputs, circuit_network(fabric, pairs));
    if (one.time < best.time) best = std::move(one);
  });
  return best;
}

// A random job on a small fabric of switches, and how much longer its plan takes than the best over
// all circuits and strategies.
struct SmallCase {
  std::uint64_t seed = 0;
  int gpus = 4;
  int ports = 2;
  std::string text;
  CircuitPlan found;
  CircuitPlan best;

  double regret() const { return seconds(found.time) / seconds(best.time) - 1; }
};

inline SmallCase small_case(std::uint64_t seed, int gpus, int ports) {
  Random random = random_stream(seed, 37);
  SmallCase it{.seed = seed, .gpus = gpus, .ports = ports, .text = {}, .found = {}, .best = {}};
  const std::string job = random_circuit_job(random, gpus);
  const std::string fabric = fmt::format(
      "kind: sip_ocs, switches: {}, bandwidth: {} Gbps, latency: 1 us", ports, 25 << random(5));
  it.text = fmt::format("{}, {} GPUs, {}", job, gpus, fabric);
  const scenario::Scenario scenario = circuit_scenario(job, gpus, fabric);
  it.found = planned(scenario);
  it.best = best_over_all_circuits(scenario, ports);
  return it;
}

// A random job on a circuit fabric and on one with more of something.
struct GrowingCase {
  std::uint64_t seed = 0;
  std::string job;
  int gpus = 0;
  std::string less;
  std::string more;
  std::string what;
};

inline GrowingCase growing_case(std::uint64_t seed) {
  Random random = random_stream(seed, 41);
  GrowingCase it{
      .seed = seed, .job = {}, .gpus = 4 << random(3), .less = {}, .more = {}, .what = {}};
  it.job = random_circuit_job(random, it.gpus);
  const int ports = 2 + static_cast<int>(random(5));
  const int gbps = 25 << random(3);  // of a circuit
  const auto switches = [&](int count, int rate) {
    return fmt::format(
        "kind: sip_ocs, switches: {}, circuit_bandwidth: {} Gbps, bandwidth: {} Gbps, latency: 1 "
        "us",
        count, rate, count * rate);
  };
  const auto planes = [&](int count, int rate) {
    return fmt::format("kind: topoopt, planes: ocs, degree: {}, bandwidth: {} Gbps, latency: 1 us",
                       count, count * rate);
  };
  const auto ring = [&](int wavelengths, int rate, int reach) {
    return fmt::format(
        "kind: sip_ring, fibers: 1, wavelength_bandwidth: {} Gbps, bandwidth: {} Gbps, reach: {}, "
        "latency: 1 us",
        rate, wavelengths * rate, reach);
  };
  const auto set = [&](const char* what, std::string less, std::string more) {
    it.what = what;
    it.less = std::move(less);
    it.more = std::move(more);
  };
  const int even = 2 * ports;  // wavelengths in two directions
  const int reach = 2 + static_cast<int>(random(6));
  switch (random(8)) {
    case 0:
      set("switches", switches(ports, gbps), switches(ports + 1, gbps));
      break;
    case 1:
      set("bandwidth of switches", switches(ports, gbps), switches(ports, 2 * gbps));
      break;
    case 2:
      set("ports", planes(ports, gbps), planes(ports + 1, gbps));
      break;
    case 3:
      set("bandwidth of ports", planes(ports, gbps), planes(ports, 2 * gbps));
      break;
    case 4:
      set("wavelengths", ring(even, gbps, 0), ring(even + 2, gbps, 0));
      break;
    case 5:
      set("bandwidth of wavelengths", ring(even, gbps, reach), ring(even, 2 * gbps, reach));
      break;
    case 6:
      set("reach", ring(even, gbps, reach), ring(even, gbps, 2 * reach));
      break;
    default: {
      const std::string kind = random(2) == 0 ? "mordia" : "megaswitch";
      const auto of = [&](int rate) {
        return fmt::format("kind: {}, bandwidth: {} Gbps, latency: 1 us", kind, rate);
      };
      set("bandwidth of a broadcast ring", of(4 * gbps), of(8 * gbps));
    }
  }
  return it;
}

// How much longer the plan with more takes than the plan with less, by as much as the iterations of
// either vary at least; nothing if the job is infeasible with less.
inline std::optional<double> slowdown_of_more(const GrowingCase& it) {
  const CircuitPlan less = planned(circuit_scenario(it.job, it.gpus, it.less));
  if (less.time == kForever) return std::nullopt;
  const CircuitPlan more = planned(circuit_scenario(it.job, it.gpus, it.more));
  return seconds(more.time) / seconds(less.time) - 1 - less.variation - more.variation;
}

}  // namespace loom
