// The coarse engine against the fluid one: given strategies of many jobs on every kind of fabric.
//
// docs/validation.md has the numbers printed here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "loom/base/parallel.h"
#include "loom/run/run.h"

namespace loom {
namespace {

struct MatrixJob {
  std::string name;
  std::string workload;  // the batch is given per device
};

std::vector<MatrixJob> matrix_jobs() {
  const std::string llama = "model: llama3-8b, batch_per_device: 1, sequence: 2048, ";
  const std::string mixtral = "model: mixtral-8x7b, batch_per_device: 1, sequence: 1024, ";
  return {
      {"llama, TP4 PP4", llama + "tensor: 4, pipeline: 4, micro_batch: 1"},
      {"llama, PP8", llama + "tensor: 1, pipeline: 8, micro_batch: 1, interleave: 2"},
      {"llama, TP8, all-reduce", llama + "tensor: 8, pipeline: 1, micro_batch: 1, zero: 0, "
                                         "sequence_parallel: false"},
      {"llama, CP4", llama + "tensor: 2, pipeline: 1, context: 4, micro_batch: 1"},
      {"llama, ZeRO-2", llama + "tensor: 1, pipeline: 1, micro_batch: 1, zero: 2"},
      {"llama, ZeRO-3", llama + "tensor: 1, pipeline: 1, micro_batch: 1, zero: 3"},
      {"mixtral, TP2 PP4 EP2", mixtral + "tensor: 2, pipeline: 4, expert: 2, micro_batch: 1"},
      {"mixtral, TP2 EP8", mixtral + "tensor: 2, pipeline: 1, expert: 8, micro_batch: 1"},
      {"gpt2, PP2",
       "model: gpt2-1.5b, batch_per_device: 2, tensor: 2, pipeline: 2, micro_batch: 1"},
      {"bert, DP",
       "model: bert-large, batch_per_device: 4, tensor: 1, pipeline: 1, micro_batch: 4"},
      {"transformer, TP2",
       "model: transformer-big, batch_per_device: 4, tensor: 2, pipeline: 1, micro_batch: 2"},
      {"resnet, DP, no ZeRO",
       "model: resnet-50, batch_per_device: 16, tensor: 1, pipeline: 1, micro_batch: 16, zero: 0"},
      {"vgg, DP", "model: vgg-16, batch_per_device: 8, tensor: 1, pipeline: 1, micro_batch: 8"},
      {"vgg, operators", "model: vgg-16, batch_per_device: 8, partition: operators, group: 8"},
      {"dlrm, DP", "model: dlrm, batch_per_device: 64, tensor: 1, pipeline: 1, micro_batch: 64"},
  };
}

struct MatrixFabric {
  std::string name;
  std::string text;
};

std::vector<MatrixFabric> matrix_fabrics(int devices, int gbps) {
  const std::string links = fmt::format("bandwidth: {} Gbps, latency: 500 ns", gbps);
  const std::string servers = links +
                              ", gpus_per_server: 8, inside_bandwidth: 2400 Gbps, "
                              "inside_latency: 3 us";
  const bool large = devices == 64;
  return {
      {"switch", "kind: switch, " + links},
      {"cluster", "kind: cluster, " + servers},
      {"rail", "kind: rail, " + servers},
      {"fat_tree", "kind: fat_tree, radix: 8, " + links},
      {"fat_tree 4:1", "kind: fat_tree, radix: 8, oversubscription: 4, " + links},
      {"fat_tree ecmp", "kind: fat_tree, radix: 8, routing: ecmp, " + links},
      {"leaf_spine 2:1",
       "kind: leaf_spine, gpus_per_leaf: 8, spines: 4, oversubscription: 2, " + links},
      {"full_mesh", fmt::format("kind: full_mesh, egress: {} Gbps, latency: 500 ns", gbps)},
      {"torus", fmt::format("kind: torus, shape: {}, ", large ? "4x4x4" : "4x4") + links},
      {"torus split",
       fmt::format("kind: torus, shape: {}, routing: split, ", large ? "8x8" : "4x4") + links},
      {"dragonfly",
       "kind: dragonfly, routers_per_group: 4, gpus_per_router: 2, global_links_per_router: 2, " +
           links},
      {"random_regular", "kind: random_regular, degree: 4, gpus_per_switch: 2, " + links},
      {"tpu_torus", fmt::format("kind: tpu_torus, shape: {}, ", large ? "4x4x4" : "2x2x4") + links},
      {"oddl", "kind: oddl, " + links},
      {"rotornet", "kind: rotornet, switches: 4, " + links},
      {"opera", "kind: opera, switches: 4, routing: expander, " + links},
      {"sirius", "kind: sirius, grating: 8, " + links},
      {"shoal", "kind: shoal, " + links},
      {"sip_ocs", "kind: sip_ocs, switches: 8, " + links},
      {"sip_ring", "kind: sip_ring, reach: 16, " + links},
      {"topoopt", "kind: topoopt, degree: 8, " + links},
      {"mordia", "kind: mordia, " + links},
      {"megaswitch", "kind: megaswitch, " + links},
      {"quartz", "kind: quartz, fibers: 4, " + links},
      {"helios", "kind: helios, " + links},
  };
}

struct MatrixCell {
  std::string name;
  Duration coarse{0};
  Duration fluid{0};

