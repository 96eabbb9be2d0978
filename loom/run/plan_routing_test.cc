#include "loom/run/plan_routing.h"

#include <gtest/gtest.h>

#include "loom/run/run.h"

namespace loom::run {
namespace {

Report report_of(const std::string& work, const std::string& routing) {
  const std::string text = "workload: {" + work +
                           "}\ngpus: 16\naccelerator: a100\nfabric: {kind: opera, bandwidth: 400 "
                           "Gbps, latency: 1 us, routing: " +
                           routing + "}\n";
  return run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

// Large all-to-alls go directly, large rings are relayed, and small messages are sent at once.
TEST(PlanRouting, AutoIsTheFastestOfAllRoutings) {
  for (const std::string work : {"collective: all_to_all, size: 10 GB",
                                 "collective: all_reduce, size: 10 GB, algorithm: ring",
                                 "collective: all_to_all, size: 64 kB",
                                 "model: bert-large, batch: 32, tensor: 2, pipeline: 2"}) {
    const Report chosen = report_of(work, "auto");
    Duration fastest = kForever;
    for (const std::string routing : {"direct", "valiant", "expander"}) {
      fastest = std::min(fastest, report_of(work, routing).time());
    }
    EXPECT_EQ(chosen.time(), fastest) << work;
    ASSERT_EQ(chosen.routings.size(), 3U);
    EXPECT_LE(chosen.routings[0].time, chosen.routings[1].time);
    EXPECT_LE(chosen.routings[1].time, chosen.routings[2].time);
  }
}

TEST(PlanRouting, DependsOnTheTraffic) {
  const auto routing = [](const std::string& work) {
    return report_of(work, "auto").routings.front().routing;
  };
  EXPECT_EQ(routing("collective: all_to_all, size: 10 GB"), "direct");
  EXPECT_EQ(routing("collective: all_to_all, size: 64 kB"), "expander");
}

TEST(PlanRouting, AGivenRoutingIsTheOnlyOne) {
  EXPECT_TRUE(report_of("collective: all_to_all, size: 1 MB", "direct").routings.empty());
}

}  // namespace
}  // namespace loom::run
