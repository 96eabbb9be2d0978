#include "cli/command.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace loom::cli {
namespace {

// The error for these words, in a program with options of several types.
std::string error_of(std::vector<std::string> words) {
  double slope = 0;
  std::vector<double> weights;
  int jobs = 0;
  Program program("", "lightloom");
  Command command = program.command();
  command.add_option("--slope", slope, "").range(0.0, 10.0);
  command.add_option("--weights", weights, "").delimiter(',');
  command.add_option("--jobs", jobs, "").range(1, 16);
  return program.parse(std::move(words));
}

TEST(Option, RejectsNumbersThatAreNotFinite) {
  for (const std::string number : {"nan", "-nan", "inf", "-inf", "1e999"}) {
    EXPECT_EQ(error_of({"--slope=" + number}),
              "--slope: " + number + " is given; a finite number is needed");
    EXPECT_EQ(error_of({"--weights=1," + number}),
              "--weights: " + number + " is given; a finite number is needed");
  }
}

TEST(Option, RejectsValuesOutsideItsRange) {
  EXPECT_EQ(error_of({"--slope=10", "--weights=1,1e300", "--jobs=16"}), "");
  EXPECT_EQ(error_of({"--slope=10.5"}), "--slope: Value 10.5 not in range 0.000000 to 10.000000");
  EXPECT_EQ(error_of({"--jobs=17"}), "--jobs: Value 17 not in range 1 to 16");
}

}  // namespace
}  // namespace loom::cli
