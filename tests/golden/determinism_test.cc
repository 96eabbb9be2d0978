// Determinism: the same input gives the same output bytes, with any number of threads.
#include "tests/golden/examples.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

class EveryExample : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryExample, GivesTheSameBytesOnAnyNumberOfThreads) {
  const std::string path = example_path(GetParam());
  const std::string one = output_of({"compare", path, "--json", "--threads", "1"});
  EXPECT_EQ(output_of({"compare", path, "--json", "--threads", "2"}), one);
  EXPECT_EQ(output_of({"compare", path, "--json", "--threads", "7"}), one);
}

INSTANTIATE_TEST_SUITE_P(, EveryExample, ::testing::ValuesIn(example_names()),
                         [](const auto& name) { return name.param; });

// Several points that each run a search, so that parallel loops nest; the fluid engine confirms.
TEST(Determinism, AJobWithEverythingAutoGivesTheSameBytesOnAnyNumberOfThreads) {
  const Folder folder;
  const std::string path = folder.write("auto.yaml", R"(
workload:
  {model: transformer, layers: 8, hidden: 1024, heads: 8, vocabulary: 8192, sequence: 512,
   batch: 64, partition: auto, recompute: auto, zero: auto, sequence_parallel: auto, order: auto}
gpus: 16
accelerator: a100
fabrics:
  - {kind: cluster, inside_bandwidth: 2400 Gbps, bandwidth: 25 Gbps}
  - {kind: leaf_spine, gpus_per_leaf: 4, spines: 3, routing: ecmp, bandwidth: 100 Gbps}
  - {kind: sip_ocs, bandwidth: 400 Gbps}
  - {kind: sip_ring, bandwidth: 400 Gbps}
)");
  for (const std::string point : {"1", "2", "3", "4"}) {
    const auto bytes = [&](const std::string& threads) {
      return output_of({"simulate", path, "--point", point, "--json", "--threads", threads});
    };
    const std::string one = bytes("1");
    EXPECT_EQ(bytes("2"), one) << point;
    EXPECT_EQ(bytes("4"), one) << point;
  }
  const std::string one = output_of({"compare", path, "--json", "--threads", "1"});
  EXPECT_EQ(output_of({"compare", path, "--json", "--threads", "4"}), one);
}

TEST(Determinism, ASecondRunWritesTheSameBytes) {
  const Folder folder;
  for (const std::string name : {"first", "link_fails", "leaf_spine_routing", "training_step"}) {
    for (const std::string ending : {"json", "json.gz"}) {
      std::string traces[2];
      std::string outputs[2];
      for (int run = 0; run < 2; ++run) {
        const std::string trace = folder.path("trace." + ending);
        outputs[run] =
            output_of({"simulate", example_path(name), "--point", "2", "--timeline", trace});
        traces[run] = content_of(trace);
      }
      EXPECT_EQ(outputs[0], outputs[1]) << name;
      EXPECT_FALSE(traces[0].empty()) << name;
      EXPECT_TRUE(traces[0] == traces[1]) << name << '.' << ending;
    }
  }
}

TEST(Determinism, StandardInputGivesTheSameBytesAsAFile) {
  const std::string text = content_of("examples/cluster_auto.yaml");
  const Ran ran = lightloom({"simulate", "-"}, ".", text);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, output_of({"simulate", "examples/cluster_auto.yaml"}));
}

}  // namespace
}  // namespace loom::testing
