#include "loom/scenario/profiled_job.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "loom/base/files.h"
#include "loom/base/testing.h"
#include "loom/foreign/testing.h"
#include "loom/report/tables.h"

namespace loom::report {
namespace {

using foreign::rostam_edges;
using foreign::rostam_op;

// The files of a profile in a separate folder, for batches of 1 and 64.
class Profile {
 public:
  explicit Profile(const std::string& name) {
    const std::string folder = ::testing::TempDir() + "profiled_" + name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    prefix_ = folder + "/net";
  }

  template <class Content>
  void write(const Content& of_batch) const {
    for (const std::uint64_t batch : {1U, 64U}) {
      write_file(fmt::format("{}_bs{}.pb", prefix_, batch), of_batch(batch));
    }
  }
  void write_iterations(const std::string& table) const {
    write_file(prefix_ + "_iter.prof", table);
  }

  scenario::Scenario scenario(int gpus, const std::string& more) const {
    const std::string text = fmt::format(
        "workload: {{rostam: {}{}}}\ngpus: {}\n"
        "fabric: {{kind: switch, bandwidth: 100 Gbps, latency: 0 us}}\n",
        prefix_, more, gpus);
    return scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front();
  }
  run::Report run(int gpus, const std::string& more = "") const {
    return run::run(scenario(gpus, more));
  }
  std::string refusal(int gpus, const std::string& more) const {
    return message([&] { run(gpus, more); });
  }
  const std::string& prefix() const { return prefix_; }

