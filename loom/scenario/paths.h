// Paths of the files that a scenario names.
#pragma once

#include <string>
#include <string_view>

#include "loom/base/files.h"
#include "loom/base/settings.h"

namespace loom::scenario {

// A path in a file is relative to that file, one on the command line to the working directory.
inline std::string path_of(const Settings& settings, std::string_view key) {
  const SourceLocation location = settings.location(key);
  const std::string path = settings.text(key);
  return location.line > 0 ? path_beside(*location.source, path) : path;
}

}  // namespace loom::scenario
