// Every built-in published study, reduced if it is large: each claim holds by its own rule or is
// listed here as not reproduced; docs/reproduce says why.
#include <gtest/gtest.h>

#include <set>

#include "loom/reproduce/reproduce.h"

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
    "VGG11 + VGG11, the favored",
    "DLRM + DLRM, the other",
    "DLRM + DLRM are compatible",
    "VGG19 + VGG16 + ResNet50, VGG16",
    "VGG19 + VGG16 + ResNet50, ResNet50",
    "VGG19 + VGG16 + ResNet50 are compatible",
    "VGG11 + VGG11 are compatible, four times the samples",
    "DLRM + DLRM are compatible, four times the samples",
    "VGG19 + VGG16 + ResNet50 are compatible, four times the samples",
    "mean iteration, fair over MLTCP, largest",
    "p99 iteration, fair over MLTCP, largest",
    "mean iteration with jitter, fair over MLTCP, largest",
    "p99 iteration with jitter, fair over MLTCP, largest",
    "mean completion time, Themis-like over with CASSINI",
    "p99 completion time, Themis-like over with CASSINI",
    "mean completion time, Pollux-like over with CASSINI",
    "p99 completion time, Pollux-like over with CASSINI",
    "mean iteration time, Themis-like over with CASSINI",
    "p99 iteration time, Themis-like over with CASSINI",
    "time to serve on an A100 over that on Lightning, 60 Mbps, first 100 requests",
    "time to serve on an A100X over that on Lightning, 60 Mbps, first 100 requests",
    "energy of an answer on an A100 over that on Lightning, 60 Mbps",
    "energy of an answer on an A100X over that on Lightning, 60 Mbps",
    "energy of an answer on Brainwave over that on Lightning, 60 Mbps",
    "what the A100 is offered at 60 Mbps over what it can do",
    "the ratio of the A100 does not depend on when one stops (late over 50 requests)",
    "time to serve on an A100 over that on Lightning where both are stable, 5 Mbps",
    "time to serve on an A100X over that on Lightning where both are stable, 5 Mbps",
    "time to serve on an A100 with matrix units and batches over that on Lightning, 60 Mbps",
    "networks of seven that Lightning answers sooner than such an A100, each alone",
};

class Studies : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Studies, ItsClaimsHoldExceptTheKnownOnes) {
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
