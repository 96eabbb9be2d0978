// Every published study that is built in, run whole: each claim holds by its own rule.
#include <gtest/gtest.h>

#include "loom/study/reproduce.h"

namespace loom {
namespace {

class Studies : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Studies, AllClaimsHold) {
  const std::string name(GetParam());
  const Study study = reproduce(parse_yaml(std::string(paper_text(name)), name), 0, nullptr);
  ASSERT_FALSE(study.claims.empty());
  for (const Claim& it : study.claims) {
    EXPECT_TRUE(it.holds) << it.claim << ": published " << it.published << ", ours " << it.ours
                          << ", rule " << it.rule;
  }
}

INSTANTIATE_TEST_SUITE_P(Papers, Studies, ::testing::ValuesIn(paper_names()),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace loom
