// A collective that the engine expands on demand against the same collective written as dependent
// messages: without latency both end in the same picosecond.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/agree/collective_times.h"
#include "tests/agree/fabrics.h"

namespace loom {
namespace {

// ECMP fabrics are left out: the two forms would hash to different paths.
bool hashes(const NamedFabric& fabric) { return fabric.text.find("ecmp") != std::string::npos; }

void without_latency(Network& network) {
  class Instant final : public Router {
   public:
    explicit Instant(std::shared_ptr<const Router> other) : other_(std::move(other)) {}
    bool find(int source, int destination, std::uint64_t key, const std::vector<bool>& down,
              Route& route) const override {
      const bool found = other_->find(source, destination, key, down, route);
      route.latency = Duration(0);
      return found;
    }

   private:
    std::shared_ptr<const Router> other_;
  };
  network.router = std::make_shared<Instant>(network.router);
}

std::vector<Collective> collectives_for(const Network& network, int chunks) {
  std::vector<Collective> all;
  for (const std::string_view name : kCollectiveNames) {
    const CollectiveKind kind = *parse_collective(name);
    for (const Algorithm algorithm : algorithms_for(kind)) {
      Collective it{.kind = kind, .algorithm = algorithm, .size = 100'003_B, .chunks = chunks};
      if (algorithm == Algorithm::hierarchical) it.levels = network.levels;
      if (algorithm == Algorithm::rings) it.steps = {1, network.devices - 1};
      if (!objection(it, network.devices)) all.push_back(it);
    }
  }
  return all;
}

void expect_as_written_out(const Network& network, int chunks) {
  for (const Collective& collective : collectives_for(network, chunks)) {
    const Workload workload = over_all_devices(collective, network);
    const Outcome run = simulate_fluid(workload, network, {}, {});
    const Outcome written_out = simulate_fluid(expand(workload), network, {}, {});
    const std::string what =
        fmt::format("{} by {}, {} chunks, {} devices", name_of(collective.kind),
                    name_of(collective.algorithm), chunks, network.devices);
    EXPECT_EQ(run.completion_time, written_out.completion_time) << what;
    EXPECT_EQ(run.messages, written_out.messages) << what;
    EXPECT_EQ(run.bytes, written_out.bytes) << what;
    EXPECT_EQ(run.link_bytes, written_out.link_bytes) << what;
  }
}

TEST(Expand, WithoutLatencyACollectiveTakesTheTimeOfItsMessages) {
  for (const NamedFabric& fabric : small_fabrics()) {
    if (hashes(fabric)) continue;
    SCOPED_TRACE(fabric.name);
    for (const int devices : fabric.devices) {
      Network network = fabric_of(fabric.text, devices);
      without_latency(network);
      expect_as_written_out(network, 1);
      expect_as_written_out(network, 3);
    }
  }
}

// A ring's channel carries many messages, but each waits for the neighbor's, so latencies do not
// overlap.
TEST(Expand, WithOneChunkARingTakesTheTimeOfItsMessagesAtAnyLatency) {
  const Network network = fabric_of("kind: switch, bandwidth: 10 Gbps, latency: 3 us", 7);
  const Workload workload = over_all_devices({.size = 70'007_B}, network);
  EXPECT_EQ(simulate_fluid(workload, network, {}, {}).completion_time,
            simulate_fluid(expand(workload), network, {}, {}).completion_time);
}

}  // namespace
}  // namespace loom
