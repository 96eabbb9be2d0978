// Determinism: the same input gives the same bytes, whatever runs beside it or inside it.
#include <gtest/gtest.h>

#include <thread>

#include "loom/simulate/testing.h"

namespace loom::simulate {
namespace {

struct Scenario {
  workload::Workload workload;
  fabric::Network network;
  std::vector<LinkChange> changes;
};

// Computations, collectives and messages over hashed routes and failing links.
Scenario busy_scenario(int seed) {
  const std::string all =
      "groups: [{name: all, members: 0-15}, {name: rows, size: 4, members: 0-15}]\n";
  workload::Workload workload = workload_of(
      16,
      {"name: work, compute: 7 us, groups: all",
       "name: sum, collective: all_reduce, size: 1 MB, chunks: 3, groups: all, after: work",
       "name: mix, collective: all_to_all, size: 200 kB, groups: rows, after: work",
       "name: tree, collective: all_reduce, algorithm: tree, size: 77 kB, groups: rows, after: mix",
       "message: 0 -> 15, size: 1 MB, start: 3 us", "name: r, receive: 0 -> 15",
       "compute: 5 us, device: 15, after: r sum"},
      all);
  fabric::Network network = fabric::fabric_of(
      "kind: fat_tree, radix: 4, bandwidth: 10 Gbps, latency: 1 us, "
      "oversubscription: 2, routing: ecmp",
      16, static_cast<std::uint64_t>(seed));
  const int failing = 40 + seed;
  return {std::move(workload),
          std::move(network),
          {change(50_us, failing, {0}), change(900_us, failing, 5_Gbps)}};
}

std::string trace_of(const Scenario& it, Observer* within = nullptr) {
  class Both final : public Observer {
   public:
    explicit Both(Observer* within) : within_(within) { recorder.with_loads = true; }
    void message(const MessageRecord& it) override {
      recorder.message(it);
      if (within_ != nullptr) within_->message(it);
    }
    void compute(const ComputeRecord& it) override { recorder.compute(it); }
    void link_load(LinkId link, TimePoint at, Bandwidth load) override {
      recorder.link_load(link, at, load);
    }
    Recorder recorder;

   private:
    Observer* within_;
  };
  Both both(within);
  const Outcome outcome =
      run_fluid(it.workload, it.network, it.changes, transport::Sharing::fair, &both);
  EXPECT_FALSE(outcome.deadlock.has_value());
  return both.recorder.text;
}

TEST(SameBytes, ARepeatedRunIsIdentical) {
  const std::string trace = trace_of(busy_scenario(1));
  EXPECT_GT(trace.size(), 10'000U);
  EXPECT_EQ(trace, trace_of(busy_scenario(1)));
  EXPECT_NE(trace, trace_of(busy_scenario(2)));
}

// Runs the second scenario completely at every hundredth message of the first.
TEST(SameBytes, RunsInterleavedInOneThreadMatchIsolatedRuns) {
  class Interruption final : public Observer {
   public:
    void message(const MessageRecord& /*it*/) override {
      if (count_++ % 100 == 0) traces.push_back(trace_of(busy_scenario(2)));
    }
    std::vector<std::string> traces;

   private:
    int count_ = 0;
  };
  Interruption interruption;
  EXPECT_EQ(trace_of(busy_scenario(1), &interruption), trace_of(busy_scenario(1)));
  const std::string single = trace_of(busy_scenario(2));
  ASSERT_GT(interruption.traces.size(), 5U);
  for (const std::string& trace : interruption.traces) EXPECT_EQ(trace, single);
}

TEST(SameBytes, RunsInManyThreadsOverOneNetworkMatchIsolatedRuns) {
  const Scenario shared = busy_scenario(1);
  const std::string single = trace_of(shared);
  std::vector<std::string> traces(4);
  std::vector<std::thread> threads;
  for (std::string& trace : traces) threads.emplace_back([&] { trace = trace_of(shared); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& trace : traces) EXPECT_EQ(trace, single);
}

}  // namespace
}  // namespace loom::simulate
