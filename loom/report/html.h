// Reports as one HTML file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/run/run.h"

namespace loom::report {

struct ReportText {
  std::string title;
  std::string version;
  std::string command;   // the command that reproduces the report
  std::string scenario;  // the scenario as YAML text
};

// The heading of every report page.
nlohmann::ordered_json page_heading(const ReportText& text);

// The title of a report, such as "gpt3-175b on 1024 devices" or "all_reduce on 64 devices".
std::string report_title(const run::Report& report);

// Returns the HTML page. Requires reports of runs with RunOptions::details.
std::string report_html(const std::vector<run::Report>& reports, const ReportText& text);

}  // namespace loom::report
