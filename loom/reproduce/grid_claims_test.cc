// Claims about a grid of points.
#include "loom/reproduce/grid_claims.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/reproduce/grid_outputs.h"
#include "loom/reproduce/reproduce.h"

namespace loom::reproduce {
namespace {

// A message of 1 MB takes 1 ms at 8 Gbps; all expected values follow from that.
const std::string kSection = R"(title: t
source: s
scenario:
  workload: {collective: point_to_point, size: 1 MB}
  gpus: 2
  fabric: {kind: switch, bandwidth: 8 Gbps}
grid:
  bandwidth: [8 Gbps, 16 Gbps, 32 Gbps]
  fabric:
    flat: {fabric: "{kind: switch, bandwidth: $bandwidth}"}
    mesh: {fabric: "{kind: full_mesh, bandwidth: $rate Gbps}", $rate: 16}
quick: {bandwidth: [8 Gbps, 16 Gbps]}
plots:
  - {file: times.svg, measure: completion_seconds, x: bandwidth, series: fabric}
)";

Study study_of(const std::string& claims, bool quick = false) {
  return reproduce(parse_yaml(kSection + "claims:\n" + claims, "p.yaml"), quick, {.threads = 1});
}

std::string claim(const std::string& rest) {
  return "  - {id: a, claim: c, measure: completion_seconds, published: 1, rule: at least 0, " +
         rest + "}\n";
}

double ours(const std::string& rest) { return study_of(claim(rest)).verdicts.front().found.value; }

TEST(GridClaims, ComparePointsThatAgreeOnAllOtherAxes) {
  EXPECT_DOUBLE_EQ(ours("of: {fabric: flat}, over: {fabric: mesh}"), 2);
  EXPECT_DOUBLE_EQ(ours("of: {fabric: flat}, over: {fabric: mesh}, take: min"), 0.5);
  EXPECT_DOUBLE_EQ(ours("of: {fabric: flat}, over: {fabric: [flat, mesh]}, take: max"), 2);
  EXPECT_EQ(study_of(claim("of: {fabric: flat}, over: {fabric: mesh}")).verdicts.front().at(),
            "8 Gbps");
}

TEST(GridClaims, CanCompareWithThePreviousValue) {
  EXPECT_DOUBLE_EQ(ours("of: {fabric: flat}, over: {fabric: flat}, before: bandwidth"), 0.5);
}

TEST(GridClaims, TakeAnExtremePerValueAndThenTheExtremeOfThose) {
  const std::string of = "of: {bandwidth: 8 Gbps}, over: {bandwidth: 32 Gbps}, each: fabric, ";
  EXPECT_DOUBLE_EQ(ours(of + "take: max, then: min"), 1);  // the mesh
  EXPECT_DOUBLE_EQ(ours(of + "take: max, then: max"), 4);  // the switch
}

TEST(GridClaims, ConsiderOnlyTheSelectedPoints) {
  EXPECT_DOUBLE_EQ(ours("of: {fabric: flat}, over: {fabric: mesh}, where: {bandwidth: 32 Gbps}"),
                   0.5);
  EXPECT_DOUBLE_EQ(ours("of: {fabric: mesh}, take: min"), 0.0005);
}

TEST(GridClaims, AreMarkedInAReducedRun) {
  const Study study = study_of(claim("of: {fabric: flat}, over: {fabric: mesh}, take: min"), true);
  EXPECT_TRUE(study.verdicts.front().found.reduced);
  EXPECT_DOUBLE_EQ(study.verdicts.front().found.value, 1);
  EXPECT_EQ(study.grids.front().results.size(), 4U);
}

TEST(GridClaims, DoNotHoldWithoutPoints) {
  const Verdict it = study_of(claim("of: {fabric: flat}, over: {fabric: mesh}, where: {bandwidth: "
                                    "1 Gbps}"))
                         .verdicts.front();
  EXPECT_FALSE(it.holds);
  EXPECT_EQ(it.found.reason, "no point has a result");
}

TEST(GridClaims, WriteATableAndAPlot) {
  const auto files = study_files(study_of(claim("of: {fabric: flat}")));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].first, "points.csv");
  EXPECT_EQ(files[1].first, "times.svg");
  EXPECT_EQ(std::count(files[0].second.begin(), files[0].second.end(), '\n'), 7);
  EXPECT_NE(files[1].second.find("<svg"), std::string::npos);
}

TEST(GridClaims, AreRefusedIfMalformed) {
  EXPECT_EQ(message([] { study_of(claim("of: {color: red}")); }),
            "p.yaml:16: there is no axis 'color'");
  EXPECT_EQ(message([] { study_of(claim("of: {fabric: flat}, each: size")); }),
            "p.yaml:16: there is no axis 'size'");
}

}  // namespace
}  // namespace loom::reproduce
