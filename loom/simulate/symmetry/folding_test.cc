// Symmetry reduction gives the same outcome as simulating every device: random workloads on random
// fabrics, symmetric and nearly so.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "loom/base/random.h"
#include "loom/simulate/symmetry/symmetry.h"
#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

int below(Random& random, int bound) {
  return static_cast<int>(random(static_cast<std::uint32_t>(bound)));
}

struct Case {
  std::string fabric;
  workload::Workload workload;
  fabric::Network network;
  std::vector<LinkChange> changes;
  transport::Sharing sharing = transport::Sharing::fair;
};

// Devices form a grid and are numbered x + X·(y + Y·z).
struct Box {
  int x = 1;
  int y = 1;
  int z = 1;
  int devices() const { return x * y * z; }
};

// The groups of devices that differ only in these coordinates; `stage` is one value of z, or -1.
workload::Groups groups_of(const Box& box, bool over_x, bool over_y, int stage) {
  workload::Groups groups;
  groups.size = (over_x ? box.x : 1) * (over_y ? box.y : 1);
  for (int z = 0; z < box.z; ++z) {
    if (stage >= 0 && z != stage) continue;
    for (int first = 0; first < box.x * box.y; ++first) {
      if ((over_x && first % box.x != 0) || (over_y && first / box.x != 0)) continue;
      for (int dy = 0; dy < (over_y ? box.y : 1); ++dy) {
        for (int dx = 0; dx < (over_x ? box.x : 1); ++dx) {
          groups.members.push_back(first + dx + box.x * (dy + box.y * z));
        }
      }
    }
  }
  return groups;
}

workload::Groups pairs_of(const Box& box, int from, int to) {
  workload::Groups groups;
  groups.size = 2;
  const int layer = box.x * box.y;
  for (int i = 0; i < layer; ++i) {
    groups.members.push_back(from * layer + i);
    groups.members.push_back(to * layer + i);
  }
  return groups;
}

std::vector<workload::Groups> all_groups(const Box& box) {
  std::vector<workload::Groups> groups;
  for (int stage = box.z > 1 ? 0 : -1; stage < (box.z > 1 ? box.z : 0); ++stage) {
    for (const bool over_x : {false, true}) {
      for (const bool over_y : {false, true}) {
        groups.push_back(groups_of(box, over_x, over_y, stage));
      }
    }
  }
  for (int z = 0; z + 1 < box.z; ++z) {
    groups.push_back(pairs_of(box, z, z + 1));
    groups.push_back(pairs_of(box, z + 1, z));
  }
  return groups;
}

workload::Collective random_collective(Random& random, int ranks, bool pair) {
  constexpr std::array kKinds = {
      workload::CollectiveKind::all_reduce, workload::CollectiveKind::reduce_scatter,
      workload::CollectiveKind::all_gather, workload::CollectiveKind::all_to_all,
      workload::CollectiveKind::broadcast};
  for (;;) {
    workload::Collective it;
    it.kind = pair ? workload::CollectiveKind::point_to_point : kKinds[random(kKinds.size())];
    const std::vector<workload::Algorithm> algorithms = algorithms_for(it.kind);
    it.algorithm = algorithms[random(static_cast<std::uint32_t>(algorithms.size()))];
    it.chunks = random(3) == 0 ? 1 + below(random, 3) : 1;
    it.size = {std::int64_t{1 + below(random, 200)} * ranks * 2 * it.chunks};
    if (random(3) == 0) it.size.count += below(random, 1000);  // then blocks differ in size
    if (it.algorithm == workload::Algorithm::hierarchical) it.levels = {2, ranks / 2};
    if (it.algorithm == workload::Algorithm::rings) it.steps = {1, ranks - 1};
    if (!objection(it, ranks)) return it;
  }
}

