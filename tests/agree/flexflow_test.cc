// Task graphs against a simple replay that executes tasks directly, without a workload, and shares
// links as the flow oracle does; and against themselves after a round trip through a file.
#include "loom/foreign/flexflow.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>

#include "loom/base/random.h"
#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/simulate/engine.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

using oracle::Real;

constexpr Bandwidth kRate{100'000'000'000};
constexpr Duration kHop{1'000'000};

// One ideal switch: two hops between servers.
class Replay {
 public:
  explicit Replay(const foreign::TaskGraph& graph)
      : graph_(graph), waits_(graph.tasks.size()), devices_(graph.devices.size()) {
    for (const foreign::GraphTask& task : graph.tasks) {
      if (task.kind == foreign::TaskKind::all_reduce) continue;
      for (const int next : task.next) ++waits_[static_cast<std::size_t>(next)];
    }
  }

  Real run() {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] == 0) at(0, [this, i] { begin(i); });
    }
    while (!timers_.empty() || !flows_.empty()) step();
    return last_;
  }

 private:
  struct Flow {
    int source = 0;
    int destination = 0;
    Real left = 0;  // bits
    std::function<void()> ended;
  };
  struct Device {
    std::deque<std::size_t> queue;
    bool busy = false;
  };

  void at(Real time, std::function<void()> act) { timers_.emplace(time, std::move(act)); }

  void step() {
    std::vector<oracle::Flow> moving;
    for (const Flow& it : flows_) {
      moving.push_back({.size = it.left,
                        .paths = {{{static_cast<std::size_t>(2 * it.source)},
                                   {static_cast<std::size_t>(2 * it.destination + 1)}}}});
    }
    const std::vector<Real> capacities(static_cast<std::size_t>(2 * graph_.nodes),
                                       static_cast<Real>(kRate.bits_per_second) / 1e12L);
    const std::vector<Real> rates = oracle::fair_rates(capacities, moving);
    Real next = timers_.empty() ? 1e30L : timers_.begin()->first;
    for (std::size_t f = 0; f < rates.size(); ++f) {
      next = std::min(next, now_ + flows_[f].left / rates[f]);
    }
    for (std::size_t f = 0; f < rates.size(); ++f) flows_[f].left -= rates[f] * (next - now_);
    now_ = next;
    end_flows();
    while (!timers_.empty() && timers_.begin()->first <= now_) {
      const auto act = timers_.begin()->second;
      timers_.erase(timers_.begin());
      act();
    }
  }

  void end_flows() {
    std::vector<Flow> others;
    for (Flow& it : flows_) {
      if (it.left > 1e-5L) {
        others.push_back(std::move(it));
      } else {
        at(now_ + 2 * static_cast<Real>(kHop.count()), it.ended);
      }
    }
    flows_ = std::move(others);
  }

  void send(int source, int destination, Bytes size, const std::function<void()>& ended) {
    at(now_ + 2 * static_cast<Real>(kHop.count()), [=, this] {
      flows_.push_back({source, destination, 8 * static_cast<Real>(size.count), ended});
      if (size.count == 0) end_flows();
    });
  }

  void begin(std::size_t index) {
    const foreign::GraphTask& task = graph_.tasks[index];
    if (task.kind == foreign::TaskKind::all_reduce) {
      return at(now_ + static_cast<Real>(task.runtime.count()), [=, this] { round(index, 0); });
    }
    const foreign::TaskDevice& device = graph_.devices[static_cast<std::size_t>(task.device)];
    if (device.pair()) {
      return send(device.node, device.destination, task.size, [=, this] { end(index); });
    }
    devices_[static_cast<std::size_t>(task.device)].queue.push_back(index);
    give_turn(task.device);
  }

  void give_turn(int index) {
    Device& device = devices_[static_cast<std::size_t>(index)];
    if (device.busy || device.queue.empty()) return;
    const std::size_t task = device.queue.front();
    device.queue.pop_front();
    device.busy = true;
    at(now_ + static_cast<Real>(graph_.tasks[task].runtime.count()), [=, this] {
      devices_[static_cast<std::size_t>(index)].busy = false;
      end(task);
      give_turn(index);
    });
  }

  void round(std::size_t index, std::size_t done) {
    const foreign::GraphTask& task = graph_.tasks[index];
    const std::size_t ranks = task.next.size();
    const bool tiny = task.size.count < 9000 * static_cast<std::int64_t>(ranks);
    const std::size_t rounds = ranks == 1 ? 0 : tiny ? 1 : 2 * (ranks - 1);
    if (done == rounds) return end(index);
    left_[index] = ranks;
    const Bytes size{tiny ? 0 : task.size.count / static_cast<std::int64_t>(ranks)};
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      send(task.next[rank], task.next[(rank + 1) % ranks], size, [=, this] {
        if (--left_[index] == 0) round(index, done + 1);
      });
    }
  }

  void end(std::size_t index) {
    last_ = now_;
    const foreign::GraphTask& task = graph_.tasks[index];
    if (task.kind == foreign::TaskKind::all_reduce) return;
    for (const int next : task.next) {
      if (--waits_[static_cast<std::size_t>(next)] == 0) begin(static_cast<std::size_t>(next));
    }
  }

  const foreign::TaskGraph& graph_;
  std::vector<int> waits_;
  std::vector<Device> devices_;
  std::map<std::size_t, std::size_t> left_;  // remaining flows per all-reduce round
  std::vector<Flow> flows_;
  std::multimap<Real, std::function<void()>> timers_;
  Real now_ = 0;
  Real last_ = 0;
};

