#include "loom/report/page.h"

#include <nlohmann/json.hpp>

#include "loom/base/error.h"

namespace loom::report {
namespace {

// Writes JSON that cannot end the script element around it. Inside a script, HTML has no escapes
// but recognizes "</script" and "<!--"; escaping every '<' in the JSON prevents both. The JSON is
// pure ASCII, so U+2028 and U+2029 are escaped too; invalid UTF-8 becomes U+FFFD.
std::string json_for_script(const nlohmann::ordered_json& value) {
  std::string escaped;
  for (const char letter :
       value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (letter == '<') {
      escaped += "\\u003c";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& report, PageShell shell) {
  if (shell.head.empty()) {
    throw InputError({},
                     "the HTML report is not built in; build with -DLOOM_REPORT=ON, which needs "
                     "nodejs and npm");
  }
  std::string page(shell.head);
  page += json_for_script(report);
  page += shell.tail;
  return page;
}

}  // namespace loom::report
