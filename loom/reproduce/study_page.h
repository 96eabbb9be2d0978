// A reproduced study as one HTML page.
#pragma once

#include <string>

#include "loom/report/html.h"
#include "loom/reproduce/reproduce.h"

namespace loom {

std::string report_html(const Study& study, const ReportText& text);

}  // namespace loom
