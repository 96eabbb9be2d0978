// Reads a collective from a map in a file: {collective: all_reduce, algorithm: ring, size: 1 GB,
// …}.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/workload/collective.h"

namespace loom::workload {

// The keys of a collective: collective, algorithm (if absent, the default of the collective), size,
// chunks, levels ("8x4"), steps ("1 15") and sizes ("0 5 / 7 0": bytes from row to column; `size`
// then defaults to the largest total that one rank sends or receives).
std::span<const Parameter> collective_parameters();

// Reads a collective of `ranks` ranks; throws an InputError if the values are wrong or
// inconsistent. `settings` must have been read with the parameters above, and possibly others.
Collective read_collective(const Settings& settings, int ranks);

// Reads the steps of rings: integers separated by spaces.
std::vector<int> read_steps(const Settings& settings, std::string_view key = "steps");

}  // namespace loom::workload
