#include "loom/simulate/symmetry/patterns.h"

#include <map>
#include <tuple>
#include <utility>

#include "loom/base/random.h"
#include "loom/simulate/symmetry/label_table.h"

namespace loom::simulate {
namespace {

// A label that is equal for channels whose messages have pairwise equal sizes. If block sizes
// differ and a channel has more than one step, the order in which it visits the blocks matters.
std::uint64_t sizes_label(const workload::Phase& phase, int c) {
  const workload::Channel& it = phase.channels[static_cast<std::size_t>(c)];
  const bool walk_counts = it.extent.count % phase.blocks != 0 && it.steps > 1;
  const Int128 bytes =
      phase.blocks == 1 ? Int128{it.extent.count} * it.steps : channel_bytes(phase, c);
  const std::uint64_t label = mix_all(static_cast<std::uint64_t>(bytes), bytes >> 64, it.steps);
  return walk_counts ? mix_all(label, it.extent.count, it.first % phase.blocks, it.count) : label;
}

std::vector<int> same_sizes(const workload::Phase& phase) {
  LabelTable table;
  std::vector<int> sizes;
  sizes.reserve(phase.channels.size());
  for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
    sizes.push_back(table.number(sizes_label(phase, c)));
  }
  return sizes;
}

std::uint64_t shape_label(const workload::Phase& phase, const std::vector<int>& sizes) {
  std::uint64_t label = phase.channels.size();
  for (std::size_t c = 0; c < phase.channels.size(); ++c) {
    label = mix_all(label, phase.channels[c].source, phase.channels[c].destination, sizes[c]);
    for (const workload::Wait& wait : phase.waits_of(static_cast<int>(c))) {
      label = mix_all(label, wait.channel, wait.lag);
    }
  }
  return label;
}

class Listing {
 public:
  Listing(const workload::Workload& workload, std::span<const int> set_of)
      : workload_(workload), set_of_(set_of) {
    out_.schedules.resize(workload.collectives.size());
    exchanges_.resize(workload.collectives.size(), false);
  }

  Patterns run() {
    std::map<std::tuple<int, int, int>, int> known;
    for (std::size_t o = 0; o < workload_.operations.size(); ++o) {
      const workload::Operation& it = workload_.operations[o];
      out_.pattern_of.push_back(-1);
      if (it.kind != workload::OperationKind::collective) continue;
      const int set = set_of_.empty() ? -1 : set_of_[o];
      const auto [at, first] = known.try_emplace({it.groups, it.collective, set},
                                                 static_cast<int>(out_.patterns.size()));
      out_.pattern_of.back() = at->second;
      if (first) add_pattern(it.groups, it.collective, set);
    }
    return std::move(out_);
  }

 private:
  void add_pattern(int groups, int collective, int set) {
    const auto c = static_cast<std::size_t>(collective);
    const int ranks = workload_.groups[static_cast<std::size_t>(groups)].size;
    if (out_.schedules[c].ranks == 0) {
      auto exchange = even_exchange(workload_.collectives[c], ranks);
      exchanges_[c] = exchange.has_value();
      out_.schedules[c] =
          exchange ? std::move(*exchange) : schedule(workload_.collectives[c], ranks);
    }
    Pattern& made = out_.patterns.emplace_back();
    made.groups = groups;
    made.collective = collective;
    made.set = set;
    for (const workload::Phase& phase : out_.schedules[c].phases) {
      made.shapes.push_back(shape_of(made, ranks, exchanges_[c], phase));
    }
  }

  int shape_of(const Pattern& of, int ranks, bool exchange, const workload::Phase& phase) {
    std::vector<int> sizes = same_sizes(phase);
    const std::uint64_t label = exchange ? 0 : shape_label(phase, sizes);
    const auto [at, first] =
        known_shapes_.try_emplace({of.groups, of.set, label}, static_cast<int>(out_.shapes.size()));
    if (first) {
      out_.shapes.push_back({of.groups, of.set, ranks, exchange, phase, std::move(sizes)});
    }
    return at->second;
  }

  const workload::Workload& workload_;
  std::span<const int> set_of_;
  Patterns out_;
  std::vector<bool> exchanges_;  // by collective
  std::map<std::tuple<int, int, std::uint64_t>, int> known_shapes_;
};

}  // namespace

std::int64_t PhaseShape::channels() const {
  return exchange ? std::int64_t{ranks} * (ranks - 1)
                  : static_cast<std::int64_t>(phase.channels.size());
}

Patterns patterns_of(const workload::Workload& workload, std::span<const int> set_of) {
  return Listing(workload, set_of).run();
}

}  // namespace loom::simulate
