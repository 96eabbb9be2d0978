// `partition: auto` is never slower than `partition: uniform`: a few of the jobs of
// tests/long/auto_test.cc.
#include "tests/long/auto_against_uniform.h"

namespace loom {
namespace {

TEST(Auto, IsNeverSlowerThanUniform) { EXPECT_GE(auto_against_uniform(0, 16).compared, 12); }

}  // namespace
}  // namespace loom
