// One file of a Rostam profile: the graph with the measurements of one batch size.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "loom/foreign/rostam.h"

namespace loom::foreign {

using RostamPlaces = std::unordered_map<std::string_view, int>;

// The nodes in topological order, otherwise in the order of the file.
std::vector<RostamNode> parse_rostam_file(const RostamFile& file);

// The index of each name; the names are those of `nodes`.
RostamPlaces places_of(const std::vector<RostamNode>& nodes);

}  // namespace loom::foreign
