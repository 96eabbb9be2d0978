// An invalid input and the error message it must produce.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/program.h"

namespace loom::testing {

struct Hostile {
  std::string name;                          // the fault, as an identifier
  std::map<std::string, std::string> files;  // files in the working directory
  std::vector<std::string> words;            // command line
  std::string message;                       // complete stderr without the final newline
  int code = 2;

  friend void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }
};

inline std::string name_of(const ::testing::TestParamInfo<Hostile>& info) {
  return info.param.name;
}

// hostile_test.cc has the one test that runs every list of invalid inputs.
class Broken : public ::testing::TestWithParam<Hostile> {};

}  // namespace loom::testing
