// The kinds of errors.
//
// InputError: an error that the user can fix, in an input or in an output path. The message says
// where it is, what was found and what is needed. The front ends (cli, web, python) catch it.
// LimitError: a limit of the program was reached (clock range, memory); exit code 4.
// LOOM_CHECK: an assertion about our own code, explained in words and checked in every build.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace loom {

// The source location of an input: a file and line, or a command-line option (line 0).
struct SourceLocation {
  std::shared_ptr<const std::string> source;
  int line = 0;

  std::string text() const;  // "ring.yaml:12", "--set gpus=x", or "" if unknown
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

// The reason why something is infeasible; returned as a value, not thrown.
struct Infeasible {
  std::string why;
};

// The reason why a setting cannot be used, and the key of the setting.
struct Objection {
  std::string key;
  std::string text;
};

[[noreturn]] void belief_failed(const char* condition, const char* belief, const char* file,
                                int line);

}  // namespace loom

#define LOOM_CHECK(condition, belief) \
  ((condition) ? void() : ::loom::belief_failed(#condition, belief, __FILE__, __LINE__))
