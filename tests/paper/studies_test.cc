// Every built-in published study, reduced if it is large: each claim holds by its own rule or is
// listed here as not reproduced; docs/reproduce says why.
#include <gtest/gtest.h>

#include <set>

#include "loom/reproduce/reproduce.h"

namespace loom {
namespace {

const std::set<std::string> kNotSo = {
    "speed-up over Elect-Cluster (400 Gbps) at the best bandwidth, minimum over models",
    "speed-up over Elect-Cluster (200 Gbps), maximum",
    "time to accuracy with data parallelism over that with hybrid, maximum",
    "images per second on one electrical switch, 4 nodes",
    "iteration time on ODDL over that on Elect-Flat at the same bandwidth, maximum",
    "total control messages for an all-reduce, growth from 64 to 4096 nodes",
    "control messages per device for an all-to-all, growth from 64 to 256 nodes",
    "training time on a similar-cost fat-tree over that on TopoOpt, minimum",
    "training time on SiP-ML over that on TopoOpt, minimum",
    "VGG11 + VGG11, the favored job",
    "DLRM + DLRM, the other job",
    "DLRM + DLRM are compatible",
    "VGG19 + VGG16 + ResNet50, VGG16",
    "VGG19 + VGG16 + ResNet50, ResNet50",
    "VGG19 + VGG16 + ResNet50 are compatible",
    "VGG11 + VGG11 are compatible, four times the samples",
    "DLRM + DLRM are compatible, four times the samples",
    "VGG19 + VGG16 + ResNet50 are compatible, four times the samples",
    "mean iteration time, fair over MLTCP, maximum",
    "p99 iteration time, fair over MLTCP, maximum",
    "mean iteration time with jitter, fair over MLTCP, maximum",
    "p99 iteration time with jitter, fair over MLTCP, maximum",
    "mean completion time, Themis-like, without CASSINI over with it",
    "p99 completion time, Themis-like, without CASSINI over with it",
    "mean completion time, Pollux-like, without CASSINI over with it",
    "p99 completion time, Pollux-like, without CASSINI over with it",
    "mean iteration time, Themis-like, without CASSINI over with it",
    "p99 iteration time, Themis-like, without CASSINI over with it",
    "time to serve on an A100 over that on Lightning, 60 Mbps, first 100 requests",
    "time to serve on an A100X over that on Lightning, 60 Mbps, first 100 requests",
    "energy per response on an A100 over that on Lightning, 60 Mbps",
    "energy per response on an A100X over that on Lightning, 60 Mbps",
    "energy per response on Brainwave over that on Lightning, 60 Mbps",
    "offered load of the A100 at 60 Mbps over its capacity",
    "serving-time ratio of the A100 after many requests over that after 50",
    "time to serve on an A100 over that on Lightning with both stable, 5 Mbps",
    "time to serve on an A100X over that on Lightning with both stable, 5 Mbps",
    "time to serve on an A100 with matrix units and batches over that on Lightning, 60 Mbps",
    "networks out of seven that Lightning serves faster than such an A100, each isolated",
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
