#include "cli/renamed_options.h"

#include <gtest/gtest.h>

#include <array>

namespace loom::cli {
namespace {

constexpr std::array<std::string_view, 4> kSimulate = {"--gpus-per-server", "--timeline",
                                                       "--jitter", "--wavelength-bandwidth"};

TEST(RenamedOption, AnOldOptionHasANewName) {
  EXPECT_EQ(renamed_option("--trace", kSimulate), "--timeline");
}

TEST(RenamedOption, AnOptionWithUnderscoresHasDashesNow) {
  EXPECT_EQ(renamed_option("--gpus_per_server", kSimulate), "--gpus-per-server");
}

TEST(RenamedOption, AnOptionFollowsItsKey) {
  EXPECT_EQ(renamed_option("--wavelength", kSimulate), "--wavelength-bandwidth");
}

TEST(RenamedOption, TheCommandDecidesWhichNewNameIsMeant) {
  constexpr std::array<std::string_view, 1> kCompatible = {"--phase-error"};
  constexpr std::array<std::string_view, 1> kBench = {"--compute-jitter"};
  EXPECT_EQ(renamed_option("--jitter", kCompatible), "--phase-error");
  EXPECT_EQ(renamed_option("--jitter", kBench), "--compute-jitter");
}

TEST(RenamedOption, AnUnknownOptionHasNoNewName) {
  EXPECT_EQ(renamed_option("--least", kSimulate), std::nullopt);
  EXPECT_EQ(renamed_option("--gpus_per_rack", kSimulate), std::nullopt);
  EXPECT_EQ(renamed_option("--", kSimulate), std::nullopt);
}

}  // namespace
}  // namespace loom::cli
