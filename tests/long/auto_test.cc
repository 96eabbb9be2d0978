// `partition: auto` is never slower than `partition: uniform`.
#include "tests/long/auto_against_uniform.h"

namespace loom {
namespace {

TEST(Auto, IsNeverSlowerThanUniformOnRandomJobsAndFabrics) {
  const AutoAgainstUniform all = auto_against_uniform(1000, 260);
  fmt::print("{} jobs, auto faster by 1 % in {}\n", all.compared, all.faster);
  EXPECT_GE(all.compared, 200);
  EXPECT_GE(all.faster, all.compared / 10);
}

}  // namespace
}  // namespace loom
