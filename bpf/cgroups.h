// Cgroups whose connections use one of our algorithms, chosen by a BPF program that the kernel runs
// for every new connection.
#pragma once

#include <string>
#include <vector>

#include "bpf/mltcp.h"

namespace loom::bpf {

// InputError if the path is not a cgroup of version 2 or already has one of our algorithms.
void choose_in_cgroup(const std::string& algorithm, const std::string& path);

// False if no algorithm was chosen for it.
bool unchoose_in_cgroup(const std::string& path);

std::vector<Attachment> chosen_in_cgroups();

// Undoes all choices and removes their pins.
void unchoose_everywhere();

}  // namespace loom::bpf
