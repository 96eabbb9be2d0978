// A report as one HTML file that needs nothing else: it opens from a disk, without a network.
//
// The page itself is built from web/report and carried inside this library; docs/report.md lists
// what its JSON may hold. Whatever is left out of the JSON is left out of the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace loom {

// The page before and after its JSON; both empty where it was not built in.
struct PageShell {
  std::string_view head;
  std::string_view tail;
};

// The one built from web/report: its definition is made by web/build.mjs.
PageShell page_shell();

// Names from a user's files may stand in the report: none can end the script element that holds the
// JSON. Throws InputError where the page was not built in.
std::string report_page(const nlohmann::ordered_json& report, PageShell shell = page_shell());

}  // namespace loom
