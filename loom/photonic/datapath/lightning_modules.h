// Lightning's datapath as count-action modules, and the targets that it begins with.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "loom/photonic/datapath/count_action.h"
#include "loom/photonic/datapath/datapath.h"

namespace loom {

// The text that `lightloom photonic modules` prints.
std::string_view lightning_modules_text();

// What the engine does for them: operations, and the signals that those raise.
Hardware lightning_hardware();

// Latencies, and one layer of one word; a network rewrites those of its layers.
Targets lightning_targets(const PhotonicDatapath& datapath);

// The targets that a network or one of its layers rewrites.
std::set<std::string, std::less<>> loaded_targets();

}  // namespace loom
