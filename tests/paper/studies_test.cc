// Every published study that is built in, run whole or reduced where it is large: each claim holds
// by its own rule, or is known not to come out; docs/reproduce says why.
#include <gtest/gtest.h>

#include <set>

#include "loom/study/reproduce.h"

namespace loom {
namespace {

const std::set<std::string> kNotSo = {
    "speed-up over Elect-Cluster (400 Gbps) of the model that gains least, at its best bandwidth",
    "largest speed-up over Elect-Cluster (200 Gbps)",
    "time to accuracy by data parallelism over that by hybrid, largest gain",
    "images a second on one electrical switch, 4 nodes",
    "iteration on ODDL over that on Elect-Flat at the same bandwidth, where it is slowest",
    "control messages of all for an all-reduce, growth from 64 to 4096 nodes",
    "control messages of a device for an all-to-all, growth from 64 to 256 nodes",
    "training time on a similar-cost fat-tree over that on TopoOpt, least",
    "training time on SiP-ML over that on TopoOpt, least",
};

class Studies : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Studies, ItsClaimsComeOutAsWritten) {
  const std::string name(GetParam());
  const Study study = reproduce(parse_yaml(std::string(paper_text(name)), name), true, {});
  ASSERT_FALSE(study.claims.empty());
  for (const Claim& it : study.claims) {
    EXPECT_EQ(it.holds, kNotSo.count(it.claim) == 0)
        << it.claim << ": published " << it.published << ", ours " << it.ours << ", rule "
        << it.rule;
  }
}

INSTANTIATE_TEST_SUITE_P(Papers, Studies, ::testing::ValuesIn(paper_names()),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace loom
