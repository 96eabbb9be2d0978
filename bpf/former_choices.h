// Stores the congestion control that a route named before one of our algorithms, to restore it
// later.
//
// Choices are stored in the folder of pins, like all state that outlives the process. Each is a
// symbolic link, the only entry of a BPF file system that can hold a text: the link is named after
// the network namespace and the route, and its target is the choice.
#pragma once

#include <string>

#include "bpf/routes.h"

namespace loom::bpf {

// Stores the congestion control that the route names now. If that is one of ours, does nothing: the
// choice stored earlier stays.
void remember_choice(const Route& route);

// The stored congestion control; "" if the route named none.
std::string remembered_choice(const Route& route);

void forget_choice(const Route& route);

// Removes the stored choices of all routes in all namespaces.
void forget_choices();

}  // namespace loom::bpf
