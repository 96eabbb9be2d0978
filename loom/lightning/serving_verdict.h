// Conclusions in words from a study's own numbers: where Lightning wins, where it does not, and
// what the published ratios depend on.
#pragma once

#include <string>
#include <vector>

#include "loom/lightning/serving_tables.h"

namespace loom::lightning {

std::vector<std::string> serving_verdict(const ServingResult& result);

}  // namespace loom::lightning
