// Network namespaces without names: held by a descriptor, and gone with the last holder.
#pragma once

#include <functional>
#include <string>

#include "bpf/descriptor.h"

namespace loom::bpf {

// A new one, empty but for its loopback. InputError where the kernel or the user's rights forbid
// it.
Descriptor new_namespace();

// Runs `act` on a thread of its own inside the namespace and waits; what it throws is thrown here.
void inside(const Descriptor& space, const std::function<void()>& act);

// The calling thread moves into it for good.
void enter(const Descriptor& space);

// A setting below /proc/sys of the calling thread's namespace.
void write_sysctl(const std::string& name, const std::string& value);

}  // namespace loom::bpf
