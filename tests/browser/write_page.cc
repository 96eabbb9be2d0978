// Reads a report's JSON from standard input and writes its HTML page, for the browser tests.
#include <iostream>
#include <nlohmann/json.hpp>

#include "loom/report/page.h"

int main() {
  std::cout << loom::report::report_page(nlohmann::ordered_json::parse(std::cin));
  return std::cout.flush() ? 0 : 1;
}
