#include "loom/plan/topoopt/mcmc_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "loom/base/random.h"

namespace loom::plan {
namespace {

// Reports the progress of all chains together.
class Pace {
 public:
  Pace(const McmcOptions& options, int round) : options_(options), round_(round) {}

  void proposed() {
    const int done = ++done_;
    constexpr int kTold = 64;  // number of proposals between two reports
    if (options_.progress && done % kTold == 0) {
      const std::lock_guard lock(mutex_);
      options_.progress((round_ + static_cast<double>(done) / options_.proposals) /
                        options_.rounds);
    }
  }

 private:
  const McmcOptions& options_;
  int round_ = 0;
  std::atomic<int> done_{0};
  std::mutex mutex_;
};

// Per operator: the operators without parameters whose only input is this operator, and
// recursively their followers.
std::vector<std::vector<int>> followers_of(const SearchSpace& space) {
  std::vector<std::vector<int>> followers(static_cast<std::size_t>(space.operators()));
  for (int op = space.operators() - 1; op >= 0; --op) {
    auto& mine = followers[static_cast<std::size_t>(op)];
    for (const int reader : space.readers(op)) {
      const model::Operator& it = space.model().operators[static_cast<std::size_t>(reader)];
      if (it.parameters > 0 || it.inputs.size() != 1) continue;
      mine.push_back(reader);
      const auto& theirs = followers[static_cast<std::size_t>(reader)];
      mine.insert(mine.end(), theirs.begin(), theirs.end());
    }
  }
  return followers;
}

class Chain {
 public:
  Chain(const SearchSpace& space, NetworkLoads& loads, const OperatorConfigurations& start,
        const McmcOptions& options, std::uint64_t stream)
      : space_(space),
        cost_(space, loads, start),
        followers_(followers_of(space)),
        random_(random_stream(options.seed, stream)),
        alpha_(options.alpha) {
    now_ = cost_.time();
    found_.configs = start;
    found_.time = now_;
  }

  McmcSearch run(int proposals, Pace& pace) {
    for (int i = 0; i < proposals; ++i) {
      pace.proposed();
      ++found_.proposals;
      propose();
      decide(i);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t kLongestRun = 5;  // exponent: runs have up to 2^5 operators

  void propose() {
    proposed_.clear();
    const int op = static_cast<int>(random_(static_cast<std::uint32_t>(space_.operators())));
    OperatorConfiguration config;
    config.partition = static_cast<int>(random_(static_cast<std::uint32_t>(space_.partitions(op))));
    config.first =
        static_cast<int>(random_(static_cast<std::uint32_t>(space_.places(op, config.partition))));
    const std::uint32_t kind = random_(4);
    proposed_.emplace_back(op, config);
    const parallelize::OperatorPartition& partition = space_.partition(op, config).partition;
    if (kind == 0) {
      for (const int it : followers_[static_cast<std::size_t>(op)])
        follow(it, partition, config.first);
    } else if (kind == 1) {
      const int end = std::min(space_.operators(), op + (2 << random_(kLongestRun)));
      for (int it = op + 1; it < end; ++it) follow(it, partition, config.first);
    }
    cost_.change(proposed_);
  }

  // Also proposes this partition for `op`, if the operator can be partitioned like that.
  void follow(int op, const parallelize::OperatorPartition& partition, int first) {
    const auto same = space_.find_partition(op, partition);
    if (same) proposed_.emplace_back(op, OperatorConfiguration{*same, first});
  }

  void decide(int proposal) {
    const bool fits = cost_.fits();
    if (!fits) ++found_.refused;
    const Duration then = fits ? cost_.time() : kForever;
    if (!fits || !accepted(then)) return cost_.undo();
    ++found_.accepted;
    now_ = then;
    if (now_ >= found_.time) return;
    found_.time = now_;
    found_.configs = cost_.configs();
    found_.steps.push_back({proposal, now_});
  }

  bool accepted(Duration then) {
    const double uniform =
        (random_() + 0.5) / 4294967296.0;  // sampled for every proposal that fits
    if (then <= now_) return true;
    const double worse = static_cast<double>((then - now_).count()) /
                         std::max(1.0, static_cast<double>(now_.count()));
    return uniform < std::exp(-alpha_ * worse);
  }

  const SearchSpace& space_;
  ConfigurationCost cost_;
  std::vector<std::vector<int>> followers_;
  Random random_;
  double alpha_ = 1;
  Duration now_{0};
  std::vector<std::pair<int, OperatorConfiguration>> proposed_;
  McmcSearch found_;
};

// Merges the results of all chains. Proposal i of chain c gets the number i × chains + c + 1.
McmcSearch joined(std::vector<McmcSearch> chains, Duration start) {
  McmcSearch all;
  std::size_t best = 0;
  std::vector<SearchPoint> steps;
  const auto count = static_cast<std::int64_t>(chains.size());
  for (std::size_t c = 0; c < chains.size(); ++c) {
    all.proposals += chains[c].proposals;
    all.accepted += chains[c].accepted;
    all.refused += chains[c].refused;
    if (chains[c].time < chains[best].time) best = c;
    for (const SearchPoint& it : chains[c].steps) {
      steps.push_back({it.proposal * count + static_cast<std::int64_t>(c) + 1, it.best});
    }
  }
  std::sort(steps.begin(), steps.end(),
            [](const SearchPoint& a, const SearchPoint& b) { return a.proposal < b.proposal; });
  all.steps.push_back({0, start});
  for (const SearchPoint& it : steps) {
    if (it.best < all.steps.back().best) all.steps.push_back(it);
  }
  all.configs = std::move(chains[best].configs);
  all.time = chains[best].time;
  return all;
}

// Calls `work` once for each index, on several threads; rethrows the error with the lowest index.
template <class Work>
void by_threads(std::size_t count, int threads, const Work& work) {
  const auto max_threads = static_cast<std::size_t>(
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(count);
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < std::min(max_threads, count); ++t) {
    team.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          work(i);
        } catch (...) {
          errors[i] = std::current_exception();
        }
      }
    });
  }
  for (std::thread& it : team) it.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

// Operators with weights, largest first.
std::vector<int> by_weights(const SearchSpace& space) {
  const auto weights = [&](int op) {
    return space.model().operators[static_cast<std::size_t>(op)].parameters;
  };
  std::vector<int> order;
  for (int op = 0; op < space.operators(); ++op) {
    if (weights(op) > 0) order.push_back(op);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return weights(a) > weights(b); });
  return order;
}

