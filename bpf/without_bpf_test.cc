// A build without clang or libbpf: every function exists and refuses with one message. These tests
// link what such a build contains, so it is compiled wherever tests are.
#include <gtest/gtest.h>

#include "bpf/bench.h"
#include "bpf/mltcp.h"
#include "loom/base/testing.h"

namespace loom::bpf {
namespace {

const std::string kRefusal =
    "MLTCP cannot run here: this build was made without clang or libbpf; 'apt-get install clang-14 "
    "libbpf-dev iproute2' and build again";

TEST(WithoutBpf, EverythingIsRefusedInOneSentence) {
  EXPECT_EQ(message([] { load_mltcp("reno", {.slope = 4}); }), kRefusal);
  EXPECT_EQ(message([] { attach_cgroup("reno", "/sys/fs/cgroup"); }), kRefusal);
  EXPECT_EQ(message([] { attach_route("reno", "default"); }), kRefusal);
  EXPECT_EQ(message([] { detach_cgroup("/sys/fs/cgroup"); }), kRefusal);
  EXPECT_EQ(message([] { detach_route("default"); }), kRefusal);
  EXPECT_EQ(message([] { loaded_mltcp(); }), kRefusal);
  EXPECT_EQ(message([] { attachments(); }), kRefusal);
  EXPECT_EQ(message([] { unload_mltcp(); }), kRefusal);
  EXPECT_EQ(message([] { run_bench({}, [](const std::string&, int, int) {}); }), kRefusal);
}

TEST(WithoutBpf, MissingRequirementsAreNamed) {
  EXPECT_EQ(missing_for_mltcp().size(), 1U);
  EXPECT_EQ(missing_for_bench(), missing_for_mltcp());
}

// Names and settings do not depend on the kernel.
TEST(WithoutBpf, ASettingThatIsNotGivenIsUnchanged) {
  const MltcpSettings now = changed({.slope = 4, .needed = 7}, {.intercept = 0.5});
  EXPECT_EQ(now.slope, 4);
  EXPECT_EQ(now.intercept, 0.5);
  EXPECT_EQ(now.needed, 7);
  EXPECT_EQ(algorithm_name("reno"), "mltcp_reno");
}

}  // namespace
}  // namespace loom::bpf
