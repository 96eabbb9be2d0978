// The circles of jobs as one HTML file that needs nothing else: tables, pictures, no script.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"

namespace loom {

struct CirclesPage {
  std::string title;
  std::string summary;  // a sentence or two
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, Table>> tables;  // with their headings
  std::string svg;                                    // "" if there is nothing to draw
  std::string command;                                // that makes it again
};

std::string circles_page(const CirclesPage& page);

}  // namespace loom
