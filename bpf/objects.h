// The compiled BPF programs, embedded in this executable.
#pragma once

#include <span>
#include <string_view>

namespace loom::bpf {

// The object file compiled from bpf/NAME.bpf.c.
std::span<const unsigned char> object_bytes(std::string_view name);

}  // namespace loom::bpf