// Servers with one or two GPUs each, their pairs, and tasks that depend on earlier ones. Times are
// multiples of 2^-9 ms, which a file stores exactly, and all-reduce sizes divide evenly.
foreign::TaskGraph random_graph(Random& random) {
  foreign::TaskGraph graph;
  graph.nodes = static_cast<int>(sample(random, 2, 6));
  const auto gpus = static_cast<int>(sample(random, 1, 2));
  for (int g = 0; g < gpus * graph.nodes; ++g) graph.devices.push_back({.node = g % graph.nodes});
  const auto count = static_cast<int>(sample(random, 1, 40));
  for (int i = 0; i < count; ++i) {
    foreign::GraphTask task{.runtime = Duration(sample(random, 1, 2000) * 1'953'125)};
    const std::int64_t kind = sample(random, 0, 9);
    if (kind < 5) {
      task.device = static_cast<int>(sample(random, 0, gpus * graph.nodes - 1));
    } else if (kind < 8) {
      const auto source = static_cast<int>(sample(random, 0, graph.nodes - 1));
      const auto far = static_cast<int>(sample(random, 1, graph.nodes - 1));
      task.kind = foreign::TaskKind::nominal_communication;
      task.size = {sample(random, 0, 30'000'000)};
      task.device = static_cast<int>(graph.devices.size());
      graph.devices.push_back({foreign::kNominalNetwork, source, (source + far) % graph.nodes});
    } else {
      task.kind = foreign::TaskKind::all_reduce;
      for (int node = 0; node < graph.nodes; ++node) {
        if (random(2) == 0) task.next.push_back(node);
      }
      if (task.next.empty()) task.next.push_back(0);
      const auto ranks = static_cast<std::int64_t>(task.next.size());
      task.size = {ranks *
                   (random(4) == 0 ? sample(random, 1, 8999) : sample(random, 9000, 5'000'000))};
    }
    for (int before = 0; before < i; ++before) {
      foreign::GraphTask& other = graph.tasks[static_cast<std::size_t>(before)];
      if (other.kind != foreign::TaskKind::all_reduce && random(5) == 0) other.next.push_back(i);
    }
    graph.tasks.push_back(std::move(task));
  }
  return graph;
}

Duration simulated(const workload::Workload& workload, int servers, Duration hop = kHop) {
  const fabric::Network network = fabric::ideal_switch(servers, kRate, 2 * hop);
  const simulate::Outcome outcome = simulate::simulate_fluid(workload, network, {}, {});
  EXPECT_FALSE(outcome.deadlock.has_value());
  return outcome.completion_time;
}

TEST(TaskGraphs, TakeTheTimeOfASimpleReplay) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const foreign::TaskGraph graph = random_graph(random);
    const auto plain = static_cast<double>(Replay(graph).run());
    const Duration ours = simulated(to_workload(graph, graph.nodes), graph.nodes);
    // Ends are rounded up to a picosecond.
    EXPECT_NEAR(static_cast<double>(ours.count()), plain, 1e4) << graph.tasks.size() << " tasks";
  }
}

TEST(TaskGraphs, TakeTheSameTimeAfterARoundTripThroughAFile) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const foreign::TaskGraph graph = random_graph(random);
    const workload::Workload workload = to_workload(graph, graph.nodes);
    const foreign::TaskGraph written = foreign::to_task_graph(workload, graph.nodes, {});
    const foreign::TaskGraph read = foreign::parse_flexflow(to_flexflow(written), "written");
    EXPECT_EQ(simulated(to_workload(read, graph.nodes), graph.nodes),
              simulated(workload, graph.nodes));
    const foreign::TaskGraph same = foreign::parse_flexflow(to_flexflow(graph), "same");
    EXPECT_EQ(same.tasks.size(), graph.tasks.size());
    EXPECT_EQ(simulated(to_workload(same, graph.nodes), graph.nodes),
              simulated(workload, graph.nodes));
  }
}

// A task graph waits for acknowledgments, which take no time without latency.
TEST(TaskGraphs, TakeTheTimeOfCollectivesWithoutLatency) {
  constexpr int kRanks = 4;
  for (int kind = 0; kind < static_cast<int>(workload::kCollectiveNames.size()); ++kind) {
    for (const workload::Algorithm algorithm :
         algorithms_for(static_cast<workload::CollectiveKind>(kind))) {
      workload::Collective collective{static_cast<workload::CollectiveKind>(kind), algorithm,
                                      Bytes{4'000'000}};
      if (algorithm == workload::Algorithm::hierarchical) collective.levels = {2, 2};
      if (algorithm == workload::Algorithm::rings) collective.steps = {1, 3};
      const int ranks = collective.kind == workload::CollectiveKind::point_to_point ? 2 : kRanks;
      std::vector<int> members;
      for (int rank = 0; rank < ranks; ++rank) members.push_back(rank);
      workload::Workload workload = collective_workload(collective, members, kRanks);
      workload.after = {0};
      workload.operations.push_back({.kind = workload::OperationKind::compute,
                                     .groups = 0,
                                     .time = Duration(1'000'000'000),
                                     .after_count = 1});
      workload.names.emplace_back("next");
      const foreign::TaskGraph read = foreign::parse_flexflow(
          foreign::to_flexflow(foreign::to_task_graph(workload, kRanks, {})), "written");
      EXPECT_EQ(simulated(to_workload(read, kRanks), kRanks, Duration(0)),
                simulated(workload, kRanks, Duration(0)))
          << name_of(collective.kind) << " by " << name_of(algorithm);
    }
  }
}

}  // namespace
}  // namespace loom
