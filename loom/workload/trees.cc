// Double binary tree (Sanders, Speck, Träff: Two-tree algorithms for full bandwidth broadcast,
// reduction and scan, Parallel Computing 2009; in NCCL since 2.4).
//
// In a binary tree that is numbered in order, odd nodes are leaves and even nodes are not. In a
// second tree the ranks are shifted by one, or mirrored if their number is even, so that nearly
// every leaf of the first tree is an inner node of the second. Each tree carries half of the
// buffer, so nearly all ranks send and receive the same amount; chunks are pipelined through the
// trees.
#include <vector>

#include "loom/workload/phases.h"

namespace loom::workload {
namespace {

constexpr int kNone = -1;

// The parent of a node. Nodes 1 … nodes-1 form an in-order tree, and node 0 is the parent of its
// root. The lowest set bit of a parent is one position higher than that of its child; if no such
// node exists, the parent is the child without its lowest set bit.
int parent_node(int node, int nodes) {
  if (node == 0) return kNone;
  const int lowest = node & -node;
  const int above = (node - lowest) | (lowest << 1);
  return above < nodes ? above : node - lowest;
}

// The rank at each node.
using Seats = std::vector<int>;

Seats in_order_seats(int ranks) {
  Seats seats;
  for (int node = 0; node < ranks; ++node) seats.push_back(node);
  return seats;
}

// The second tree: ranks first … ranks-1 change their seats, ranks before `first` keep them.
Seats twin_seats(int ranks, int first) {
  Seats seats = in_order_seats(ranks);
  const int moved = ranks - first;
  for (int i = 0; i < moved; ++i) {
    const int other = moved % 2 == 0 ? moved - 1 - i : (i + 1) % moved;
    *(seats.begin() + first + i) = first + other;
  }
  return seats;
}

struct BinaryTree {
  int root = 0;
  std::vector<int> parent;                 // per rank; kNone for the root
  std::vector<std::vector<int>> children;  // by rank
};

BinaryTree tree_of(const Seats& seats) {
  const int ranks = static_cast<int>(seats.size());
  BinaryTree tree{seats[0], std::vector<int>(seats.size(), kNone),
                  std::vector<std::vector<int>>(seats.size())};
  for (int node = 1; node < ranks; ++node) {
    const int rank = seats[static_cast<std::size_t>(node)];
    const int above = seats[static_cast<std::size_t>(parent_node(node, ranks))];
    tree.parent[static_cast<std::size_t>(rank)] = above;
    tree.children[static_cast<std::size_t>(above)].push_back(rank);
  }
  return tree;
}

// The channel between a rank and its parent. Every rank except the root has one; the channels are
// numbered from `base` in rank order.
int channel_of(const BinaryTree& tree, int rank, int base) {
  return base + rank - (rank > tree.root ? 1 : 0);
}

std::vector<Wait> wait_for_children(const BinaryTree& tree, int rank, int base) {
  std::vector<Wait> waits;
  for (const int child : tree.children[static_cast<std::size_t>(rank)]) {
    waits.push_back({channel_of(tree, child, base), 0});
  }
  return waits;
}

// Adds the channels from every rank to its parent: a rank sends a chunk when the chunks of its
// children have arrived.
void add_reduction(Phase& phase, const BinaryTree& tree, const Range& range) {
  const int base = static_cast<int>(phase.channels.size());
  for (int rank = 0; rank < static_cast<int>(tree.parent.size()); ++rank) {
    if (rank == tree.root) continue;
    add_channel(phase,
                {.source = rank,
                 .destination = tree.parent[static_cast<std::size_t>(rank)],
                 .extent = range.extent,
                 .offset = range.offset},
                wait_for_children(tree, rank, base));
  }
}

// Adds the channels from every parent to its children. `root_waits` are the waits of the channels
// that leave the root.
void add_distribution(Phase& phase, const BinaryTree& tree, const Range& range,
                      const std::vector<Wait>& root_waits) {
  const int base = static_cast<int>(phase.channels.size());
  for (int rank = 0; rank < static_cast<int>(tree.parent.size()); ++rank) {
    if (rank == tree.root) continue;
    const int parent = tree.parent[static_cast<std::size_t>(rank)];
    add_channel(
        phase,
        {.source = parent, .destination = rank, .extent = range.extent, .offset = range.offset},
        parent == tree.root ? root_waits : std::vector<Wait>{{channel_of(tree, parent, base), 0}});
  }
}

void add_all_reduce(Phase& phase, const BinaryTree& tree, const Range& range) {
  const int base = static_cast<int>(phase.channels.size());
  add_reduction(phase, tree, range);
  add_distribution(phase, tree, range, wait_for_children(tree, tree.root, base));
}

}  // namespace

// In a broadcast, rank 0 is above both trees, as in the paper; in an all_reduce, every rank is in
// both trees, as in NCCL.
std::vector<Phase> double_binary_tree_phases(const Collective& collective, int ranks) {
  const bool broadcast = collective.kind == CollectiveKind::broadcast;
  const BinaryTree trees[] = {tree_of(in_order_seats(ranks)),
                              tree_of(twin_seats(ranks, broadcast ? 1 : 0))};
  const Range whole{{0}, collective.size};
  Phase phase = empty_phase(1, collective.chunks);
  for (int i = 0; i < 2; ++i) {
    const Range half = piece_of(whole, 2, i);
    if (broadcast) {
      add_distribution(phase, trees[i], half, {});
    } else {
      add_all_reduce(phase, trees[i], half);
    }
  }
  return {std::move(phase)};
}

}  // namespace loom::workload
