// Lightning's datapath as count-action modules, and its initial targets.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "loom/photonic/datapath/count_action.h"
#include "loom/photonic/datapath/datapath.h"

namespace loom::photonic {

// The text that `lightloom photonic modules` prints.
std::string_view lightning_modules_text();

// The operations and signals that the engine provides.
Hardware lightning_hardware();

// Initial targets: the latencies of the datapath, and the sizes of a layer of one word. Loading a
// network rewrites the sizes.
Targets lightning_targets(const PhotonicDatapath& datapath);

// The names of the targets that are rewritten for a network or a layer.
std::set<std::string, std::less<>> loaded_targets();

}  // namespace loom::photonic
