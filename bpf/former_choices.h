// Stores the congestion control that a route named before one of our algorithms, to restore it
// later.
//
// Choices are stored in the folder of pins, as all state that outlives the process, and as symbolic
// links, because these are the only entries of a BPF file system that can hold a text. A link is
// named after the network namespace and the route; its target is the choice.
#pragma once

#include <string>

#include "bpf/routes.h"

namespace loom::bpf {

// Stores the congestion control that the route names now, unless it is one of ours; then the stored
// choice stays.
void remember_choice(const Route& route);

// The stored congestion control; "" if the route named none.
std::string remembered_choice(const Route& route);

void forget_choice(const Route& route);

// Removes the stored choices of all routes in all namespaces.
void forget_choices();

}  // namespace loom::bpf
