#include "loom/scheduling/scheduling_file.h"

#include <gtest/gtest.h>

#include "loom/base/files.h"
#include "loom/scheduling/scheduling_study.h"

namespace loom::scheduling {
namespace {

SchedulingFile scheduling_file(const std::string& text, std::vector<std::string> overrides = {}) {
  return read_scheduling_file(parse_yaml(text, "cluster.yaml"), overrides);
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

TEST(SchedulingFile, IdenticalJobsAreOneKind) {
  const SchedulingFile file = scheduling_file(kJobs);
  ASSERT_EQ(file.kinds.size(), 1U);
  ASSERT_EQ(file.jobs.size(), 2U);
  EXPECT_EQ(file.jobs[0].name, "measured/1");
  EXPECT_EQ(file.jobs[1].name, "late");
  EXPECT_EQ(file.jobs[0].iterations, 40);
  EXPECT_EQ(file.jobs[1].duration, Duration(4'000'000'000'000));
  EXPECT_EQ(file.jobs[0].max_devices, 6);
}

TEST(SchedulingFile, ListsAreAxesAndAllPointsHaveTheSameJobs) {
  const SchedulingFile file =
      scheduling_file(kJobs, {"policy=[fair, goodput]", "cassini=[false, true]"});
  ASSERT_EQ(file.points.size(), 4U);
  EXPECT_EQ(file.points[1].options.policy, jobs::SharePolicy::fair);
  EXPECT_TRUE(file.points[1].options.cassini);
  EXPECT_EQ(file.points[0].cluster.text, file.points[3].cluster.text);
}

TEST(SchedulingFile, ATableGivesTheSameJobsAsAList) {
  const std::string path = ::testing::TempDir() + "trace_jobs.csv";
  write_file(
      path, "arrival,model,gpus,iterations,duration,name\n0 s,ring,3,40,,\n1 s,ring,3,,4 s,late\n");
  const SchedulingFile table = scheduling_file(
      "gpus: 6\nmodels: {ring: {stages: [{length: 60 ms}, {length: 40 ms, rate: 50 Gbps}]}}\n"
      "trace: " +
      path + "\n");
  const SchedulingFile list = scheduling_file(kJobs);
  ASSERT_EQ(table.jobs.size(), list.jobs.size());
  for (std::size_t j = 0; j < list.jobs.size(); ++j) {
    EXPECT_EQ(table.jobs[j].arrival, list.jobs[j].arrival);
    EXPECT_EQ(table.jobs[j].iterations, list.jobs[j].iterations);
    EXPECT_EQ(table.jobs[j].duration, list.jobs[j].duration);
  }
}

TEST(SchedulingFile, JobsOfATableAreNamedAfterTheFilesModels) {
  const std::string path = ::testing::TempDir() + "named_jobs.csv";
  write_file(path,
             "arrival,model,gpus,iterations,batch_per_device,name\n0 s,ads,2,40,128,\n"
             "1 s,ads,2,40,,\n2 s,resnet-50,2,40,16,\n3 s,ads,2,40,,mine\n");
  const SchedulingFile file = scheduling_file(
      "models: {ads: {model: resnet-50, batch_per_device: 16}}\ntrace: " + path + "\n");
  std::vector<std::string> names;
  for (const jobs::TraceJob& it : file.jobs) names.push_back(it.name);
  EXPECT_EQ(names, (std::vector<std::string>{"ads/1", "ads/2", "resnet-50/1", "mine"}));
  EXPECT_EQ(file.kinds[static_cast<std::size_t>(file.jobs[3].kind)].name, "ads");
}

TEST(SchedulingFile, JobsOfOneModelAreNumberedConsecutivelyWhateverTheirBatches) {
  const SchedulingFile file = scheduling_file(
      "jobs:\n- {model: resnet-50, batch_per_device: 64, gpus: 4, iterations: 10}\n"
      "- {model: resnet-50, batch: 256, gpus: 4, iterations: 5}\n");
  EXPECT_EQ(file.jobs[0].name, "resnet-50/1");
  EXPECT_EQ(file.jobs[1].name, "resnet-50/2");
}

// On the slower fabric jobs take longer: a load relative to each fabric would change the arrival
// times.
TEST(SchedulingFile, ALoadGivesTheSameJobsOnEveryFabric) {
  const SchedulingFile file = scheduling_file(
      "gpus: [8, 6]\nfabrics:\n- {kind: switch, bandwidth: 10 Gbps}\n"
      "- {kind: switch, bandwidth: 100 Gbps}\n"
      "arrivals: {jobs: 6, load: 0.5, gpus: 2 to 4, iterations: 100, models: [{stages: [{length: "
      "60 ms}, {length: 40 ms, rate: 50 Gbps}]}]}\n",
      {"policy=goodput"});
  const std::vector<SchedulingPoint> runs = run_scheduling_points(file, {});
  ASSERT_EQ(runs.size(), 4U);
  for (const SchedulingPoint& run : runs) {
    for (std::size_t j = 0; j < run.result.jobs.size(); ++j) {
      EXPECT_EQ(run.result.jobs[j].arrival, runs[0].result.jobs[j].arrival);
      EXPECT_EQ(run.result.jobs[j].devices, runs[0].result.jobs[j].devices);
    }
  }
}

TEST(SchedulingFile, ALossThatAffectsSomePointIsAccepted) {
  EXPECT_EQ(scheduling_file(kJobs, {"transport=[fair, srpt]", "contention_loss=0.1"}).points.size(),
            2U);
}

TEST(SchedulingFile, EachKnownKeyOfAJobIsListedOnce) {
  try {
    scheduling_file(
        "gpus: 8\nfabric: {kind: switch, bandwidth: 50 Gbps}\n"
        "jobs: [{model: gpt2-1.5b, batch: 8, gpus: 4, iterations: 9, arival: 1 s}]\n");
    FAIL() << "arival is not a key";
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::string known = text.substr(std::min(text.find("known are"), text.size()));
    for (const std::string key : {"arrival", "max_gpus", "duration", "iterations", "micro_batch"}) {
      const std::size_t first = known.find(" " + key + ",");
      EXPECT_NE(first, std::string::npos) << key << " is not in: " << text;
      EXPECT_EQ(known.find(" " + key + ",", first + 1), std::string::npos) << key;
    }
  }
}

TEST(SchedulingFile, ResultsDoNotDependOnThreads) {
  const SchedulingFile file =
      scheduling_file(kJobs, {"policy=[random, locality, fair, goodput]", "cassini=[false, true]"});
  const std::string one = to_csv(scheduling_table(run_scheduling_points(file, {.threads = 1})));
  EXPECT_EQ(one, to_csv(scheduling_table(run_scheduling_points(file, {.threads = 4}))));
}

TEST(SchedulingFile, CassiniGainsIfJobsContend) {
  const std::vector<SchedulingPoint> runs =
      run_scheduling_points(scheduling_file(kJobs, {"cassini=[false, true]"}), {});
  EXPECT_LT(mean_completion(runs[1].result), mean_completion(runs[0].result));
}

}  // namespace
}  // namespace loom::scheduling