void add_random_operation(workload::Workload& it, Random& random) {
  workload::Operation op;
  op.groups = below(random, static_cast<int>(it.groups.size()));
  const workload::Groups& groups = it.groups[static_cast<std::size_t>(op.groups)];
  if (groups.size == 1 || random(3) == 0) {
    op.kind = workload::OperationKind::compute;
    op.time = Duration(below(random, 4) * 100'000);
  } else {
    op.kind = workload::OperationKind::collective;
    op.collective = static_cast<int>(it.collectives.size());
    op.weight = 1 + below(random, 3);
    it.collectives.push_back(random_collective(random, groups.size, false));
    if (groups.size == 2 && random(2) == 0) {
      it.collectives.back() = random_collective(random, 2, true);
    }
  }
  if (random(8) == 0) op.start = Duration(1 + below(random, 1'000'000));
  op.first_after = static_cast<std::uint32_t>(it.after.size());
  const int before = static_cast<int>(it.operations.size());
  std::set<std::uint32_t> after;
  for (int i = below(random, 3); i > 0 && before > 0; --i) {
    after.insert(static_cast<std::uint32_t>(before - 1 - below(random, std::min(before, 5))));
  }
  it.after.insert(it.after.end(), after.begin(), after.end());
  op.after_count = static_cast<std::uint32_t>(after.size());
  it.operations.push_back(op);
}

std::string random_fabric(Random& random, const Box& box) {
  const int bandwidth = 1 + below(random, 9);
  const std::string links =
      fmt::format("bandwidth: {} Gbps, latency: {} ns", bandwidth, random(3) == 0 ? 0 : 100);
  const std::string servers = fmt::format(
      "{}, gpus_per_server: {}, inside_bandwidth: {} Gbps, inside_latency: 30 ns", links, box.x,
      random(2) == 0 ? bandwidth : 30);  // with `bandwidth`, routes differ in latency only
  switch (below(random, 9)) {
    case 0:
      return "kind: switch, " + links;
    case 1:
      return "kind: cluster, " + servers;
    case 2:
      return "kind: rail, " + servers;
    case 3:
      return fmt::format("kind: leaf_spine, gpus_per_leaf: {}, spines: 2, oversubscription: 3, {}",
                         box.x, links);
    case 4:
      return fmt::format("kind: fat_tree, radix: 8, oversubscription: 2, {}", links);
    case 5:
      return fmt::format("kind: fat_tree, radix: 8, routing: shortest, {}", links);
    case 6:
      return "kind: full_mesh, " + links;
    case 7:
      return fmt::format("kind: torus, shape: {}x{}x{}, routing: split, {}", box.x, box.y, box.z,
                         links);
    default:
      return fmt::format("kind: torus, shape: {}x{}x{}, {}", box.x, box.y, box.z, links);
  }
}

// The groups of a random operation.
workload::Groups& some_groups(workload::Workload& workload, Random& random) {
  const auto& operations = workload.operations;
  const auto some = random(static_cast<std::uint32_t>(operations.size()));
  return workload.groups[static_cast<std::size_t>(operations[some].groups)];
}

// Makes one link slower, from the start or later; removes a group; or reorders ranks.
void disturb(Case& it, Random& random) {
  const int link = below(random, static_cast<int>(it.network.links.size()));
  Bandwidth& bandwidth = it.network.links[static_cast<std::size_t>(link)].bandwidth;
  switch (below(random, 6)) {
    case 0:
      bandwidth.bits_per_second /= 2;
      break;
    case 1:
      it.changes.push_back(change(500_ns, link, {bandwidth.bits_per_second / 3}));
      it.changes.push_back(change(900_ns, link, bandwidth));
      break;
    case 2: {  // remove a device, or a group of them
      workload::Groups& groups = some_groups(it.workload, random);
      if (groups.count() > 1) groups.members.resize(groups.members.size() - groups.size);
      break;
    }
    case 3: {
      workload::Groups& groups = some_groups(it.workload, random);
      std::swap(groups.members.front(), groups.members.back());
      break;
    }
    default:
      break;  // leave the case as it is
  }
}

Case random_case(std::uint64_t seed) {
  Random random = random_stream(seed, 77);
  Case it;
  const Box box{2 + below(random, 3), 1 + below(random, 4), 1 + below(random, 3)};
  it.workload.devices = box.devices();
  it.fabric = random_fabric(random, box);
  it.network = fabric::fabric_of(it.fabric, box.devices());
  it.workload.groups = all_groups(box);
  for (int o = 2 + below(random, 9); o > 0; --o) add_random_operation(it.workload, random);
  it.sharing = random(3) == 0 ? transport::Sharing::weighted : transport::Sharing::fair;
  disturb(it, random);
  return it;
}

Outcome outcome_of(const Case& it, bool folding) {
  EngineOptions options;
  options.sharing = it.sharing;
  options.verify = true;
  options.folding = folding;
  return simulate_fluid(it.workload, it.network, it.changes, options);
}

TEST(Folding, GivesTheOutcomeOfSimulatingEveryDevice) {
  constexpr int kCases = 2100;
  int folded = 0;
  for (int seed = 1; seed <= kCases; ++seed) {
    const Case it = random_case(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(fmt::format("seed {}, {} devices, {}\n{}", seed, it.workload.devices, it.fabric,
                             to_text(it.workload)));
    const Outcome once = outcome_of(it, true);
    const Outcome each = outcome_of(it, false);
    EXPECT_EQ(once.completion_time, each.completion_time);
    EXPECT_EQ(once.operation_end, each.operation_end);
    EXPECT_EQ(once.link_bytes, each.link_bytes);
    EXPECT_EQ(once.messages, each.messages);
    EXPECT_EQ(once.bytes, each.bytes);
    EXPECT_EQ(once.deadlock.has_value(), each.deadlock.has_value());
    if (HasFailure()) break;
    if (find_symmetry(it.workload, it.network, it.changes)) ++folded;
  }
  fmt::print("{} of {} cases can be folded\n", folded, kCases);
  EXPECT_GT(folded, 900);
}

}  // namespace
}  // namespace loom::simulate
