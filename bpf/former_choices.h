// Remembers which congestion control a route named before one of our algorithms, to restore it.
//
// Choices are kept in the folder of pins, like everything that outlives the process, as symbolic
// links: the only entries of a BPF file system that hold a name and a text. A link is named after
// the network namespace and the route; its target is the choice.
#pragma once

#include <string>

#include "bpf/routes.h"

namespace loom::bpf {

// Remembers what the route names now; if that is one of ours, the earlier memory stays.
void remember_choice(const Route& route);

// "" if the route named none.
std::string remembered_choice(const Route& route);

void forget_choice(const Route& route);

// Forgets the choices of all routes in all namespaces.
void forget_choices();

}  // namespace loom::bpf
