// Cgroups whose connections get one of our algorithms, by a program that the kernel runs when a
// connection is made.
#pragma once

#include <string>
#include <vector>

#include "bpf/mltcp.h"

namespace loom::bpf {

// InputError where the path is no cgroup of version 2, or has one of our algorithms already.
void choose_in_cgroup(const std::string& algorithm, const std::string& path);

// False where none was chosen for it.
bool unchoose_in_cgroup(const std::string& path);

std::vector<Attachment> chosen_in_cgroups();

// Of all of them, with what is pinned for them.
void unchoose_everywhere();

}  // namespace loom::bpf
