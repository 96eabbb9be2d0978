// Page of a compatibility study as one self-contained HTML file: tables and circles (SVG), without
// scripts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/report/table.h"

namespace loom::report {

struct CirclesPage {
  std::string title;
  std::string summary;  // a sentence or two
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, Table>> tables;  // heading and table
  std::string svg;                                    // "" if there is nothing to draw
  std::string command;                                // the command that reproduces the page
};

std::string circles_page(const CirclesPage& page);

}  // namespace loom::report
