// How things go wrong, and who has to know.
//
// InputError: the user can mend it. It says where, what was given and what is needed, is thrown
// only while reading and building, and is caught only by the ways in (cli, web, python).
// LimitError: a limit of ours was reached (the clock's range, memory); exit code 4.
// LOOM_CHECK: a belief about our own code, in words, checked in every build.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace loom {

// Where a piece of input stands: a file and line, or a command-line option (line 0).
struct SourceLocation {
  std::shared_ptr<const std::string> source;
  int line = 0;

  std::string text() const;  // "ring.yaml:12", "--set gpus=x", or "" where nothing is known
};

SourceLocation location_of(std::string source, int line = 0);

class InputError : public std::runtime_error {
 public:
  InputError(const SourceLocation& location, const std::string& message);
};

class LimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void belief_failed(const char* condition, const char* belief, const char* file,
                                int line);

}  // namespace loom

#define LOOM_CHECK(condition, belief) \
  ((condition) ? void() : ::loom::belief_failed(#condition, belief, __FILE__, __LINE__))