  bool compared() const { return coarse.count() > 0 && fluid.count() > 0; }
  double error() const { return seconds(coarse) / seconds(fluid) - 1; }
};

Duration time_by(const std::string& engine, const MatrixJob& job, const MatrixFabric& fabric,
                 int devices) {
  const std::string text = fmt::format(
      "workload: {{{}, iterations: 2}}\ngpus: {}\naccelerator: {{base: a100, memory: 4 TB}}\n"
      "engine: {}\nmax_messages: 20000000\nfabric: {{{}}}\n",
      job.workload, devices, engine, fabric.text);
  const run::Report report = run::run(
      scenario::read_scenarios(parse_yaml(text, job.name + " on " + fabric.name), {}).front());
  return report.infeasible || report.outcome.deadlock ? Duration(0) : report.time();
}

void expect_coarse_near_fluid(int devices, int gbps) {
  std::vector<std::pair<MatrixJob, MatrixFabric>> pairs;
  for (const MatrixFabric& fabric : matrix_fabrics(devices, gbps)) {
    for (const MatrixJob& job : matrix_jobs()) pairs.emplace_back(job, fabric);
  }
  std::vector<MatrixCell> cells(pairs.size());
  for_each_index(pairs.size(), 0, [&](std::size_t i) {
    const auto& [job, fabric] = pairs[i];
    cells[i] = {job.name + " on " + fabric.name, time_by("coarse", job, fabric, devices),
                time_by("fluid", job, fabric, devices)};
  });
  const auto all = cells.size();
  std::erase_if(cells, [](const MatrixCell& it) { return !it.compared(); });
  std::sort(cells.begin(), cells.end(), [](const MatrixCell& a, const MatrixCell& b) {
    return std::abs(a.error()) > std::abs(b.error());
  });
  const auto off = [&](double by) {
    return std::count_if(cells.begin(), cells.end(),
                         [&](const MatrixCell& it) { return std::abs(it.error()) > by; });
  };
  fmt::print("{} devices, {} Gbps: {} of {} cells feasible, {} off by more than 5 %, {} by 15 %\n",
             devices, gbps, cells.size(), all, off(0.05), off(0.15));
  for (std::size_t i = 0; i < std::min<std::size_t>(12, cells.size()); ++i) {
    fmt::print("  {:+6.1f} %  {}\n", 100 * cells[i].error(), cells[i].name);
  }
  EXPECT_GT(cells.size(), all * 3 / 4);
  EXPECT_LE(off(0.05), static_cast<std::ptrdiff_t>(cells.size() / 20));
  // The coarse engine counts the groups of a collective as one where their links differ (expanders,
  // circuits).
  EXPECT_LE(off(0.15), 2);
  EXPECT_EQ(off(0.22), 0);
}

TEST(Matrix, TheCoarseEngineIsNearTheFluidOneOnSixteenDevices) {
  expect_coarse_near_fluid(16, 400);
}

TEST(Matrix, TheCoarseEngineIsNearTheFluidOneOnSlowLinks) { expect_coarse_near_fluid(16, 100); }

TEST(Matrix, TheCoarseEngineIsNearTheFluidOneOnSixtyFourDevices) {
  expect_coarse_near_fluid(64, 400);
}

}  // namespace
}  // namespace loom