 private:
  std::string prefix_;
};

// 100 us per sample, then the gradient of one variable.
Profile one_operator(const std::string& name, std::uint64_t variable) {
  Profile profile(name);
  profile.write([&](std::uint64_t batch) {
    return rostam_op({.name = "r", .bytes = variable, .type = 1, .memory = 2}) +
           rostam_op({.name = "a", .time = 100 * batch, .output = 10 * batch}) +
           rostam_op({.name = "w", .bytes = variable, .type = 1, .memory = 1}) +
           rostam_edges("r", {"a", "w"}) + rostam_edges("a", {"w"});
  });
  return profile;
}

TEST(ProfiledJob, DataParallelismReducesTheGradientByARing) {
  const run::Report result = one_operator("ring", 4'000'000).run(4, ", batch: 4");
  EXPECT_EQ(to_text(result.as<run::TrainingReport>()->strategy), "data 4");
  EXPECT_EQ(result.time(), 100_us + 480_us);  // 2 · 3/4 of 4 MB at 100 Gbps
}

TEST(ProfiledJob, APartitionBySampleHalvesTheTimeAndReducesTheGradient) {
  const Profile profile = one_operator("partitioned", 100'000);
  EXPECT_EQ(profile.run(1, ", batch: 2").time(), 200_us);
  const run::Report result = profile.run(2, ", batch: 2, group: 2");
  EXPECT_EQ(to_text(result.as<run::TrainingReport>()->strategy), "operators over 2");
  EXPECT_EQ(result.time(), 100_us + 8_us);  // 2 · 1/2 of 100 kB
}

TEST(ProfiledJob, AnOperatorIsNotPartitionedIfItsGradientCostsMore) {
  const run::Report result = one_operator("whole", 4'000'000).run(2, ", batch: 2, group: 2");
  EXPECT_EQ(result.time(), 200_us);
  EXPECT_EQ(result.outcome.bytes, 0_B);
}

// Operators without a sample dimension cannot be partitioned: two in parallel, then one that needs
// both.
TEST(ProfiledJob, ParallelOperatorsRunOnSeparateDevicesAndSendTheirOutputs) {
  const Profile profile("join");
  profile.write([](std::uint64_t) {
    return rostam_op({.name = "a", .time = 100, .output = 1'000'000}) +
           rostam_op({.name = "b", .time = 100, .output = 1'000'000}) +
           rostam_op({.name = "c", .time = 10}) + rostam_edges("a", {"c"}) +
           rostam_edges("b", {"c"});
  });
  EXPECT_EQ(profile.run(1).time(), 210_us);
  EXPECT_EQ(profile.run(2, ", group: 2").time(), 100_us + 80_us + 10_us);
  EXPECT_EQ(profile.run(2, ", group: 2").outcome.bytes, 1_MB);
}

TEST(ProfiledJob, AChainStaysOnOneDevice) {
  const Profile profile("chain");
  profile.write([](std::uint64_t) {
    return rostam_op({.name = "a", .time = 100, .output = 1'000'000}) +
           rostam_op({.name = "b", .time = 100}) + rostam_edges("a", {"b"});
  });
  EXPECT_EQ(profile.run(2, ", group: 2").time(), 200_us);
}

TEST(ProfiledJob, TimeToAccuracyIsIterationsTimesIterationTime) {
  const Profile profile = one_operator("accuracy", 4'000'000);
  EXPECT_FALSE(profile.run(4, ", batch: 4").as<run::TrainingReport>()->training);
  profile.write_iterations("4, 1000\n8, 600\n");
  const run::Report known = profile.run(4, ", batch: 4");
  EXPECT_EQ(known.as<run::TrainingReport>()->training->iterations, 1000);
  EXPECT_EQ(known.as<run::TrainingReport>()->training->span.microseconds, 580'000);
  EXPECT_FALSE(report_json(known)["iterations_extrapolated"]);
  const run::Report beyond = profile.run(4, ", batch: 16");
  EXPECT_EQ(beyond.as<run::TrainingReport>()->training->iterations, 600);
  EXPECT_TRUE(report_json(beyond)["iterations_extrapolated"]);
  EXPECT_NE(report_text(beyond).find("iterations extrapolated  yes"), std::string::npos);
}

TEST(ProfiledJob, AutoUsesTheGroupAndTheBatchThatTrainFastest) {
  const Profile profile = one_operator("auto", 4'000'000);
  profile.write_iterations("1, 1000\n2, 400\n4, 390\n");
  const run::Report group = profile.run(2, ", batch: 2, group: auto");
  EXPECT_EQ(to_text(group.as<run::TrainingReport>()->strategy),
            "operators over 2");  // 200 us instead of 420 us
  EXPECT_EQ(group.as<run::TrainingReport>()->search.possible, 2U);
  const run::Report batch = profile.run(2, ", batch: auto, group: auto");
  EXPECT_EQ(batch.as<run::TrainingReport>()->batch, 2);
}

TEST(ProfiledJob, WorkAndMemoryAreNotReported) {
  const run::Report result = one_operator("facts", 1'000).run(2, ", batch: 2, group: auto");
  const nlohmann::ordered_json json = report_json(result);
  for (const char* name :
       {"flops_per_device", "memory", "memory_limit", "memory_reserve", "memory_components"}) {
    EXPECT_FALSE(json.contains(name)) << name;
  }
  EXPECT_EQ(report_text(result).find("memory of one device"), std::string::npos);
}

TEST(ProfiledJob, AGroupThatDoesNotDivideTheDevicesIsRefused) {
  const Profile profile = one_operator("refused", 1'000);
  EXPECT_EQ(profile.refusal(8, ", group: 3"),
            "s.yaml:1: workload.group is 3; a divisor of the 8 gpus, or auto, is needed");
  EXPECT_EQ(profile.refusal(8, ", group: 16"),
            "s.yaml:1: workload.group is 16; a divisor of the 8 gpus, or auto, is needed");
}

TEST(ProfiledJob, ABatchThatReplicasOrProfilesCannotTakeIsRefused) {
  const Profile profile = one_operator("batches", 1'000);
  EXPECT_EQ(profile.refusal(8, ", group: 2, batch: 10"),
            "s.yaml:1: workload.batch is 10; a multiple of the 4 replicas is needed");
  EXPECT_EQ(
      profile.refusal(8, ", batch: auto"),
      "s.yaml:1: workload.batch is auto; it needs the iterations to accuracy, and there is no " +
          profile.prefix() + "_iter.prof");
  std::filesystem::remove(profile.prefix() + "_bs64.pb");
  EXPECT_EQ(profile.refusal(4, ", batch: 34"),
            profile.prefix() +
                "_bs1.pb: the only measured batch is 1; a batch of 8.5 needs a second "
                "measurement");
}

}  // namespace
}  // namespace loom::report
