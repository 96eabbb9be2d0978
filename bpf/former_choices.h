// What routes named before one of our algorithms, so that it can be put back.
//
// It is kept where everything else that stays is, in the folder of pins: as symbolic links, the
// only things of a name and a text that a BPF file system holds. A link is named after the network
// namespace and the route; it points to the choice.
#pragma once

#include <string>

#include "bpf/routes.h"

namespace loom::bpf {

// What the route names now, unless that is one of ours: then what is remembered stays.
void remember_choice(const Route& route);

// "" where it named nothing.
std::string remembered_choice(const Route& route);

void forget_choice(const Route& route);

// Of all routes of all namespaces.
void forget_choices();

}  // namespace loom::bpf
