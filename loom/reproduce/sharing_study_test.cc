#include "loom/reproduce/sharing_study.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/reproduce/reproduce.h"

namespace loom::reproduce {
namespace {

Study study_of(const std::string& claims, const std::string& more = "") {
  return reproduce(parse_yaml("title: a study\n"
                              "source: none\n"
                              "sharing:\n"
                              "  jobs:\n"
                              "    pair: {send: 100 ms, compute: 150 ms}\n"
                              "    long: {send: 100 ms, compute: 50 ms}\n"
                              "  groups: {pairs: [pair, pair], longs: [long, long]}\n"
                              "  runs:\n"
                              "    fair: {transport: fair}\n"
                              "    unfair: {transport: weighted, weights: 60x40}\n"
                              "    mltcp: {transport: mltcp}\n"
                              "  link: 50 Gbps\n" +
                                  more + "claims:\n" + claims,
                              "paper.yaml"),
                   false, {.threads = 1});
}

// An iteration takes 350 ms if they send together, 250 ms if they interleave.
TEST(SharingStudy, UnfairnessHelpsCompatibleJobs) {
  const Study study = study_of(
      "  - {id: pairs-gain, claim: a, measure: speedup, group: pairs, of: fair, over: unfair, "
      "published: 1.4,"
      " rule: within 1 %}\n"
      "  - {id: pairs-fit, claim: b, measure: compatible, group: pairs, published: 1, rule: at "
      "least 1}\n"
      "  - {id: longs-do-not-fit, claim: c, measure: compatible, group: longs, published: 0, rule: "
      "at most 0}\n"
      "  - {id: all-gain, claim: d, measure: min_speedup, groups: compatible, of: fair, over: "
      "unfair,"
      " published: 1.4, rule: within 1 %}\n");
  ASSERT_EQ(study.verdicts.size(), 4);
  for (const Verdict& it : study.verdicts)
    EXPECT_TRUE(it.holds) << it.claim.id << " " << it.found.value;
  EXPECT_EQ(study.verdicts[3].at(), "pairs");
}

TEST(SharingStudy, ShiftsFollowTheFormula) {
  const Study study = study_of(
      "  - {id: shift-error, claim: a, measure: shift_error, group: pairs, of: mltcp, published: 0,"
      " rule: at most 0.001}\n"
      "  - {id: iterations-apart, claim: b, measure: iterations_apart, group: pairs, of: mltcp, "
      "published: 4,"
      " rule: within 0 %}\n");
  for (const Verdict& it : study.verdicts)
    EXPECT_TRUE(it.holds) << it.claim.id << " " << it.found.value;
}

TEST(SharingStudy, WritesTablesAndAChart) {
  const Study study = study_of(
      "  - {id: a, claim: a, measure: slowdown, of: fair, published: 1, rule: at least 1}\n");
  ASSERT_EQ(study.files.size(), 3);
  EXPECT_EQ(study.files[0].first, "jobs.csv");
  EXPECT_EQ(study.files[1].first, "sharing.csv");
  EXPECT_EQ(study.files[2].first, "iterations.svg");
  EXPECT_TRUE(study.files[2].second.starts_with("<svg"));
}

TEST(SharingStudy, RefusesMalformedStudies) {
  const std::string claim =
      "  - {id: a, claim: a, measure: slowdown, of: fair, published: 1, rule: at least 1}\n";
  EXPECT_EQ(message([&] {
              study_of(
                  "  - {id: a, claim: a, measure: slowdown, of: none, published: 1, "
                  "rule: at least 1}\n");
            }),
            "paper.yaml:14: claim.of is none; a name defined in the study is needed");
  EXPECT_EQ(message([&] { study_of(claim, "  settle: many\n"); }),
            "paper.yaml:13: sharing.settle is many; an integer is needed");
  EXPECT_EQ(message([&] {
              study_of(
                  "  - {id: a, claim: a, measure: shift_error, published: 1, of: fair, group: x, "
                  "rule: at least 1}\n");
            }),
            "paper.yaml:14: claim.group is x; a name defined in the study is needed");
}

TEST(IsolatedProfile, HasThePeriodAndTheBytesOfTheIsolatedJob) {
  const std::vector<scenario::Scenario> points = scenario::read_scenarios(
      parse_yaml("workload: {model: resnet-50, batch_per_device: 8, data: 2, tensor: 1, "
                 "pipeline: 1, zero: 0, iterations: 3}\n"
                 "gpus: 2\n"
                 "accelerator: a100\n"
                 "engine: fluid\n"
                 "fabric: {kind: switch, bandwidth: 10 Gbps, latency: 1 us}\n",
                 "job.yaml"),
      {});
  const run::IsolatedProfile isolated = run::isolated_profile(points.front(), "resnet");
  EXPECT_EQ(isolated.profile.period(),
            run::run(points.front(), {.threads = 1}).as<run::TrainingReport>()->iteration_time);
  // Each of two ranks sends its gradients once: 25.6 million values of four bytes.
  EXPECT_NEAR(static_cast<double>(isolated.bytes.count), 25'557'032 * 4.0, 1e5);
  double bits = 0;
  for (const jobs::ProfileStage& it : isolated.profile.stages) {
    for (const jobs::LinkRate& rate : it.rates) {
      bits += static_cast<double>(rate.rate.bits_per_second) * seconds(it.length);
    }
  }
  EXPECT_NEAR(bits / 8, static_cast<double>(isolated.bytes.count), 1e3);
}

}  // namespace
}  // namespace loom::reproduce
