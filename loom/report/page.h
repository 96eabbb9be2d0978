// A report as one self-contained HTML file, which opens from disk without a network.
//
// The page is built from web/report and embedded in this library; docs/report.md describes its
// JSON. Anything missing in the JSON is left out of the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace loom::report {

// The page before and after its JSON; both empty if the page was not built in.
struct PageShell {
  std::string_view head;
  std::string_view tail;
};

// The page built from web/report; web/build.mjs generates the definition.
PageShell page_shell();

// The report may contain names from a user's files; none of them can end the script element that
// holds the JSON. Throws InputError if the page was not built in.
std::string report_page(const nlohmann::ordered_json& report, PageShell shell = page_shell());

}  // namespace loom::report
