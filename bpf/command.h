// Runs external programs: ip and tc do what would otherwise be handwritten netlink code.
#pragma once

#include <string>
#include <vector>

namespace loom::bpf {

struct Outcome {
  int code = 0;  // 127 if the program was not found
  std::string out;
  std::string err;
};

// Runs the program in the network namespace of the calling thread and waits. Programs are searched
// in PATH and in the sbin folders, which not every user's PATH contains.
Outcome run_command(const std::vector<std::string>& words);

// Splits "ip link add …" at spaces and runs it; InputError with its error output if it fails.
std::string must_run(const std::string& line);

// The path of a program; "" if it is not found.
std::string program_path(const std::string& name);

}  // namespace loom::bpf
