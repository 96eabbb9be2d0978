// Plans one collective: its algorithm (given, or the fastest by estimate), and its circuits.
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

PlannedOrNot plan_collective(const scenario::CollectiveWork& work, const Fabric& fabric);

}  // namespace loom::run
