#include "loom/reproduce/coded_study.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::reproduce {
namespace {

std::string refusal(const std::string& text) {
  return message([&] { reproduce(parse_yaml(text, "paper.yaml"), true, {.threads = 1}); });
}

TEST(Measured, AnUnknownStudyIsRefused) {
  EXPECT_EQ(refusal("title: t\nsource: s\nmeasured: lightning\nclaims: []\n"),
            "paper.yaml:3: there is no measured study 'lightning'; known are lightning_serving");
}

TEST(Measured, AMalformedClaimIsRefusedBeforeTheStudyRuns) {
  EXPECT_EQ(refusal("title: t\nsource: s\nmeasured: lightning_serving\nclaims:\n"
                    "  - {id: a, claim: c, measure: serve_a100, published: 1, rule: near}\n"),
            "paper.yaml:5: rule is near; within X %, at least X, at most X or from X to Y is "
            "needed");
}

}  // namespace
}  // namespace loom::reproduce
