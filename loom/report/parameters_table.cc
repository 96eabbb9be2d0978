#include "loom/report/parameters_table.h"

#include <fmt/format.h>

namespace loom::report {

Table parameters_table(std::span<const Parameter> parameters) {
  Table table{{"parameter", "default", "meaning"}, {}};
  for (const Parameter& parameter : parameters) {
    std::string meaning(parameter.summary);
    for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
      meaning += fmt::format("{}{}", i == 0 ? ": " : ", ", parameter.choices[i]);
    }
    table.rows.push_back({std::string(parameter.name),
                          parameter.required ? "needed" : std::string(parameter.fallback),
                          std::move(meaning)});
  }
  return table;
}

}  // namespace loom::report
