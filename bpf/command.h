// Other people's programs: ip and tc do what would otherwise be netlink written by hand.
#pragma once

#include <string>
#include <vector>

namespace loom::bpf {

struct Outcome {
  int code = 0;  // 127 where there is no such program
  std::string out;
  std::string err;
};

// Runs it in the network namespace of the calling thread and waits. Found in PATH and in the sbin
// folders, which are not in every user's.
Outcome run_command(const std::vector<std::string>& words);

// "ip link add …" cut at its spaces; InputError with what it said where it does not end well.
std::string must_run(const std::string& line);

// Where a program is found; "" where it is not.
std::string program_path(const std::string& name);

}  // namespace loom::bpf
