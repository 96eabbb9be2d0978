// Results as one HTML file to look at.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/run/run.h"

namespace loom {

struct ReportText {
  std::string title;
  std::string version;
  std::string command;   // that makes it again
  std::string scenario;  // the file
};

// What every report page begins with.
nlohmann::ordered_json page_heading(const ReportText& text);

// "gpt3-175b on 1024 devices", "all_reduce on 64 devices"
std::string report_title(const Report& result);

// The results must have been run with RunOptions::details.
std::string report_html(const std::vector<Report>& results, const ReportText& text);

}  // namespace loom
