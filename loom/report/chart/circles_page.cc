#include "loom/report/chart/circles_page.h"

#include <fmt/format.h>

#include "loom/report/chart/svg.h"

namespace loom::report {
namespace {

constexpr std::string_view kStyle = R"(
body { margin: 0; background: #f6f6f8; color: #222;
  font: 15px/1.5 system-ui, Helvetica, Arial, sans-serif; }
main { max-width: 1136px; margin: 0 auto; padding: 32px 24px 48px; }
h1 { font-size: 26px; margin: 0 0 6px; }
h2 { font-size: 16px; margin: 0 0 10px; }
p { margin: 0 0 8px; }
section { background: #fff; border: 1px solid #e4e4e4; border-radius: 10px;
  padding: 18px 20px; margin-top: 18px; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 5px 14px 5px 0; white-space: nowrap; }
th { color: #555; font-weight: 500; border-bottom: 1px solid #ddd; }
td { border-bottom: 1px solid #f0f0f0; }
th:first-child, td:first-child { text-align: left; }
td.words, th.words { text-align: left; white-space: normal; }
svg { display: block; max-width: 100%; height: auto; }
footer, .note { color: #555; font-size: 13px; }
code { background: #eee; border-radius: 4px; padding: 1px 5px; }
)";

std::string circle_heading(std::string name) {
  for (char& letter : name) {
    if (letter == '_') letter = ' ';
  }
  return svg::escaped(name);
}

std::string table_html(const Table& table) {
  const auto kind = [&](std::size_t column) {
    const bool words = !table.rows.empty() && column < table.rows.front().size() &&
                       std::holds_alternative<std::string>(table.rows.front()[column]);
    return words ? " class='words'" : "";
  };
  std::string out = "<table><thead><tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    out += fmt::format("<th{}>{}</th>", kind(c), circle_heading(table.columns[c]));
  }
  out += "</tr></thead><tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += fmt::format("<td{}>{}</td>", kind(c), svg::escaped(to_text(row[c])));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

}  // namespace

std::string circles_page(const CirclesPage& page) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
      "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
      "<title>{0}</title><style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      svg::escaped(page.title), kStyle, svg::escaped(page.summary));
  for (const std::string& note : page.notes) {
    out += fmt::format("<p class='note'>{}</p>\n", svg::escaped(note));
  }
  for (const auto& it : page.tables) {
    if (it.second.rows.empty()) continue;
    out += fmt::format("<section><h2>{}</h2>\n{}</section>\n", svg::escaped(it.first),
                       table_html(it.second));
  }
  if (!page.svg.empty()) out += "<section>\n" + page.svg + "</section>\n";
  return out + fmt::format("<footer><p><code>{}</code></p></footer>\n</main></body></html>\n",
                           svg::escaped(page.command));
}

}  // namespace loom::report
