#include "loom/reproduce/reproduce.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loom/base/testing.h"

namespace loom::reproduce {
namespace {

constexpr const char* kScenario =
    "title: t\nsource: s\n"
    "scenario:\n"
    "  workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\n"
    "  gpus: 4\n"
    "  fabric: {kind: switch, bandwidth: 8 Gbps}\n"
    "cases:\n"
    "  - {name: slow}\n"
    "  - {name: fast, fabric.bandwidth: 80 Gbps}\n";

Study study(const std::string& claims) {
  return reproduce(parse_yaml(kScenario + claims, "paper.yaml"), false, {.threads = 1});
}

double ours(const Study& study, std::string_view id) {
  for (const Verdict& it : study.verdicts) {
    if (it.claim.id == id) return it.found.value;
  }
  ADD_FAILURE() << "there is no claim " << id;
  return 0;
}

TEST(Reproduce, MeasuresCasesAndTheirRatios) {
  // In a ring of 4 each rank sends 250 kB six times, at 1 GB/s.
  const Study it = study(
      "claims:\n"
      "  - {id: time, claim: t, measure: completion_seconds, of: slow, published: 0.0015,"
      " rule: within 1 %}\n"
      "  - {id: gain, claim: g, measure: completion_seconds, of: slow, over: fast, published: 10,"
      " rule: at least 9.9}\n"
      "  - {id: error, claim: e, measure: mean_error, published: 0, rule: at most 0.1}\n");
  ASSERT_EQ(it.verdicts.size(), 3U);
  EXPECT_DOUBLE_EQ(ours(it, "time"), 0.0015);
  EXPECT_DOUBLE_EQ(ours(it, "gain"), 10);
  EXPECT_NEAR(ours(it, "error"), 0, 1e-9);
  for (const Verdict& verdict : it.verdicts) EXPECT_TRUE(verdict.holds) << verdict.claim.id;
}

TEST(Reproduce, AClaimThatDoesNotHoldIsReported) {
  const Study it = study(
      "claims: [{id: time, claim: c, measure: completion_seconds, of: slow, published: 1,"
      " rule: within 10 %}]\n");
  EXPECT_FALSE(it.verdicts.front().holds);
  EXPECT_NE(study_text(it).find("0 of 1 claims hold"), std::string::npos);
  EXPECT_EQ(study_json(it)[0]["id"], "time");
  EXPECT_EQ(study_json(it)[0]["holds"], false);
}

TEST(Reproduce, AMalformedStudyIsRefused) {
  EXPECT_EQ(message([] {
              study(
                  "claims: [{id: a, claim: c, measure: completion_seconds, of: other, published: 1,"
                  " rule: at least 1}]\n");
            }),
            "paper.yaml:10: claim.of is other; the name of a case is needed");
  EXPECT_EQ(message([] { study(""); }), "paper.yaml:1: the paper lacks 'claims' (a list)");
  EXPECT_EQ(message([] { paper_text("megatorn"); }),
            "there is no study 'megatorn' (did you mean 'megatron'?); known are cassini, "
            "lightning, megatron, megatron_other_rows, mltcp, oddl, recomputation, sipml, topoopt, "
            "unfairness");
}

}  // namespace
}  // namespace loom::reproduce
