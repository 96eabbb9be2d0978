// Whole files in, whole files out: a reader sees the old content or the new, never half.
#pragma once

#include <string>
#include <string_view>

#include "loom/base/error.h"

namespace loom {

// The content of a file; InputError naming `from` (where the path was given) when it cannot be read
// or is larger than `largest` bytes.
std::string read_file(const std::string& path, const Place& from = {},
                      std::size_t largest = std::size_t{1} << 30);

// Whether a file could be written there: asked before long work. InputError where not.
void check_output(const std::string& path);

// Written under a temporary name beside it and renamed.
void write_file(const std::string& path, std::string_view content);

// The folder, with those above it, where it is not there yet.
void make_folder(const std::string& path, const Place& from = {});

// `path` as seen from the folder of the file `beside`; absolute paths stay.
std::string path_beside(const std::string& beside, const std::string& path);

}  // namespace loom
