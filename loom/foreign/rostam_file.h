// Parses one file of a Rostam profile: the graph with the measurements at one batch size.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "loom/foreign/rostam.h"

namespace loom::foreign {

using RostamPlaces = std::unordered_map<std::string_view, int>;

// The nodes in topological order; ties in the order of the file.
std::vector<RostamNode> parse_rostam_file(const RostamFile& file);

// The index of each node by its name. The keys refer to the names in `nodes`.
RostamPlaces places_of(const std::vector<RostamNode>& nodes);

}  // namespace loom::foreign