// The first `owned` operators of `order` are unpartitioned, each on the server that holds the least
// by then; the others are data parallel.
OperatorConfigurations owned_configs(const SearchSpace& space, const std::vector<int>& order,
                                     std::size_t owned) {
  OperatorConfigurations configs = data_parallel_configs(space);
  std::vector<Bytes> held(static_cast<std::size_t>(space.servers()));
  for (std::size_t i = 0; i < owned; ++i) {
    const auto emptiest = std::min_element(held.begin(), held.end());
    OperatorConfiguration& config = configs[static_cast<std::size_t>(order[i])];
    config = space.owned(order[i], static_cast<int>(emptiest - held.begin()));
    *emptiest += space.shard_memory(order[i], config, 0);
  }
  return configs;
}

// Embedding tables are owned by single servers; then the first `spread` operators of `order` are
// partitioned by parameters as finely as possible.
OperatorConfigurations sharded_configs(const SearchSpace& space, const std::vector<int>& order,
                                       std::size_t spread) {
  std::vector<int> tables;
  for (const int op : order) {
    if (space.model().operators[static_cast<std::size_t>(op)].tables > 0) tables.push_back(op);
  }
  OperatorConfigurations configs = owned_configs(space, tables, tables.size());
  for (std::size_t i = 0; i < spread; ++i) {
    OperatorConfiguration& config = configs[static_cast<std::size_t>(order[i])];
    for (int k = space.servers(); k > 1; --k) {
      const auto partition =
          space.find_partition(order[i], {parallelize::PartitionDimension::parameter, k});
      if (!partition) continue;
      config = {*partition, 0};
      break;
    }
  }
  return configs;
}

}  // namespace

McmcSearch mcmc_search(const SearchSpace& space, NetworkLoads& loads,
                       const OperatorConfigurations& start, const McmcOptions& options, int round) {
  const int chains = std::max(1, std::min(options.chains, options.proposals));
  const Duration begin = ConfigurationCost(space, loads, start).time();
  std::vector<McmcSearch> found(static_cast<std::size_t>(chains));
  Pace pace(options, round);
  by_threads(found.size(), options.threads, [&](std::size_t c) {
    const int mine =
        options.proposals / chains + (static_cast<int>(c) < options.proposals % chains ? 1 : 0);
    const std::uint64_t stream = static_cast<std::uint64_t>(round) * 65536 + c;
    found[c] = Chain(space, loads, start, options, stream).run(mine, pace);
  });
  McmcSearch all = joined(std::move(found), begin);
  return all;
}

OperatorConfigurations data_parallel_configs(const SearchSpace& space) {
  OperatorConfigurations configs;
  for (int op = 0; op < space.operators(); ++op) configs.push_back(space.replicated(op));
  return configs;
}

std::variant<std::vector<OperatorConfigurations>, Infeasible> initial_configs(
    const SearchSpace& space) {
  const std::vector<int> order = by_weights(space);
  std::vector<OperatorConfigurations> found;
  std::optional<Infeasible> no;  // why the last configurations tried do not fit
  const auto take = [&](OperatorConfigurations configs) {
    no = space.memory_objection(configs);
    if (!no) found.push_back(std::move(configs));
    return !no;
  };
  for (std::size_t owned = 0; owned <= order.size(); ++owned) {
    if (take(owned_configs(space, order, owned))) break;
  }
  take(sharded_configs(space, order, 0));
  for (std::size_t spread = 1; found.empty() && spread <= order.size(); ++spread) {
    take(sharded_configs(space, order, spread));
  }
  if (found.empty()) {
    return Infeasible{fmt::format("even with weights partitioned over all servers, {}", no->why)};
  }
  if (found.size() == 2 && found[0] == found[1]) found.pop_back();
  return found;
}

}  // namespace loom::plan
