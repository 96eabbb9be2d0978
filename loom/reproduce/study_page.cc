#include "loom/reproduce/study_page.h"

#include <nlohmann/json.hpp>

#include "loom/report/page.h"

namespace loom {

std::string report_html(const Study& study, const ReportText& text) {
  nlohmann::ordered_json report = page_heading(text);
  report["claims"] = study_json(study);
  return report_page(report);
}

}  // namespace loom
