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

// The operations that the engine provides, and the signals that these raise.
Hardware lightning_hardware();

// Latencies, and a layer of one word; loading a network rewrites the targets of its layers.
Targets lightning_targets(const PhotonicDatapath& datapath);

// The targets that a network or one of its layers rewrites.
std::set<std::string, std::less<>> loaded_targets();

}  // namespace loom::photonic
