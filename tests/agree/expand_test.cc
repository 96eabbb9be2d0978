// A collective that the engine expands on demand against the same collective written as dependent
// messages: without latency both end in the same picosecond.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/agree/collective_times.h"
#include "tests/agree/fabrics.h"

namespace loom {
namespace {

// Expanded messages do not know which of them form a stream.
simulate::EngineOptions by_messages() {
  simulate::EngineOptions options;
  options.sharing = transport::Sharing::messages;
  return options;
}

// ECMP fabrics are left out: the two forms would hash to different paths.
bool hashes(const NamedFabric& fabric) { return fabric.text.find("ecmp") != std::string::npos; }

void without_latency(fabric::Network& network) {
  class Instant final : public fabric::Router {
   public:
    explicit Instant(std::shared_ptr<const fabric::Router> other) : other_(std::move(other)) {}
    bool find(DeviceId source, DeviceId destination, std::uint64_t key,
              const std::vector<bool>& down, fabric::Route& route) const override {
      const bool found = other_->find(source, destination, key, down, route);
      route.latency = Duration(0);
      return found;
    }

   private:
    std::shared_ptr<const fabric::Router> other_;
  };
  network.router = std::make_shared<Instant>(network.router);
}

std::vector<workload::Collective> collectives_for(const fabric::Network& network, int chunks) {
  std::vector<workload::Collective> all;
  for (const std::string_view name : workload::kCollectiveNames) {
    const workload::CollectiveKind kind = *workload::parse_collective(name);
    for (const workload::Algorithm algorithm : algorithms_for(kind)) {
      workload::Collective it{
          .kind = kind, .algorithm = algorithm, .size = 100'003_B, .chunks = chunks};
      if (algorithm == workload::Algorithm::hierarchical) it.levels = network.levels;
      if (algorithm == workload::Algorithm::rings) it.steps = {1, network.devices - 1};
      if (!objection(it, network.devices)) all.push_back(it);
    }
  }
  return all;
}

void expect_as_written_out(const fabric::Network& network, int chunks) {
  for (const workload::Collective& collective : collectives_for(network, chunks)) {
    const workload::Workload workload = over_all_devices(collective, network);
    const simulate::Outcome run = simulate::simulate_fluid(workload, network, {}, by_messages());
    const simulate::Outcome written_out =
        simulate::simulate_fluid(expand(workload), network, {}, by_messages());
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
      fabric::Network network = fabric::fabric_of(fabric.text, devices);
      without_latency(network);
      expect_as_written_out(network, 1);
      expect_as_written_out(network, 3);
    }
  }
}

// A ring's channel carries many messages, but each waits for the neighbor's, so latencies do not
// overlap.
TEST(Expand, WithOneChunkARingTakesTheTimeOfItsMessagesAtAnyLatency) {
  const fabric::Network network =
      fabric::fabric_of("kind: switch, bandwidth: 10 Gbps, latency: 3 us", 7);
  const workload::Workload workload = over_all_devices({.size = 70'007_B}, network);
  EXPECT_EQ(simulate::simulate_fluid(workload, network, {}, by_messages()).completion_time,
            simulate::simulate_fluid(expand(workload), network, {}, by_messages()).completion_time);
}

}  // namespace
}  // namespace loom
