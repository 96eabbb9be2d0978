// A grid of devices that closes on itself, in one to four dimensions.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kTorusKind;

}  // namespace loom
