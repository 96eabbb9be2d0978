// Runs external programs, such as ip and tc, which replace handwritten netlink code.
#pragma once

#include <string>
#include <vector>

namespace loom::bpf {

struct Outcome {
  int code = 0;  // 127 if the program was not found
  std::string out;
  std::string err;
};

// Runs the program in the network namespace of the calling thread and waits. Searches for the
// program in PATH and in the sbin folders, which not every user's PATH contains.
Outcome run_command(const std::vector<std::string>& words);

// Splits "ip link add …" at spaces and runs it; throws InputError with its error output if it
// fails. Returns its output.
std::string must_run(const std::string& line);

// The path of a program; "" if it is not found.
std::string program_path(const std::string& name);

}  // namespace loom::bpf
