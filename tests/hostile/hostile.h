// A broken input and what is said of it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/program.h"

namespace loom::testing {

struct Hostile {
  std::string name;                          // what is broken
  std::map<std::string, std::string> files;  // that lie where the program runs
  std::vector<std::string> words;            // of the command line
  std::string message;                       // all of stderr but the line's end
  int code = 2;

  friend void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }
};

inline std::string name_of(const ::testing::TestParamInfo<Hostile>& info) {
  return info.param.name;
}

// Every list of broken inputs is run by the one test in hostile_test.cc.
class Broken : public ::testing::TestWithParam<Hostile> {};

}  // namespace loom::testing
