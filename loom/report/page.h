// A report as one self-contained HTML file, which opens from disk without a network.
//
// The page is built from web/report and embedded in this library; docs/report.md describes its
// JSON. The page omits sections that are missing in the JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace loom::report {

// The text of the page before and after its JSON; both empty if the page is not part of this build.
struct PageShell {
  std::string_view head;
  std::string_view tail;
};

// The page built from web/report; web/build.mjs generates the definition.
PageShell page_shell();

// Returns the page with the report as its JSON. No name from a user's file can end the script
// element that holds the JSON. Throws InputError if the page is not part of this build.
std::string report_page(const nlohmann::ordered_json& report, PageShell shell = page_shell());

}  // namespace loom::report
