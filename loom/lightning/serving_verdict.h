// Conclusions in words from the numbers of a study: at which loads and networks Lightning is
// faster, at which it is slower, and how the ratios depend on load and horizon.
#pragma once

#include <string>
#include <vector>

#include "loom/lightning/serving_tables.h"

namespace loom::lightning {

std::vector<std::string> serving_verdict(const ServingResult& result);

}  // namespace loom::lightning
