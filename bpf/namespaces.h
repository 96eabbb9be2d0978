// Anonymous network namespaces: held by a descriptor, and gone with the last holder.
#pragma once

#include <functional>
#include <string>

#include "bpf/descriptor.h"

namespace loom::bpf {

// A new namespace, empty except for its loopback device. InputError if the kernel or the user's
// privileges forbid it.
Descriptor new_namespace();

// Runs `act` on a new thread inside the namespace and waits; rethrows its exception.
void inside(const Descriptor& space, const std::function<void()>& act);

// Moves the calling thread into the namespace permanently.
void enter(const Descriptor& space);

// Writes a setting below /proc/sys of the calling thread's namespace.
void write_sysctl(const std::string& name, const std::string& value);

}  // namespace loom::bpf
