#include "loom/study/day_file.h"

#include <gtest/gtest.h>

#include "loom/base/files.h"
#include "loom/study/day_study.h"

namespace loom {
namespace {

DayFile day_of(const std::string& text, std::vector<std::string> overrides = {}) {
  return read_day(parse_yaml(text, "day.yaml"), overrides);
}

const std::string kJobs =
    "gpus: 6\n"
    "fabric: {kind: leaf_spine, gpus_per_leaf: 2, spines: 1, bandwidth: 50 Gbps, oversubscription: "
    "2}\n"
    "jobs:\n"
    "- {stages: [{length: 60 ms}, {length: 40 ms, rate: 50 Gbps}], gpus: 3, iterations: 40}\n"
    "- {stages: [{length: 60 ms}, {length: 40 ms, rate: 50 Gbps}], gpus: 3, duration: 4 s, "
    "arrival: "
    "1 s, name: late}\n";

TEST(DayFile, JobsThatSayTheSameAreOneKind) {
  const DayFile file = day_of(kJobs);
  ASSERT_EQ(file.kinds.size(), 1U);
  ASSERT_EQ(file.jobs.size(), 2U);
  EXPECT_EQ(file.jobs[0].name, "measured/1");
  EXPECT_EQ(file.jobs[1].name, "late");
  EXPECT_EQ(file.jobs[0].iterations, 40);
  EXPECT_EQ(file.jobs[1].duration, Duration(4'000'000'000'000));
  EXPECT_EQ(file.jobs[0].most_devices, 6);
}

TEST(DayFile, ListsAreAxesAndJobsAreTheSameInAll) {
  const DayFile file = day_of(kJobs, {"policy=[fair, goodput]", "cassini=[false, true]"});
  ASSERT_EQ(file.points.size(), 4U);
  EXPECT_EQ(file.points[1].options.policy, SharePolicy::fair);
  EXPECT_TRUE(file.points[1].options.cassini);
  EXPECT_EQ(file.points[0].ground.text, file.points[3].ground.text);
}

TEST(DayFile, ATableIsTheSameAsAList) {
  const std::string path = ::testing::TempDir() + "day_jobs.csv";
  write_file(
      path, "arrival,model,gpus,iterations,duration,name\n0 s,ring,3,40,,\n1 s,ring,3,,4 s,late\n");
  const DayFile table = day_of(
      "gpus: 6\nmodels: {ring: {stages: [{length: 60 ms}, {length: 40 ms, rate: 50 Gbps}]}}\n"
      "trace: " +
      path + "\n");
  const DayFile list = day_of(kJobs);
  ASSERT_EQ(table.jobs.size(), list.jobs.size());
  for (std::size_t j = 0; j < list.jobs.size(); ++j) {
    EXPECT_EQ(table.jobs[j].name, list.jobs[j].name);
    EXPECT_EQ(table.jobs[j].arrival, list.jobs[j].arrival);
    EXPECT_EQ(table.jobs[j].iterations, list.jobs[j].iterations);
    EXPECT_EQ(table.jobs[j].duration, list.jobs[j].duration);
  }
}

TEST(DayFile, ResultsDoNotDependOnThreads) {
  const DayFile file =
      day_of(kJobs, {"policy=[random, locality, fair, goodput]", "cassini=[false, true]"});
  const std::string one = to_csv(days_table(run_days(file, {.threads = 1})));
  EXPECT_EQ(one, to_csv(days_table(run_days(file, {.threads = 4}))));
}

TEST(DayFile, CassiniGainsWhereJobsMeet) {
  const std::vector<DayPoint> days = run_days(day_of(kJobs, {"cassini=[false, true]"}), {});
  EXPECT_LT(mean_completion(days[1].result), mean_completion(days[0].result));
}

}  // namespace
}  // namespace loom
