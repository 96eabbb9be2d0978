#include "loom/foreign/msccl.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <regex>

#include "loom/base/testing.h"

namespace loom::foreign {
namespace {

struct Step {
  std::string type;
  int chunk = 0;
};

struct Block {
  int send = 0;
  int receive = 0;
  int channel = 0;
  std::vector<Step> steps;
  std::size_t done = 0;
};

std::map<int, std::vector<Block>> blocks_of(const std::string& xml) {
  const std::regex tags(R"x(<gpu id="(\d+)"|<tb id="\d+" send="(\d+)" recv="(\d+)" chan="(\d+)">)x"
                        R"x(|type="(\w+)" srcbuf="\w" srcoff="(\d+)")x");
  std::map<int, std::vector<Block>> gpus;
  int gpu = 0;
  for (std::sregex_iterator it(xml.begin(), xml.end(), tags), end; it != end; ++it) {
    const std::smatch& found = *it;
    if (found[1].matched) gpu = std::stoi(found[1]);
    if (found[2].matched) {
      gpus[gpu].push_back({std::stoi(found[2]), std::stoi(found[3]), std::stoi(found[4]), {}, 0});
    }
    if (found[5].matched) gpus[gpu].back().steps.push_back({found[5], std::stoi(found[6])});
  }
  return gpus;
}

using Held = std::map<std::pair<int, int>,
                      std::uint64_t>;  // per GPU and chunk: bit mask of the ranks in the sum

// Runs all thread blocks, a step as soon as its input has arrived, until none can proceed.
void run(std::map<int, std::vector<Block>>& gpus, Held& held) {
  std::map<std::tuple<int, int, int>, std::deque<std::uint64_t>> wires;  // from, to, channel
  for (bool more = true; more;) {
    more = false;
    for (auto& gpu : gpus) {
      for (Block& block : gpu.second) {
        if (block.done == block.steps.size()) continue;
        const Step& step = block.steps[block.done];
        std::uint64_t& own = held[{gpu.first, step.chunk}];
        auto& in = wires[{block.receive, gpu.first, block.channel}];
        const bool receives = step.type[0] == 'r';
        if (receives && in.empty()) continue;
        std::uint64_t value = own;
        if (receives) {
          const bool reduces = step.type.starts_with("rr");
          ASSERT_TRUE(!reduces || (in.front() & own) == 0) << "added twice";
          value = reduces ? in.front() | own : in.front();
          in.pop_front();
        }
        if (step.type != "rrs") own = value;  // a forwarded value is not kept
        if (step.type.ends_with("s")) {
          wires[{gpu.first, block.send, block.channel}].push_back(value);
        }
        ++block.done;
        more = true;
      }
    }
  }
  for (const auto& gpu : gpus) {
    for (const Block& block : gpu.second) EXPECT_EQ(block.done, block.steps.size());
  }
  for (const auto& it : wires) EXPECT_TRUE(it.second.empty());
}

TEST(Msccl, RingsGiveEveryRankTheSumOfAll) {
  for (int ranks = 2; ranks <= 9; ++ranks) {
    workload::Collective rings{.algorithm = workload::Algorithm::rings, .steps = {1, ranks - 1, 1}};
    auto gpus = blocks_of(msccl_xml(rings, ranks));
    ASSERT_EQ(static_cast<int>(gpus.size()), ranks);
    Held held;
    for (int gpu = 0; gpu < ranks; ++gpu) {
      for (int chunk = 0; chunk < 3 * ranks; ++chunk) held[{gpu, chunk}] = 1ULL << gpu;
    }
    run(gpus, held);
    for (const auto& it : held) EXPECT_EQ(it.second, (1ULL << ranks) - 1) << ranks;
  }
}

TEST(Msccl, ReduceScatterAndAllGatherAreHalvesOfAnAllReduce) {
  constexpr int kRanks = 5;
  workload::Collective rings{.algorithm = workload::Algorithm::rings, .steps = {1, 2}};
  rings.kind = workload::CollectiveKind::reduce_scatter;
  auto scatter = blocks_of(msccl_xml(rings, kRanks));
  Held held;
  for (int gpu = 0; gpu < kRanks; ++gpu) {
    for (int chunk = 0; chunk < 2 * kRanks; ++chunk) held[{gpu, chunk}] = 1ULL << gpu;
  }
  run(scatter, held);
  for (int chunk = 0; chunk < 2 * kRanks; ++chunk) {
    EXPECT_EQ((held[{chunk / 2, chunk}]), (1ULL << kRanks) - 1);
  }
  rings.kind = workload::CollectiveKind::all_gather;
  auto gather = blocks_of(msccl_xml(rings, kRanks));
  run(gather, held);
  for (const auto& it : held) EXPECT_EQ(it.second, (1ULL << kRanks) - 1);
}

TEST(Msccl, OnlyRingsAreSupported) {
  EXPECT_EQ(why(msccl_objection({.algorithm = workload::Algorithm::direct}, 4)),
            "all_reduce by direct over 4 ranks; all_reduce, reduce_scatter or all_gather over "
            "rings of two or more is needed");
  EXPECT_EQ(why(msccl_objection({.algorithm = workload::Algorithm::bidirectional_ring}, 4)),
            "no objection");
}

}  // namespace
}  // namespace loom::foreign
