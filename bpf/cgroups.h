// Attaches our algorithms to cgroups: the kernel runs a BPF program for every new connection of a
// cgroup, which sets the algorithm.
#pragma once

#include <string>
#include <vector>

#include "bpf/mltcp.h"

namespace loom::bpf {

// Attaches an algorithm to a cgroup. Throws InputError if the path is not a cgroup of version 2, or
// if one of our algorithms is already attached to it.
void choose_in_cgroup(const std::string& algorithm, const std::string& path);

// Detaches our algorithm from a cgroup. Returns false if none was attached.
bool unchoose_in_cgroup(const std::string& path);

std::vector<Attachment> chosen_in_cgroups();

// Detaches our algorithms from all cgroups and removes their pins.
void unchoose_everywhere();

}  // namespace loom::bpf
