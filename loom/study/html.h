// Results as one HTML file to look at.
#pragma once

#include <string>
#include <vector>

#include "loom/study/reproduce.h"
#include "loom/study/run.h"

namespace loom {

struct ReportText {
  std::string title;
  std::string version;
  std::string command;   // that makes it again
  std::string scenario;  // the file
};

// "gpt3-175b on 1024 devices", "all_reduce on 64 devices"
std::string report_title(const Result& result);

// The results must have been run with RunOptions::details.
std::string report_html(const std::vector<Result>& results, const ReportText& text);
std::string report_html(const Study& study, const ReportText& text);

}  // namespace loom
