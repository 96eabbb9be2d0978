// Anonymous network namespaces: a namespace exists as long as a descriptor refers to it or a thread
// is in it.
#pragma once

#include <functional>
#include <string>

#include "bpf/descriptor.h"

namespace loom::bpf {

// A new namespace, which contains only a loopback device. Throws InputError if the kernel does not
// support namespaces or the user lacks privileges.
Descriptor new_namespace();

// Runs `act` on a new thread inside the namespace and waits for its end; rethrows its exception.
void inside(const Descriptor& space, const std::function<void()>& act);

// Moves the calling thread into the namespace permanently.
void enter(const Descriptor& space);

// Writes a setting below /proc/sys of the calling thread's namespace.
void write_sysctl(const std::string& name, const std::string& value);

}  // namespace loom::bpf
