// The files of papers/, embedded in the program.
#pragma once

#include <string_view>
#include <vector>

namespace loom::reproduce {

struct Paper {
  std::string_view name;
  std::string_view text;
};

const std::vector<Paper>& papers();

}  // namespace loom::reproduce
