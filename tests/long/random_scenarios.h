// Random training jobs and fabrics as texts of a scenario, for properties of complete runs.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "loom/base/random.h"
#include "loom/run/run.h"

namespace loom {

struct RandomTraining {
  int gpus = 8;
  std::string workload;
};

// A small job whose computation and communication take about equally long.
inline RandomTraining random_training(Random& random) {
  constexpr std::array kDevices = {4, 8, 16};
  RandomTraining it;
  it.gpus = kDevices[random(3)];
  const int batch = it.gpus * (1 << random(4));
  std::string model;
  switch (random(6)) {
    case 0:
    case 1:
      model = fmt::format(
          "model: transformer, layers: {}, hidden: {}, heads: 8, vocabulary: 8000, sequence: {}{}",
          4 << random(2), 256 << random(4), 128 << random(4),
          random(2) == 0 ? "" : ", attention: fused");
      break;
    case 2:
      model = fmt::format(
          "model: transformer, layers: 4, hidden: {}, heads: 8, vocabulary: 8000, sequence: 256, "
          "experts: 4, chosen_experts: 2",
          256 << random(3));
      break;
    case 3:
      model = "model: mlp, inputs: 1024, widths: 4096x4096x8192x1024";
      break;
    case 4:
      model = fmt::format("model: resnet-50, image: {}", 64 << random(2));
      break;
    default:
      model = "model: dlrm";
  }
  it.workload = fmt::format("{}, batch: {}", model, batch);
  return it;
}

// A fabric at a given bandwidth of one device into the network.
struct RandomFabric {
  std::string name;
  std::string text;  // with {0} for the bandwidth of a link, {1} for oversubscription
  int links = 1;     // links of a device with that bandwidth
};

inline std::vector<RandomFabric> packet_fabrics(int devices) {
  const std::string links = "bandwidth: {0} Gbps, latency: 500 ns";
  const std::string grid = devices == 4 ? "2x2" : devices == 8 ? "2x4" : "4x4";
  return {
      {"switch", "kind: switch, " + links},
      {"fat_tree", "kind: fat_tree, radix: 8, oversubscription: {1}, " + links},
      {"leaf_spine",
       "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, oversubscription: {1}, " + links},
      {"torus", "kind: torus, shape: " + grid + ", " + links, 4},
      {"full_mesh", "kind: full_mesh, egress: {0} Gbps, latency: 500 ns"},
      {"random_regular", "kind: random_regular, degree: 3, gpus_per_switch: 1, " + links},
      {"dragonfly",
       "kind: dragonfly, routers_per_group: 2, gpus_per_router: 2, global_links_per_router: 2, " +
           links},
      {"oddl", "kind: oddl, " + links},
      {"sirius", "kind: sirius, grating: 4, " + links},
  };
}

inline std::vector<RandomFabric> circuit_fabrics() {
  const std::string links = "bandwidth: {0} Gbps, latency: 500 ns";
  return {
      {"sip_ocs", "kind: sip_ocs, switches: 8, " + links},
      {"sip_ring", "kind: sip_ring, reach: 8, " + links},
      {"topoopt", "kind: topoopt, degree: 4, " + links},
      {"mordia", "kind: mordia, " + links},
      {"megaswitch", "kind: megaswitch, " + links},
      {"helios", "kind: helios, " + links},
  };
}

// Fabrics on which the signs are not tested: devices have links of several kinds, or a bandwidth
// that depends on the schedule of their switches.
inline std::vector<RandomFabric> other_fabrics(int devices) {
  const std::string links = "bandwidth: {0} Gbps, latency: 500 ns";
  const std::string servers = links +
                              ", gpus_per_server: 4, inside_bandwidth: 2400 Gbps, inside_latency: "
                              "3 us";
  const std::string shape = devices == 4 ? "1x2x2" : devices == 8 ? "2x2x2" : "2x2x4";
  return {
      {"cluster", "kind: cluster, " + servers},
      {"rail", "kind: rail, " + servers},
      {"rotornet", "kind: rotornet, switches: 2, " + links},
      {"opera", "kind: opera, switches: 4, routing: expander, " + links},
      {"shoal", "kind: shoal, " + links},
      {"quartz", "kind: quartz, fibers: 4, " + links},
      {"tpu_torus", "kind: tpu_torus, shape: " + shape + ", " + links},
  };
}

inline std::vector<RandomFabric> random_fabrics(int devices) {
  std::vector<RandomFabric> all = packet_fabrics(devices);
  for (RandomFabric& it : circuit_fabrics()) all.push_back(std::move(it));
  for (RandomFabric& it : other_fabrics(devices)) all.push_back(std::move(it));
  return all;
}

inline std::string fabric_text(const RandomFabric& fabric, int bandwidth,
                               double oversubscription = 1) {
  return fmt::format(fmt::runtime(fabric.text), bandwidth, oversubscription);
}

inline std::string scenario_text(const RandomTraining& job, const std::string& fabric,
                                 const std::string& more = "") {
  return fmt::format("workload: {{{}{}}}\ngpus: {}\naccelerator: a100\nfabric: {{{}}}\n",
                     job.workload, more, job.gpus, fabric);
}

// The report of a scenario; nothing if the job is infeasible.
inline std::optional<run::Report> report_of(const std::string& text) {
  run::RunOptions options;
  options.threads = 1;
  run::Report report =
      run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front(), options);
  if (report.infeasible) return std::nullopt;
  EXPECT_FALSE(report.outcome.deadlock.has_value()) << text;
  return report;
}

}  // namespace loom
