// A table of parameters with their defaults and meanings.
#pragma once

#include <span>

#include "loom/base/settings.h"
#include "loom/report/table.h"

namespace loom::report {

Table parameters_table(std::span<const Parameter> parameters);

}  // namespace loom::report
